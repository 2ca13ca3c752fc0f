/** Runs recorded operations again on the data as it is, and reads from the profiler what each shape cost. */
import type { ClientSession, Db, Document, Long, MongoClient } from 'mongodb';
import { groupedBy } from '../../src/grouped-by.js';
import type { Execution } from '../../src/workload/operations/execution.js';
import { WRITE_KINDS } from '../../src/workload/workload.js';
import { executionIn, idOf, recordAll, type RecordedOperation } from './recorded-workload.js';

/** What one replay of a shape cost, by the server's own counters. */
export interface ReplayedShape {
  readonly executions: number;
  /** Per execution. */
  readonly documentsExamined: number;
  readonly keysExamined: number;
  readonly documentsReturned: number;
  readonly milliseconds: number;
  /** Each plan summary that occurred, with `SORT` behind it if it sorted in memory. */
  readonly plans: readonly string[];
}

export interface Replay {
  readonly shapes: ReadonlyMap<string, ReplayedShape>;
  /** Operations that the server refused, such as an insert of a key that is there: by shape. */
  readonly refused: ReadonlyMap<string, number>;
}

const BATCH = 101;

/**
 * Writes run in transactions that are aborted: each operation of each replay meets the same documents.
 *
 * @param operations of one database, in the order in which they were recorded
 */
export async function replay(
  client: MongoClient,
  database: Db,
  operations: readonly RecordedOperation[],
): Promise<Replay> {
  await clearPlans(database, operations);
  await recordAll(database);
  const refused = new Map<string, number>();
  for (const operation of operations) {
    await runAgain(client, database, operation).catch((error: unknown) => {
      if ((error as { code?: unknown }).code === undefined) throw error;
      refused.set(operation.id, (refused.get(operation.id) ?? 0) + 1);
    });
  }
  await database.command({ profile: 0 });
  return { shapes: await costs(database), refused };
}

/** Plans that the application's own run left behind belong to neither side of the comparison. */
async function clearPlans(database: Db, operations: readonly RecordedOperation[]): Promise<void> {
  const names = new Set(operations.map(({ shape }) => shape.namespace.slice(shape.namespace.indexOf('.') + 1)));
  for (const name of names) await database.command({ planCacheClear: name }).catch(() => undefined);
}

async function runAgain(client: MongoClient, database: Db, operation: RecordedOperation): Promise<void> {
  const { command, shape } = operation;
  if (!WRITE_KINDS.has(shape.kind)) return readAgain(database, command, operation.furtherBatches);
  await client.withSession(async (session: ClientSession) => {
    session.startTransaction();
    try {
      await database.command(command, { session });
    } finally {
      await session.abortTransaction();
    }
  });
}

async function readAgain(database: Db, command: Document, furtherBatches: number): Promise<void> {
  const { cursor } = await database.command(command, { promoteLongs: false });
  let id = (cursor as { id?: Long } | undefined)?.id;
  if (id === undefined) return;
  const { ns } = cursor as { ns: string };
  const collection = ns.slice(ns.indexOf('.') + 1);
  for (let batch = 0; batch < furtherBatches && !id.isZero(); batch += 1) {
    const answer = await database.command({ getMore: id, collection, batchSize: BATCH * 10 }, { promoteLongs: false });
    ({ id } = (answer as { cursor: { id: Long } }).cursor);
  }
  if (!id.isZero()) await database.command({ killCursors: collection, cursors: [id] });
}

async function costs(database: Db): Promise<Map<string, ReplayedShape>> {
  const entries = await database
    .collection('system.profile')
    .find({ op: { $ne: 'insert' } })
    .toArray();
  const executions = entries.flatMap((entry) => executionIn(entry) ?? []);
  return new Map([...groupedBy(executions, idOf)].map(([id, each]) => [id, costOf(each)]));
}

function costOf(entries: readonly Execution[]): ReplayedShape {
  const executions = entries.filter(({ isContinuation }) => !isContinuation).length;
  const average = (of: (entry: Execution) => number | null) =>
    entries.reduce((sum, entry) => sum + (of(entry) ?? 0), 0) / executions;
  return {
    executions,
    documentsExamined: average(({ documentsExamined }) => documentsExamined),
    keysExamined: average(({ keysExamined }) => keysExamined),
    documentsReturned: average(({ documentsReturned, documentsWritten }) => documentsWritten ?? documentsReturned),
    milliseconds: average(({ milliseconds }) => milliseconds),
    plans: [...new Set(entries.flatMap(planOf))].toSorted(),
  };
}

function planOf({ planSummary, sortedInMemory }: Execution): string[] {
  return planSummary === null ? [] : [sortedInMemory ? `${planSummary} SORT` : planSummary];
}
