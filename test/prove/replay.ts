/** Runs recorded operations again on the data as it is, and reads from the profiler what each shape cost. */
import type { ClientSession, Db, Document, Long, MongoClient } from 'mongodb';
import { groupedBy } from '../../src/grouped-by.js';
import { costOf as costOfExplained } from '../../src/rehearsal/rehearsal.js';
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
  /** Operations that the server refused to repeat, by shape: these were explained instead. */
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
  const explained: Counted[] = [];
  for (const operation of operations) {
    try {
      await runAgain(client, database, operation);
    } catch (error) {
      if ((error as { code?: unknown }).code === undefined) throw error;
      refused.set(operation.id, (refused.get(operation.id) ?? 0) + 1);
      explained.push(await explanation(database, operation));
    }
  }
  await database.command({ profile: 0 });
  return { shapes: await costs(database, explained), refused };
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

/** What the search for the documents costs, of an operation that is refused once it writes: a key would be there twice. */
async function explanation(database: Db, { id, command }: RecordedOperation): Promise<Counted> {
  const explained = await database.command({ explain: command, verbosity: 'executionStats' });
  const { documentsExamined, keysExamined, returned, indexes, sortsInMemory } = costOfExplained(explained);
  return {
    id,
    isContinuation: false,
    recorded: {
      documentsExamined,
      keysExamined,
      documentsReturned: returned,
      milliseconds: Number(explained['executionStats'].executionTimeMillis),
      planSummaries: { [indexes.length === 0 ? 'COLLSCAN' : `IXSCAN ${indexes.join(' + ')}`]: 1 },
      inMemorySorts: Number(sortsInMemory),
    },
  };
}

type Counted = { readonly id: string } & Pick<Execution, 'isContinuation' | 'recorded'>;

async function costs(database: Db, explained: readonly Counted[]): Promise<Map<string, ReplayedShape>> {
  // A refused operation leaves an entry with an error, and without what it examined.
  const entries = await database
    .collection('system.profile')
    .find({ op: { $ne: 'insert' }, errCode: { $exists: false } })
    .toArray();
  const executions = entries.flatMap((entry): Counted[] => {
    const execution = executionIn(entry);
    return execution === null ? [] : [{ ...execution, id: idOf(execution) }];
  });
  return new Map([...groupedBy([...executions, ...explained], ({ id }) => id)].map(([id, each]) => [id, costOf(each)]));
}

function costOf(entries: readonly Counted[]): ReplayedShape {
  const executions = entries.filter(({ isContinuation }) => !isContinuation).length;
  const average = (of: (figures: Counted['recorded']) => number | undefined) =>
    entries.reduce((sum, { recorded }) => sum + (of(recorded) ?? 0), 0) / executions;
  return {
    executions,
    documentsExamined: average(({ documentsExamined }) => documentsExamined),
    keysExamined: average(({ keysExamined }) => keysExamined),
    documentsReturned: average(({ documentsReturned, documentsWritten }) => documentsWritten ?? documentsReturned),
    milliseconds: average(({ milliseconds }) => milliseconds),
    plans: [...new Set(entries.flatMap(planOf))].toSorted(),
  };
}

function planOf({ recorded: { planSummaries = {}, inMemorySorts } }: Counted): string[] {
  const [planSummary] = Object.keys(planSummaries);
  if (planSummary === undefined) return [];
  // One part for each value of a list.
  const parts = [...new Set(planSummary.split(/, (?=[A-Z]+\b)/))].join(', ');
  return [inMemorySorts === 1 ? `${parts} SORT` : parts];
}
