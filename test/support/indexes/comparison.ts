import type { Db } from 'mongodb';
import type { Collection, IndexDescription } from '../../../src/inventory/collection.js';
import type { EqualityJoin } from '../../../src/judgement/joins/equality-join.js';
import { indexObstacle } from '../../../src/judgement/joins/join-indexes.js';
import { predicateOf } from '../../../src/planner/filter-predicate.js';
import type { ForeignCollection } from './foreign-collections.js';
import type { RandomIndex } from './random-index.js';
import type { RandomJoin } from './random-join.js';
import { joinedDocuments, serverUse, type ServerUse } from './server-use.js';

/** A foreign collection with an index, as it was made and as it was read. */
export interface TestedCollection {
  readonly foreign: ForeignCollection;
  /** The index beside the one on `_id`. */
  readonly created: RandomIndex | null;
  readonly collection: Collection;
  readonly indexes: readonly IndexDescription[];
  /** The server's version. */
  readonly version: string;
}

/** What was said of a join's indexes, and what the server did. */
export interface Comparison {
  readonly agrees: boolean;
  /** Names of the indexes that were said to be usable. */
  readonly usable: readonly string[];
  /** By index, why it was said to serve nothing; null of those that are usable. */
  readonly verdicts: Readonly<Record<string, string | null>>;
  readonly use: ServerUse;
}

/** Judges and runs a join; null where the run shows nothing. */
export async function compare(database: Db, tested: TestedCollection, join: RandomJoin): Promise<Comparison | null> {
  const { foreign, created, indexes, version } = tested;
  const judged = judgedJoin(tested, join);
  const { wrong, found } = await joinedDocuments(database, foreign.name, join);
  // A join that finds nothing does not show whether it could: with some hashed indexes it cannot.
  if (found === 0 && Object.values(created?.key ?? {}).includes('hashed')) return null;
  const use = await serverUse(database, foreign, join);
  const verdicts = indexes.map((index) => [index.name, indexObstacle(index, judged, { version })] as const);
  const usable = verdicts.filter(([, because]) => because === null).map(([name]) => name);
  const isServed = use.isServed && wrong === 0;
  const agrees =
    (isServed ? isServedAsSaid(use, usable, tested, join) : usable.length === 0) &&
    // What is said without knowing the server must hold on this one.
    indexes.every((index) => indexObstacle(index, judged) !== null || usable.includes(index.name));
  return { agrees, usable, verdicts: Object.fromEntries(verdicts), use };
}

function judgedJoin(
  { foreign, collection }: TestedCollection,
  { stated: { filter, ...join } }: RandomJoin,
): EqualityJoin {
  const arrays = new Set(foreign.fields.filter((field) => field.arrays).map(({ path }) => path.split('.')[0]));
  return {
    ...join,
    foreign: collection,
    arrays: { holdsArray: (path) => arrays.has(path) },
    ...(filter !== undefined && { filter: predicateOf(filter) }),
  };
}

function isServedAsSaid(
  { indexes: used }: ServerUse,
  usable: readonly string[],
  { foreign, indexes }: TestedCollection,
  { stated }: RandomJoin,
): boolean {
  if (used.length > 0) return used.some((name) => usable.includes(name));
  // The server names no index for the order of a clustered collection, and of a time-series collection's buckets.
  const isStoredByTime = stated.foreignField === foreign.options.timeseries?.timeField;
  return isStoredByTime || indexes.some(({ name, clustered }) => clustered && usable.includes(name));
}
