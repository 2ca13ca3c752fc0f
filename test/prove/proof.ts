/** Records a workload, lints it, runs the commands of the remedies, and compares replays of before and after. */
import type { Db, MongoClient } from 'mongodb';
import type { Finding } from '../../src/finding.js';
import { databaseOf } from '../../src/namespace.js';
import type { Report } from '../../src/report/report.js';
import { lintRecorded } from '../oracle/recording.js';
import type { ComparedShape } from './comparison.js';
import type { ProvenWorkload } from './proven-workload.js';
import { recordAll, recordedWorkload, type RecordedWorkload } from './recorded-workload.js';
import { replay, type Replay } from './replay.js';

export interface Proof {
  readonly workload: ProvenWorkload;
  /** Findings whose remedies have commands. */
  readonly findings: readonly Finding[];
  readonly shapes: readonly ComparedShape[];
  readonly recorded: RecordedWorkload;
  /** Operations that the server refused, by shape: how many. */
  readonly refused: ReadonlyMap<string, number>;
  /** Shapes of which the server refused others in one replay and not in the other. */
  readonly refusedElsewhere: readonly string[];
}

/** Longest wait for a read: nothing may be skipped because the machine is busy. */
const PATIENCE_MS = 120_000;

/** Plants what a workload needs, runs it, and leaves its operations in the profiler of its database. */
export async function record(workload: ProvenWorkload, uri: string, client: MongoClient): Promise<void> {
  const database = client.db(workload.name);
  await workload.plant?.(database);
  await recordAll(database);
  await workload.run(uriOf(uri, workload.name));
  await database.command({ profile: 0 });
}

/** Lints all databases of the workloads in one run. */
export function lintWorkloads(uri: string, workloads: readonly ProvenWorkload[]): Promise<Report> {
  return lintRecorded('prove', {
    uri,
    include: workloads.map(({ name }) => `${name}.*`),
    timeout: PATIENCE_MS,
    maxTime: 10 * PATIENCE_MS,
  });
}

export async function proofOf(workload: ProvenWorkload, report: Report, client: MongoClient): Promise<Proof> {
  const database = client.db(workload.name);
  const recorded = await recordedWorkload(database);
  if (workload.plant !== undefined) await plantAgain(workload.plant, database);
  const before = await replay(client, database, recorded.operations);
  const all = report.findings.filter(({ namespace }) => databaseOf(namespace) === workload.name);
  const findings = all.filter(({ remedy }) => remedy.commands !== undefined);
  await runCommands(client, findings);
  const after = await replay(client, database, recorded.operations);
  return {
    workload,
    findings,
    shapes: comparedShapes(recorded, all, before, after),
    recorded,
    refused: before.refused,
    refusedElsewhere: [...new Set([...before.refused.keys(), ...after.refused.keys()])].filter(
      (id) => before.refused.get(id) !== after.refused.get(id),
    ),
  };
}

/** The operations are to meet the documents that they met when they were recorded. */
async function plantAgain(plant: NonNullable<ProvenWorkload['plant']>, database: Db): Promise<void> {
  for (const { name } of await database.listCollections({ name: { $not: /^system\./ } }).toArray())
    await database.collection(name).drop();
  await plant(database);
}

export async function runCommands(client: MongoClient, findings: readonly Finding[]): Promise<void> {
  for (const { remedy } of findings)
    for (const { db, command } of remedy.commands ?? []) await client.db(db).command(command);
}

function comparedShapes(
  { operations, documentsReturned }: RecordedWorkload,
  findings: readonly Finding[],
  before: Replay,
  after: Replay,
): ComparedShape[] {
  const shapes = new Map(operations.map(({ id, shape }) => [id, shape]));
  const estimates = new Map(findings.flatMap(estimatesIn));
  return [...shapes].flatMap(([id, shape]): ComparedShape[] => {
    const [one, other] = [before.shapes.get(id), after.shapes.get(id)];
    if (one === undefined || other === undefined) return [];
    const naming = findings.filter(({ impact }) => impact?.operations?.some((operation) => operation.id === id));
    return [
      {
        id,
        shape,
        namespace: shape.namespace,
        namedBy: naming.map(({ check }) => check),
        before: one,
        after: other,
        documentsRecorded: documentsReturned.get(id) ?? 0,
        estimated: estimates.get(id) ?? null,
      },
    ];
  });
}

/** By shape. A finding lists its queries in the order of its operations. */
function estimatesIn({ evidence, impact }: Finding): [string, number | null][] {
  const { documentsExaminedWithIndex: average, documentsExaminedWithIndexByQuery: byQuery, queries } = evidence;
  if (!Array.isArray(queries)) return [];
  const estimates = Array.isArray(byQuery) ? byQuery : [average];
  return (impact?.operations ?? [])
    .slice(0, queries.length)
    .map(({ id }, position) => [id, (estimates[position] ?? null) as number | null]);
}

function uriOf(server: string, database: string): string {
  const uri = new URL(server);
  uri.pathname = `/${database}`;
  return uri.href;
}
