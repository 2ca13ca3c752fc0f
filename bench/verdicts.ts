/**
 * What is found of the faults that experts labelled before the first run, in recorded evidence of applications, public
 * incidents and designs: `npm run bench:verdicts`. With `-- --mongospectre PATH --indexwright PATH`, those programs look at the
 * same incidents and designs, planted on a server. A case is added as test/applications/README.md says.
 */
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import type { Finding } from '../src/finding.js';
import { separated } from '../src/findings/further-reasons.js';
import { groupedBy } from '../src/grouped-by.js';
import type { LabelledFinding } from '../test/applications/application.js';
import { APPLICATIONS } from '../test/applications/cases/index.js';
import { faultsOf, outcomeOf as outcomeInApplication, type Outcome } from '../test/applications/outcome.js';
import { compared } from './compared-programs.js';
import { designs, incidents, recordedFindings, type Ground } from './labelled-cases.js';
import { OTHER_PROGRAMS } from './other-programs.js';

const OUTCOMES = ['at its severity', 'higher', 'lower', 'missed'] as const satisfies readonly Outcome[];
const VERDICTS = ['useful', 'noise', 'wrong', 'not labelled'] as const;
const FAULTS = ['', 'faults', ...OUTCOMES, 'findings'];

const { values } = parseArgs({
  options: Object.fromEntries(OTHER_PROGRAMS.map(({ name }) => [name, { type: 'string' as const }])),
});
const programs = new Map(
  OTHER_PROGRAMS.flatMap((program) => {
    const path = values[program.name];
    return path === undefined ? [] : [[program, path] as const];
  }),
);

const grounds = { 'Public incidents': await incidents(), Designs: await designs() };
print('Applications', [...FAULTS, ...VERDICTS], await applications());
// A sound design is silent if nothing above an info is reported; of faulty ones, only the faults are labelled.
for (const [title, themes] of Object.entries(grounds))
  print(title, [...FAULTS, 'sound designs', 'silent', 'noise'], themes.map(outcomesIn));
if (programs.size > 0) {
  const all = await compared(Object.values(grounds).flat(), programs);
  const byTheme = [...groupedBy(all, ({ theme }) => theme)];
  for (const [title, total, figure] of [
    ['Faults that are named, at whatever level', 'faults', 'named'],
    ['Sound designs that are reported above the lowest levels', 'sound', 'loud'],
    ['Sound designs that are reported at all', 'sound', 'told'],
  ] as const)
    print(
      title,
      ['', total, ...new Set(all.map(({ program }) => program))],
      byTheme.map(([theme, ofTheme]) => [theme, ofTheme[0]?.[total] ?? 0, ...ofTheme.map((each) => each[figure])]),
    );
}

type Row = readonly [string, ...number[]];

/** With a last row that adds up the others. */
function print(title: string, head: readonly string[], rows: readonly Row[]): void {
  const table = new Table({ head: [...head], style: { head: [], border: [] } });
  const all = head.slice(1).map((_, column) => rows.reduce((sum, row) => sum + Number(row[column + 1]), 0));
  table.push(...rows.map((row) => [...row]), ['all', ...all]);
  process.stdout.write(`${title}\n${table.toString()}\n`);
}

async function applications(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const application of APPLICATIONS) {
    const { name } = application;
    const found = await recordedFindings(`applications/${name}`);
    if (found === null) continue;
    const labelled = new Map(application.findings.map((each) => [placeOf(each), each.verdict]));
    const placed = (finding: Finding) => inCollection(name, finding);
    const all = found
      .flatMap(separated)
      .map((each): LabelledFinding => ({ ...placed(each), verdict: 'useful', why: '' }));
    const outcomes = faultsOf(application).map((fault) => outcomeInApplication(fault, all));
    // Of the findings that stand by themselves.
    const verdicts = found.map((finding) => labelled.get(placeOf(placed(finding))) ?? 'not labelled');
    rows.push([name, ...outcomeCounts(outcomes), found.length, ...VERDICTS.map((each) => countOf(verdicts, each))]);
  }
  return rows;
}

function outcomesIn({ theme, cases }: Ground): Row {
  const outcomes = cases.flatMap(({ faults }) => faults.map(({ outcome }) => outcome));
  const findings = cases.flatMap((each) => each.findings);
  const noise = cases
    .filter(({ faults }) => faults.length === 0)
    .map((each) => each.findings.filter(({ severity }) => severity !== 'info').length);
  const silent = countOf(noise, 0);
  return [
    theme,
    ...outcomeCounts(outcomes),
    findings.length,
    noise.length,
    silent,
    noise.reduce((sum, each) => sum + each, 0),
  ];
}

function outcomeCounts(outcomes: readonly Outcome[]): number[] {
  return [outcomes.length, ...OUTCOMES.map((each) => countOf(outcomes, each))];
}

/** As labels name it: by the collection, or by null if it is about the database. */
function inCollection(database: string, { namespace, ...finding }: Finding) {
  const { check, path, severity } = finding;
  return { check, path, severity, collection: namespace === database ? null : namespace.slice(database.length + 1) };
}

function placeOf({ check, collection, path }: Pick<LabelledFinding, 'check' | 'collection' | 'path'>): string {
  return [check, collection, path].join('\n');
}

function countOf<Item>(items: readonly Item[], item: Item): number {
  return items.filter((each) => each === item).length;
}
