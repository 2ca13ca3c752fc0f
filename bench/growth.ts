/** `npm run bench:growth`: what the sources of growth find in virtual collections that grow, and in others that do not. */
import { parseArgs } from 'node:util';
import { medianSorted, sum } from 'simple-statistics';
import { fastGrowingArray } from '../checks/fast-growing-array.js';
import type { Severity } from '../src/finding/severity.js';
import type { GrowthEvidence, GrowthSource } from '../src/growth/growth.js';
import { measureGrowth, type GrowthInput } from '../src/growth/measure-growth.js';
import { problems } from '../test/support/checks/evidence-builders.js';
import { GROWTH_SCENARIOS, type GrowthScenario } from '../test/support/growth/growth-scenarios.js';
import { dailyVerdicts, virtualInput } from '../test/support/growth/virtual-evidence.js';
import { typicalRate } from '../test/support/growth/virtual-world.js';
import { RandomDistributions } from '../test/support/random-distributions.js';

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5' },
    /** The first of them: those that nobody tuned on begin at 10,001. */
    from: { type: 'string', default: '1' },
    /** Only scenarios whose name holds it. */
    only: { type: 'string', default: '' },
    /** 30 daily runs of each by all sources: how often a finding comes and goes. */
    daily: { type: 'boolean', default: false },
  },
});
const SEEDS = Array.from({ length: Number(options.seeds) }, (_, index) => Number(options.from) + index);
const SCENARIOS = GROWTH_SCENARIOS.filter(({ name }) => name.includes(options.only));
const WAYS: Readonly<Record<string, readonly GrowthSource[]>> = {
  oplog: ['oplog'],
  age: ['age'],
  history: ['history'],
  together: ['age', 'oplog', 'history'],
};
/** A rate is close if it is within this factor of the truth. */
const CLOSE = 1.5;

/** Outcomes of some scenarios by one way. */
interface Outcomes {
  runs: number;
  found: number;
  readonly ratios: number[];
  within: number;
}

const none = (): Outcomes => ({ runs: 0, found: 0, ratios: [], within: 0 });
const print = (line: string) => void process.stdout.write(`${line}\n`);
const share = (part: number, all: number) => (all === 0 ? '–' : `${Math.round((100 * part) / all)} %`);

function severityIn(growth: GrowthEvidence, { profile }: GrowthInput): Severity | null {
  return problems(fastGrowingArray, { paths: profile.paths, profile, growth })[0]?.severity ?? null;
}

function tryScenario({ world, grows }: GrowthScenario, sources: readonly GrowthSource[]): Outcomes & { why: string } {
  const outcomes = none();
  let why = '';
  for (const seed of SEEDS) {
    const drawn = world(new RandomDistributions(seed * 7_919));
    const truth = typicalRate(drawn);
    const input = virtualInput(drawn, sources);
    const growth = measureGrowth(input);
    const array = growth.arrays[0];
    const measured = array?.growth ?? null;
    outcomes.runs += 1;
    if (measured === null) {
      why = [array?.oplog?.because, array?.age?.because, array?.history?.because].filter(Boolean).join('/');
      continue;
    }
    outcomes.found += grows || severityIn(growth, input) !== null ? 1 : 0;
    const { low, estimate, high } = measured.rates.typical.perDay;
    outcomes.ratios.push(estimate / truth);
    outcomes.within += low <= truth && truth <= high ? 1 : 0;
  }
  return { ...outcomes, why };
}

function table(): void {
  const [growing, others] = [new Map<string, Outcomes>(), new Map<string, Outcomes>()];
  for (const scenario of SCENARIOS) {
    const cells = Object.entries(WAYS).map(([way, sources]) => {
      const { runs, found, ratios, within, why } = tryScenario(scenario, sources);
      const isHidden = scenario.hiddenFrom?.includes(way as GrowthSource) ?? false;
      const into = scenario.grows ? growing : others;
      const all = into.get(way) ?? none();
      into.set(way, all);
      if (!isHidden) {
        all.runs += runs;
        all.found += found;
        all.ratios.push(...ratios);
        all.within += within;
      }
      const ratio = ratios.length === 0 ? why : `× ${medianSorted(ratios.toSorted((a, b) => a - b)).toFixed(2)}`;
      return `${found}/${runs}${isHidden ? '*' : ''} ${ratio}`.padEnd(22);
    });
    print(`${(scenario.grows ? '+ ' : '- ') + scenario.name.padEnd(54)}${cells.join('')}`);
  }
  const row = (title: string, cell: (way: string) => string) =>
    print(`| ${title} | ${Object.keys(WAYS).map(cell).join(' | ')} |`);
  print('');
  row('', (way) => way);
  row('---', () => '---');
  row('growing arrays found', (way) => share(growing.get(way)?.found ?? 0, growing.get(way)?.runs ?? 0));
  const ratios = (way: string) => growing.get(way)?.ratios ?? [];
  row(`rate within ${CLOSE} times the truth`, (way) => {
    return share(sum(ratios(way).map((ratio) => Number(ratio >= 1 / CLOSE && ratio <= CLOSE))), ratios(way).length);
  });
  row('interval holds the true rate', (way) => share(growing.get(way)?.within ?? 0, ratios(way).length));
  row('others with a finding', (way) => share(others.get(way)?.found ?? 0, others.get(way)?.runs ?? 0));
}

function daily(): void {
  const counts = { runs: 0, unsteady: 0, missed: 0, falsely: 0 };
  for (const scenario of SCENARIOS)
    for (const seed of SEEDS) {
      const verdicts = dailyVerdicts(scenario.world(new RandomDistributions(seed * 7_919)), severityIn, [
        'age',
        'oplog',
      ]);
      // Before the fifth run, there is too little of a history.
      const changes = verdicts.slice(5).filter((verdict, run) => verdict !== verdicts[run + 4]).length;
      counts.runs += 1;
      counts.unsteady += changes > 1 ? 1 : 0;
      counts.missed += scenario.grows && verdicts.at(-1) === null ? 1 : 0;
      counts.falsely += !scenario.grows && verdicts.slice(5).some((verdict) => verdict !== null) ? 1 : 0;
      print(`${scenario.name.padEnd(56)}${seed} ${verdicts.map((verdict) => verdict?.[0] ?? '.').join('')}`);
    }
  print(
    `\n30 daily runs over ${counts.runs} collections: ${counts.unsteady} changed more than once after the fifth run,`,
  );
  print(
    `${counts.missed} of the growing ones had no finding in the last, ${counts.falsely} of the others had one after the fifth.`,
  );
}

const started = performance.now();
if (options.daily) daily();
else table();
print(
  `\n${SCENARIOS.length} scenarios, ${SEEDS.length} seeds, ${((performance.now() - started) / 1_000).toFixed(0)} s. * can't know`,
);
