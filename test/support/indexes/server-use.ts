import type { AggregateOptions, Db, Document } from 'mongodb';
import { DOCUMENT_COUNT, type ForeignCollection } from './foreign-collections.js';
import type { RandomJoin } from './random-join.js';

/** At most this many index keys and documents are examined by a join that an index serves; a single scan examines more. */
const EXAMINED_AT_MOST = DOCUMENT_COUNT * 0.3;

/** What the server did for a join. */
export interface ServerUse {
  /** Names of the foreign indexes that it used; the order of a clustered collection has none. */
  readonly indexes: readonly string[];
  /** Foreign index keys and documents examined. */
  readonly examined: number;
  /** How the slot-based engine joined; absent where the classic engine ran. */
  readonly strategy?: string;
  /** Whether look-ups served the join, and it walked through neither the collection nor an index. */
  readonly isServed: boolean;
}

/** Runs a join and tells what the server did. */
export async function serverUse(database: Db, foreign: ForeignCollection, join: RandomJoin): Promise<ServerUse> {
  const cursor = database.collection(join.local.name).aggregate(join.stages(foreign.name), optionsOf(join));
  if (join.stated.form !== 'graphLookup') return explained(await cursor.explain('executionStats'));
  // Explain says nothing of a $graphLookup, so the storage engine's counters must tell.
  const store = foreign.options.timeseries === undefined ? foreign.name : `system.buckets.${foreign.name}`;
  const before = await cursorCalls(database, store);
  await cursor.toArray();
  const after = await cursorCalls(database, store);
  const calls = Object.keys(after).map((name) => [name, after[name]! - before[name]!] as const);
  const examined = calls.reduce((sum, [, count]) => sum + count, 0);
  return {
    indexes: calls.filter(([name, count]) => name !== '' && count > 0).map(([name]) => name),
    examined,
    isServed: examined <= EXAMINED_AT_MOST,
  };
}

/** The steps and look-ups made in the collection, by the name '', and in each index. */
async function cursorCalls(database: Db, collection: string): Promise<Record<string, number>> {
  const statistics = await database.command({ collStats: collection });
  // 7.0 also lists the order of a clustered collection, which is the collection itself.
  const indexes = Object.entries<Document>(statistics['indexDetails']).flatMap(([name, { cursor, clustered }]) =>
    clustered === true ? [] : [[name, callsOf(cursor)] as const],
  );
  return { '': callsOf(statistics['wiredTiger'].cursor), ...Object.fromEntries(indexes) };
}

function callsOf(cursor: Document): number {
  return ['next calls', 'prev calls', 'search calls', 'search near calls'].reduce(
    (sum, name) => sum + Number(cursor[name]),
    0,
  );
}

function explained(explanation: Document): ServerUse {
  const [strategy] = findAll(explanation['queryPlanner'], 'strategy');
  if (typeof strategy === 'string') {
    const examined = examinedBy(explanation['executionStats']);
    const indexes = findAll(explanation['queryPlanner'], 'indexName').map(String);
    return { strategy, indexes, examined, isServed: strategy === 'IndexedLoopJoin' && examined <= EXAMINED_AT_MOST };
  }
  const stage = (explanation['stages'] as Document[]).find(({ $lookup }) => $lookup !== undefined)!;
  const examined = examinedBy(stage);
  return { indexes: stage['indexesUsed'], examined, isServed: examined <= EXAMINED_AT_MOST };
}

function examinedBy({ totalKeysExamined, totalDocsExamined }: Document): number {
  return Number(totalKeysExamined) + Number(totalDocsExamined);
}

function findAll(tree: unknown, name: string): unknown[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([key, value]) => (key === name ? [value] : findAll(value, name)));
}

/** What a join finds, compared with the same join of a collection that holds the same documents and has no index. */
export interface JoinedDocuments {
  /** Local documents for which the numbers of joined documents differ. */
  readonly wrong: number;
  /** Documents joined where there is no index. */
  readonly found: number;
}

/** Runs a join of the foreign collection beside one of its twin without indexes. */
export async function joinedDocuments(database: Db, foreign: string, join: RandomJoin): Promise<JoinedDocuments> {
  const twin = twinOf(foreign);
  const count = { $project: { joined: { $size: `$${foreign}` }, expected: { $size: `$${twin}` } } };
  const pipeline = [...join.stages(foreign), ...join.stages(twin), count];
  const counts = await database.collection(join.local.name).aggregate(pipeline, optionsOf(join)).toArray();
  return {
    wrong: counts.filter(({ joined, expected }) => joined !== expected).length,
    found: counts.reduce((sum, { expected }) => sum + Number(expected), 0),
  };
}

/** The name of the collection that holds the same documents without an index. */
export function twinOf(foreign: string): string {
  return `${foreign}Twin`;
}

function optionsOf({ collation }: RandomJoin): AggregateOptions {
  return collation === undefined ? {} : { collation };
}
