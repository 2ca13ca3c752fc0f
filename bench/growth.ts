/** `npm run bench:growth`: what the sources of growth find in virtual collections that grow, and in others that do not. */
import { parseArgs } from 'node:util';
import { medianSorted, quantileSorted } from 'simple-statistics';
import { fastGrowingArray } from '../checks/fast-growing-array/check.js';
import type { Severity } from '../src/finding.js';
import { measureGrowth, type GrowthInput } from '../src/evidence/growth/measure-growth.js';
import type { ArrayGrowth, GrowthEvidence, GrowthSource } from '../src/evidence/growth/growth.js';
import { problems } from '../test/support/checks/evidence-builders.js';
import { GROWTH_SCENARIOS, type GrowthScenario } from '../test/support/growth/growth-scenarios.js';
import { RANDOM_SCENARIOS } from '../test/support/growth/random-scenarios.js';
import { dailyVerdicts, virtualInput, WINDOW_DAYS } from '../test/support/growth/virtual-evidence.js';
import { lengthAt, type VirtualDocument, type VirtualWorld } from '../test/support/growth/virtual-world.js';
import { RandomDistributions } from '../test/support/random-distributions.js';

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5' },
    /** Only scenarios whose name or family holds it. */
    only: { type: 'string', default: '' },
    /** One of the ways; repeatable. All by default. */
    source: { type: 'string', multiple: true, default: [] },
    /** Scenarios by name, or those with properties drawn at random. */
    scenarios: { type: 'string', default: 'named' },
    /** From another seed on. */
    from: { type: 'string', default: '1' },
    /** 30 daily runs of each with a history, beside the sources that are named, and how often a verdict changes. */
    daily: { type: 'boolean', default: false },
  },
});
const SEEDS = Number(options.seeds);
const FIRST_SEED = Number(options.from);
const SCENARIOS = (options.scenarios === 'random' ? RANDOM_SCENARIOS : GROWTH_SCENARIOS).filter(
  ({ name, family }) => name.includes(options.only) || family.includes(options.only),
);

const ALL_WAYS: readonly (readonly [string, readonly GrowthSource[]])[] = [
  ['oplog', ['oplog']],
  ['age', ['age']],
  ['history', ['history']],
  ['together', ['age', 'oplog', 'history']],
];
const WAYS = Object.fromEntries(
  ALL_WAYS.filter(([name]) => options.source.length === 0 || options.source.includes(name)),
);

/** Beside the history of daily runs. */
const BESIDE = (['age', 'oplog'] as const).filter((source) => options.source.includes(source));

/** Outcomes of one scenario by one way. */
interface Outcomes {
  found: number;
  findings: number;
  readonly ratios: number[];
  within: number;
  readonly forecasts: boolean[];
}

interface Truth {
  readonly perDay: number;
  /** Days until half of the documents that grow now have passed a length. */
  readonly daysUntil: (length: number) => number;
}

function truthOf({ documents }: VirtualWorld): Truth {
  const active = documents.filter(
    ({ deletedAt, rate, writes }) => deletedAt === null && rate > 0 && (writes.at(-1)?.at ?? -Infinity) > -WINDOW_DAYS,
  );
  const rates = active.map(({ rate }) => rate).sort((a, b) => a - b);
  return {
    perDay: rates.length === 0 ? 0 : medianSorted(rates),
    daysUntil: (length) => {
      const days = active.map((document) => crossing(document, length)).sort((a, b) => a - b);
      return quantileSorted(days, 0.5);
    },
  };
}

const LONGEST = 4_000;

function crossing(document: VirtualDocument, length: number): number {
  const missing = length - (lengthAt(document, 0) ?? 0);
  if (missing <= 0) return 0;
  let [low, high] = [0, LONGEST];
  while (high - low > 0.05) {
    const middle = (low + high) / 2;
    if (document.gainIn(middle) >= missing) high = middle;
    else low = middle;
  }
  return high;
}

