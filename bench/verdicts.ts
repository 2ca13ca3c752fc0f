/**
 * What is found of the faults that experts labelled before the first run, in recorded evidence of applications and public
 * incidents: `npm run bench:verdicts`. A case is added as test/applications/README.md says.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Table from 'cli-table3';
import type { Finding } from '../src/finding.js';
import { separated } from '../src/findings/further-reasons.js';
import { judgeEvidence } from '../src/lint/judge-evidence.js';
import type { LabelledFinding } from '../test/applications/application.js';
import { APPLICATIONS } from '../test/applications/cases/index.js';
import { faultsOf, outcomeOf as outcomeInApplication, type Outcome } from '../test/applications/outcome.js';
import { INCIDENTS } from '../test/incidents/index.js';
import { outcomeOf as outcomeInIncident } from '../test/incidents/outcome.js';

const EVIDENCE = 'test/oracle/evidence';
const OUTCOMES = ['at its severity', 'higher', 'lower', 'missed'] as const satisfies readonly Outcome[];
const VERDICTS = ['useful', 'noise', 'wrong', 'not labelled'] as const;
const RANK = { info: 0, warning: 1, error: 2 };

interface Line {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
  /** Of the findings that stand by themselves. */
  readonly verdicts: readonly (typeof VERDICTS)[number][];
}

// Of incidents, only faults are labelled.
for (const [title, lines, columns] of [
  ['Applications', await applications(), VERDICTS],
  ['Public incidents', await incidents(), []],
] as const) {
  const head = ['', 'faults', ...OUTCOMES, 'findings', ...columns];
  const table = new Table({ head, style: { head: [], border: [] } });
  const all = lines.reduce((sum, line) => ({
    name: 'all',
    outcomes: [...sum.outcomes, ...line.outcomes],
    verdicts: [...sum.verdicts, ...line.verdicts],
  }));
  for (const { name, outcomes, verdicts } of [...lines, all])
    table.push([
      name,
      outcomes.length,
      ...OUTCOMES.map((each) => countOf(outcomes, each)),
      verdicts.length,
      ...columns.map((each) => countOf(verdicts, each)),
    ]);
  process.stdout.write(`${title}\n${table.toString()}\n`);
}

async function applications(): Promise<Line[]> {
  const lines: Line[] = [];
  for (const application of APPLICATIONS) {
    const { name } = application;
    const found = await findingsOf(`applications/${name}`);
    if (found === null) continue;
    const labelled = new Map(application.findings.map((each) => [placeOf(each), each.verdict]));
    const placed = (finding: Finding) => inCollection(name, finding);
    const all = found
      .flatMap(separated)
      .map((each): LabelledFinding => ({ ...placed(each), verdict: 'useful', why: '' }));
    lines.push({
      name,
      outcomes: faultsOf(application).map((fault) => outcomeInApplication(fault, all)),
      verdicts: found.map((finding) => labelled.get(placeOf(placed(finding))) ?? 'not labelled'),
    });
  }
  return lines;
}

async function incidents(): Promise<Line[]> {
  const lines: Line[] = [];
  for (const { name, faults } of INCIDENTS) {
    const found = (await findingsOf(`incidents/${name}`))?.flatMap(separated);
    if (found === undefined) continue;
    const outcomes = faults.map((fault): Outcome => {
      const told = outcomeInIncident(name, fault, found);
      if (told === 'missed' || told === fault.severity) return told === 'missed' ? told : 'at its severity';
      return RANK[told] > RANK[fault.severity] ? 'higher' : 'lower';
    });
    lines.push({ name, outcomes, verdicts: found.map(() => 'not labelled') });
  }
  return lines;
}

/** Null if the case has no recorded evidence. */
async function findingsOf(name: string): Promise<readonly Finding[] | null> {
  const file = join(EVIDENCE, `${name}.evidence.jsonl.gz`);
  return existsSync(file) ? (await judgeEvidence({ file, settings: {} })).report.findings : null;
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
