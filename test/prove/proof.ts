/** Records a workload, lints it, runs the commands of the remedies, and compares replays of before and after. */
import type { MongoClient } from 'mongodb';
import type { Finding } from '../../src/finding.js';
import { lint } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import type { OperationShape } from '../../src/workload/workload.js';
import type { ComparedShape } from './comparison.js';
import type { ProvenWorkload } from './proven-workload.js';
import { recordAll, recordedWorkload, type RecordedWorkload } from './recorded-workload.js';
import { replay, type Replay } from './replay.js';

export interface Proof {
  readonly workload: ProvenWorkload;
  readonly report: Report;
  /** Findings whose remedies have commands. */
  readonly findings: readonly Finding[];
  readonly shapes: readonly ComparedShape[];
  readonly recorded: RecordedWorkload;
  /** Operations that the server refused in one replay and not in the other. */
  readonly refusedElsewhere: readonly string[];
}

/** Longest wait for a read: nothing may be skipped because the machine is busy. */
const PATIENCE_MS = 120_000;

export async function proofOf(workload: ProvenWorkload, uri: string, client: MongoClient): Promise<Proof> {
  const database = client.db(workload.name);
  await workload.plant?.(database);
  await recordAll(database);
  await workload.run(uriOf(uri, workload.name));
  await database.command({ profile: 0 });
  const report = await lint({
    uri,
    include: [`${workload.name}.*`],
    timeout: PATIENCE_MS,
    maxTime: 10 * PATIENCE_MS,
  });
  const recorded = await recordedWorkload(database);
  const before = await replay(client, database, recorded.operations);
  const findings = report.findings.filter(({ remedy }) => remedy.commands !== undefined);
  await runCommands(client, findings);
  const after = await replay(client, database, recorded.operations);
  return {
    workload,
    report,
    findings,
    shapes: comparedShapes(recorded, findings, before, after),
    recorded,
    refusedElsewhere: [...new Set([...before.refused.keys(), ...after.refused.keys()])].filter(
      (id) => before.refused.get(id) !== after.refused.get(id),
    ),
  };
}

async function runCommands(client: MongoClient, findings: readonly Finding[]): Promise<void> {
  for (const { remedy } of findings)
    for (const { db, command } of remedy.commands ?? []) await client.db(db).command(command);
}

function comparedShapes(
  { operations }: RecordedWorkload,
  findings: readonly Finding[],
  before: Replay,
  after: Replay,
): ComparedShape[] {
  const shapes = new Map(operations.map(({ id, shape }) => [id, shape]));
  return [...shapes].flatMap(([id, shape]): ComparedShape[] => {
    const [one, other] = [before.shapes.get(id), after.shapes.get(id)];
    if (one === undefined || other === undefined) return [];
    const naming = findings.filter(({ impact }) => impact?.operations?.some((operation) => operation.id === id));
    return [
      {
        id,
        text: textOf(shape),
        namespace: shape.namespace,
        namedBy: naming.map(({ check }) => check),
        before: one,
        after: other,
        estimated: null,
      },
    ];
  });
}

/** Without values: shapes have none. */
function textOf({ kind, filter, sort, pipeline, distinctField, limited }: OperationShape): string {
  const parts = { filter, sort, pipeline, distinctField, limited };
  const told = Object.entries(parts).filter(([, part]) => part !== undefined);
  return `${kind} ${JSON.stringify(Object.fromEntries(told))}`;
}

function uriOf(server: string, database: string): string {
  const uri = new URL(server);
  uri.pathname = `/${database}`;
  return uri.href;
}