function judged(input: GrowthInput): { array: ArrayGrowth | null; isFound: boolean } {
  const growth = measureGrowth(input);
  return { array: growth.arrays[0] ?? null, isFound: isFinding(growth, input) };
}

function isFinding(growth: GrowthEvidence, input: GrowthInput): boolean {
  return severityIn(growth, input) !== null;
}

function severityIn(growth: GrowthEvidence, { profile, sample }: GrowthInput): Severity | null {
  return problems(fastGrowingArray, { paths: profile.paths, profile, sample, growth })[0]?.severity ?? null;
}

function bench(scenario: GrowthScenario): Record<string, Outcomes> {
  const outcomes: Record<string, Outcomes> = {};
  for (const way of Object.keys(WAYS)) outcomes[way] = { found: 0, findings: 0, ratios: [], within: 0, forecasts: [] };
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
    const world = scenario.world(new RandomDistributions(seed * 7_919));
    const truth = truthOf(world);
    for (const [way, sources] of Object.entries(WAYS)) {
      const outcome = outcomes[way] as Outcomes;
      const { array, isFound } = judged(virtualInput(world, sources, new RandomDistributions(seed)));
      const growth = array?.growth ?? null;
      if (isFound) outcome.findings += 1;
      if (array === null || growth === null) continue;
      outcome.found += 1;
      const { perDay } = growth.rates.typical;
      if (!scenario.grows) continue;
      outcome.ratios.push(perDay.estimate / truth.perDay);
      if (perDay.low <= truth.perDay && truth.perDay <= perDay.high) outcome.within += 1;
      const next = array.forecasts.find(
        ({ unit, typical }) => unit === 'elements' && typical !== null && typical.latest > 0,
      );
      if (next?.typical) {
        const day = truth.daysUntil(next.limit);
        outcome.forecasts.push(next.typical.earliest <= day && day <= next.typical.latest);
      }
    }
  }
  return outcomes;
}

const print = (line: string) => void process.stdout.write(`${line}\n`);
const share = (part: number, all: number) => (all === 0 ? '–' : `${Math.round((100 * part) / all)} %`);

function ratioText(ratios: readonly number[]): string {
  if (ratios.length === 0) return '';
  const sorted = [...ratios].sort((a, b) => a - b);
  return ` ${medianSorted(sorted).toFixed(2)} (${sorted[0]?.toFixed(2)}–${sorted.at(-1)?.toFixed(2)})`;
}

/** From the fifth run on that sees the collection: before that there is too little of it. */
function changesOf(verdicts: readonly unknown[]): number {
  return verdicts.slice(5).filter((verdict, run) => verdict !== verdicts[run + 4]).length;
}

const started = performance.now();

if (options.daily) {
  let [cameAndWent, changed, grewLate, falsely] = [0, 0, 0, 0];
  for (const scenario of SCENARIOS)
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) {
      const world = scenario.world(new RandomDistributions(seed * 7_919));
      const runs = dailyVerdicts(
        world,
        (growth, input) => ({ severity: severityIn(growth, input), isThere: input.documents > 0 }),
        BESIDE,
        new RandomDistributions(seed),
      );
      const verdicts = runs.filter(({ isThere }) => isThere).map(({ severity }) => severity);
      const found = verdicts.map((verdict) => verdict !== null);
      const changes = changesOf(verdicts);
      if (changesOf(found) > 1) cameAndWent += 1;
      if (changes > 1) changed += 1;
      if (scenario.grows && !(found.at(-1) ?? false)) grewLate += 1;
      if (!scenario.grows && found.includes(true)) falsely += 1;
      const text = verdicts.map((verdict) => verdict?.[0] ?? '.').join('');
      print(`${scenario.name.padEnd(56)}${seed} ${text} ${changesOf(found)} ${changes}`);
    }
  print(
    `\n30 daily runs, ${SCENARIOS.length * SEEDS} collections. After its fifth run, ${cameAndWent} came or went more than once,`,
  );
  print(`${changed} did so or changed their severity more than once;`);
  print(`${grewLate} of the growing ones not found by the last, ${falsely} of the others found in any.`);
  process.exit();
}

