import { isDeepStrictEqual } from 'node:util';
import type { IndexDescription } from '../../inventory/collection.js';
import { isIdIndex, isVisible } from '../../inventory/index-key.js';
import { indexRelation, type KeyRelation } from '../../inventory/index-relation.js';

export interface RedundantIndex {
  readonly index: IndexDescription;
  /** The shortest one that is not redundant itself. */
  readonly servedBy: IndexDescription;
  readonly relation: KeyRelation;
}

export interface IndexedCollection {
  /** True if documents hold arrays on the way to a field: a longer index then has an entry for each element. */
  readonly isArray: (path: string) => boolean;
  readonly shardKey: readonly string[] | null;
}

/**
 * The indexes that others make superfluous: another one serves all that they serve. Indexes that do more than serve queries
 * are not among them (unique, TTL, `_id`, shard key), nor hidden ones, nor those that a shard lacks, nor those beside one with
 * an entry per array element.
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

/** True if dropping it changes only which index serves a query. */
function isDispensable(index: IndexDescription, { shardKey }: IndexedCollection): boolean {
  const isShardKey = shardKey !== null && isDeepStrictEqual(Object.keys(index.key), shardKey);
  return (
    !index.unique && index.expireAfterSeconds === undefined && isVisible(index) && !isIdIndex(index) && !isShardKey
  );
}

function relationOf(
  index: IndexDescription,
  other: IndexDescription,
  { isArray }: IndexedCollection,
): KeyRelation | null {
  const further = Object.keys(other.key).slice(length(index));
  // Neither can a shard that lacks the one do without the other, nor does it hide what it lacks.
  const isMissing = index.onShards !== undefined || other.onShards !== undefined;
  return index.name === other.name || isMissing || further.some(isArray) ? null : indexRelation(index, other);
}

/** Of two indexes that serve the same, the one that begins in ascending order is kept. */
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
