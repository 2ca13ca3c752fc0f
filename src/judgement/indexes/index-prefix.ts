import { isDeepStrictEqual } from 'node:util';
import { isSameCollation } from '../../inventory/collation.js';
import type { IndexDescription } from '../../inventory/collection.js';
import { isIdIndex, isPrefixable } from '../../inventory/index-key.js';

/** An index that another one makes superfluous. */
export interface RedundantIndex {
  readonly index: IndexDescription;
  /** The shortest index that serves all that it serves, and is not redundant itself. */
  readonly servedBy: IndexDescription;
  /** How the key of the one relates to that of the other: its beginning, its beginning read backwards, or all of it. */
  readonly relation: 'prefix' | 'reversed prefix' | 'same key';
}

/** What else has to be known of the collection. */
export interface IndexedCollection {
  /** True where documents hold arrays on the way to a field: a longer index then has an entry for each element. */
  readonly isArray: (path: string) => boolean;
  /** The paths of the shard key; null where the collection is not sharded. */
  readonly shardKey: readonly string[] | null;
}

/**
 * The indexes that others make superfluous.
 *
 * An index is, where another one begins with the same fields, in the same directions or all in the opposite ones, under
 * the same collation, over the same documents. It is not where it does more than serve queries: unique, TTL, `_id`, shard
 * key; nor where it is hidden already; nor where the other one is, or has an entry for each element of an array.
 */
export function redundantIndexes(
  indexes: readonly IndexDescription[],
  collection: IndexedCollection,
): RedundantIndex[] {
  const serves = (other: IndexDescription, index: IndexDescription) => relationOf(index, other, collection) !== null;
  const isRedundant = (index: IndexDescription) =>
    isDispensable(index, collection) &&
    indexes.some(
      (other) =>
        serves(other, index) && !(isDispensable(other, collection) && serves(index, other) && isKept(index, other)),
    );
  const kept = indexes.filter((index) => !isRedundant(index));
  return indexes.filter(isRedundant).flatMap((index) => {
    const others = kept.filter((other) => serves(other, index));
    const servedBy = others.reduce<IndexDescription | null>(
      (best, other) => (best === null || length(other) < length(best) ? other : best),
      null,
    );
    const relation = servedBy === null ? null : relationOf(index, servedBy, collection);
    return servedBy === null || relation === null ? [] : [{ index, servedBy, relation }];
  });
}

/** True where dropping the index changes nothing but which index serves a query. */
function isDispensable(index: IndexDescription, { shardKey }: IndexedCollection): boolean {
  const isShardKey = shardKey !== null && isDeepStrictEqual(Object.keys(index.key), shardKey);
  return !index.unique && index.expireAfterSeconds === undefined && !index.hidden && !isIdIndex(index) && !isShardKey;
}

/** How one index begins as another; null where the other does not serve all that this one serves. */
function relationOf(
  index: IndexDescription,
  other: IndexDescription,
  { isArray }: IndexedCollection,
): RedundantIndex['relation'] | null {
  if (index.name === other.name || other.hidden || !isPrefixable(index) || !isPrefixable(other)) return null;
  if (!isSameCollation(index.collation, other.collation)) return null;
  if (!isDeepStrictEqual(index.partialFilterExpression, other.partialFilterExpression)) return null;
  const fields = Object.entries(index.key);
  const otherFields = Object.entries(other.key);
  const further = otherFields.slice(fields.length);
  // A sparse index is kept beside a full one of the same fields for its small size.
  if (index.sparse !== other.sparse) return null;
  if (further.some(([path]) => isArray(path))) return null;
  const turns = fields.map((field, position) => turn(field, otherFields[position]));
  if (turns.includes(null)) return null;
  const directions = new Set(turns.filter((each) => each !== 0));
  if (directions.size > 1) return null;
  if (further.length === 0) return 'same key';
  return directions.has(-1) ? 'reversed prefix' : 'prefix';
}

type KeyField = readonly [path: string, kind: number | string];

/** 1 where both run in one direction, -1 where in opposite ones, 0 where they have none; null for different fields. */
function turn([path, kind]: KeyField, other: KeyField | undefined): 1 | -1 | 0 | null {
  if (other === undefined || path !== other[0] || typeof kind !== typeof other[1]) return null;
  if (typeof kind === 'string') return 0;
  return Math.sign(kind) === Math.sign(Number(other[1])) ? 1 : -1;
}

/** Of two indexes that serve the same: true where the first is kept, the one that begins in ascending order. */
function isKept(index: IndexDescription, other: IndexDescription): boolean {
  const [ascends, otherAscends] = [isAscending(index), isAscending(other)];
  return ascends === otherAscends ? index.name < other.name : ascends;
}

function isAscending({ key }: IndexDescription): boolean {
  return Number(Object.values(key)[0]) > 0;
}

function length({ key }: IndexDescription): number {
  return Object.keys(key).length;
}
