/** What a profiler at level 2 holds, as operations that can be run again. */
import { createHash } from 'node:crypto';
import type { Db, Document } from 'mongodb';
import { executionOf, isExecution, type Execution } from '../../src/workload/operations/execution.js';
import type { OperationShape } from '../../src/workload/workload.js';

/** An operation as it was recorded, without what belonged to its session. */
export interface RecordedOperation {
  /** Hash of its shape, as `impact.operations` of a finding has it. */
  readonly id: string;
  readonly shape: OperationShape;
  readonly database: string;
  readonly command: Document;
  /** Batches that were fetched after the first. */
  readonly furtherBatches: number;
}

export interface RecordedWorkload {
  readonly operations: readonly RecordedOperation[];
  /** Executions by shape, also those that are not among the operations. */
  readonly executions: ReadonlyMap<string, number>;
  /** Documents returned or written by an execution when it was recorded, by shape. */
  readonly documentsReturned: ReadonlyMap<string, number>;
  /** Entries that cannot be run again: cut by the profiler at 50 KB, or streams of changes. */
  readonly left: number;
}

/** Of each shape, at most so many operations are run again, spread evenly over those recorded. */
const MOST_OF_SHAPE = 60;
const PROFILE_BYTES = 256 * 1024 * 1024;
const ALL_OPERATIONS = 2;
const ID_DIGITS = 12;

/** What belongs to the session, the transaction or the client of an execution. */
const OF_EXECUTION = new Set([
  'lsid',
  '$clusterTime',
  '$db',
  '$readPreference',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'stmtId',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
  'comment',
]);

/** Records every operation from now on, and forgets what was recorded before. */
export async function recordAll(database: Db): Promise<void> {
  await database.command({ profile: 0 });
  await database.collection('system.profile').drop();
  await database.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
  await database.command({ profile: ALL_OPERATIONS });
}

/** Reads, updates and deletes; inserts examine nothing. */
export async function recordedWorkload(database: Db): Promise<RecordedWorkload> {
  const entries = await database.collection('system.profile').find().sort({ $natural: 1 }).toArray();
  const batches = new Map<string, number>();
  for (const { op, cursorid } of entries)
    if (op === 'getmore') batches.set(String(cursorid), (batches.get(String(cursorid)) ?? 0) + 1);
  let left = 0;
  const returned = new Map<string, number>();
  const all: RecordedOperation[] = [];
  for (const entry of entries) {
    const execution = executionIn(entry);
    if (execution === null || execution.shape.kind === 'insert') continue;
    const { documentsReturned, documentsWritten } = execution.recorded;
    const id = idOf(execution);
    returned.set(id, (returned.get(id) ?? 0) + (documentsWritten ?? documentsReturned ?? 0));
    if (execution.isContinuation) continue;
    const { shape } = execution;
    const command = shape.truncated === true ? null : repeatable(entry, shape);
    if (command === null) left += 1;
    else
      all.push({
        id,
        shape,
        database: database.databaseName,
        command,
        furtherBatches: batches.get(String(entry['cursorid'])) ?? 0,
      });
  }
  const executions = countsOf(all);
  const documentsReturned = new Map([...returned].map(([id, count]) => [id, count / (executions.get(id) ?? 1)]));
  return { operations: spread(all), executions, documentsReturned, left };
}

/** An entry of the profiler as mongolint reads it; null for what is no operation of an application on data. */
export function executionIn(entry: Document): Execution | null {
  const execution = executionOf({
    fields: entry,
    operation: entry['op'],
    at: Number(entry['ts']),
    milliseconds: entry['millis'],
    responseBytes: entry['responseLength'],
    user: entry['user'],
    truncated: false,
  });
  return isExecution(execution) ? execution : null;
}

/** The identity of a shape in `impact.operations` of a finding. */
export function idOf({ key }: Execution): string {
  return createHash('sha256').update(key).digest('hex').slice(0, ID_DIGITS);
}

/** The command that does the same again; null if none does. */
function repeatable({ command }: Document, { kind, namespace }: OperationShape): Document | null {
  const kept = Object.fromEntries(
    Object.entries(command as Document).filter(([name]) => !OF_EXECUTION.has(name)),
  ) as Document;
  const collection = namespace.slice(namespace.indexOf('.') + 1);
  if (kind === 'update') return { update: collection, updates: [kept] };
  if (kind === 'delete') return { delete: collection, deletes: [{ limit: 0, ...kept }] };
  if (kept['tailable'] === true || writesElsewhere(kept['pipeline'])) return null;
  return kept;
}

function writesElsewhere(pipeline: unknown): boolean {
  const last = Array.isArray(pipeline) ? (pipeline.at(-1) as Document | undefined) : undefined;
  return last !== undefined && ('$out' in last || '$merge' in last);
}

function spread(operations: readonly RecordedOperation[]): RecordedOperation[] {
  const counts = countsOf(operations);
  const seen = new Map<string, number>();
  return operations.filter(({ id }) => {
    const number = seen.get(id) ?? 0;
    seen.set(id, number + 1);
    const share = Math.min(1, MOST_OF_SHAPE / (counts.get(id) ?? 1));
    return Math.floor((number + 1) * share) > Math.floor(number * share);
  });
}

function countsOf(operations: readonly RecordedOperation[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { id } of operations) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