const results = SCENARIOS.map((scenario) => {
  const outcomes = bench(scenario);
  const cells = Object.entries(outcomes).map(([way, { found, findings, ratios, forecasts }]) => {
    const isHidden = scenario.hiddenFrom?.includes(way as GrowthSource) ?? false;
    const text = scenario.grows
      ? `${found}/${SEEDS}${isHidden ? '*' : ''}${ratioText(ratios)} ${forecasts.filter(Boolean).length}/${forecasts.length}`
      : `${found}/${SEEDS} ${findings === 0 ? '' : `${findings} findings`}`;
    return text.padEnd(30);
  });
  print(`${scenario.name.padEnd(46)}${cells.join(' ')}`);
  return { scenario, outcomes };
});

print('');
print('| | ' + Object.keys(WAYS).join(' | ') + ' |');
print(
  '| --- |' +
    Object.keys(WAYS)
      .map(() => ' --- |')
      .join(''),
);
const row = (title: string, cell: (way: string) => string) =>
  print(`| ${title} | ${Object.keys(WAYS).map(cell).join(' | ')} |`);
const of = (way: string, isOf: (scenario: GrowthScenario) => boolean) =>
  results
    .filter(({ scenario }) => isOf(scenario) && !scenario.hiddenFrom?.includes(way as GrowthSource))
    .map(({ outcomes }) => outcomes[way] as Outcomes);
const growing = (way: string) => of(way, ({ grows }) => grows);
row('growing arrays found', (way) =>
  share(
    growing(way).reduce((sum, { found }) => sum + found, 0),
    growing(way).length * SEEDS,
  ),
);
row('rate ÷ truth, median (5th–95th of 100)', (way) => {
  const ratios = growing(way)
    .flatMap((outcome) => outcome.ratios)
    .sort((a, b) => a - b);
  if (ratios.length === 0) return '–';
  return `${medianSorted(ratios).toFixed(2)} (${quantileSorted(ratios, 0.05).toFixed(2)}–${quantileSorted(ratios, 0.95).toFixed(2)})`;
});
row('rates within 1.5 times the truth', (way) => {
  const ratios = growing(way).flatMap((outcome) => outcome.ratios);
  return share(ratios.filter((ratio) => ratio >= 1 / 1.5 && ratio <= 1.5).length, ratios.length);
});
const FAMILIES = ['steady', 'unequal', 'bursts', 'curved', 'curved and unequal'] as const;
for (const family of FAMILIES)
  row(`true rate within the interval: ${family}`, (way) => {
    const outcomes = of(way, (scenario) => scenario.grows && scenario.family === family);
    const made = outcomes.reduce((sum, { ratios }) => sum + ratios.length, 0);
    return `${share(
      outcomes.reduce((sum, { within }) => sum + within, 0),
      made,
    )} of ${made}`;
  });
for (const family of FAMILIES)
  row(`forecasts that held: ${family}`, (way) => {
    const made = of(way, (scenario) => scenario.grows && scenario.family === family).flatMap(
      ({ forecasts }) => forecasts,
    );
    return `${share(made.filter(Boolean).length, made.length)} of ${made.length}`;
  });
row('not growing, taken for growing', (way) => {
  const others = of(way, ({ grows }) => !grows);
  return share(
    others.reduce((sum, { found }) => sum + found, 0),
    others.length * SEEDS,
  );
});
row('not growing, with a finding', (way) => {
  const others = of(way, ({ grows }) => !grows);
  return share(
    others.reduce((sum, { findings }) => sum + findings, 0),
    others.length * SEEDS,
  );
});
print(
  `\n${SCENARIOS.length} scenarios, ${SEEDS} seeds, ${((performance.now() - started) / 1_000).toFixed(0)} s. * cannot know`,
);
