import { isDeepStrictEqual } from 'node:util';
import { groupedBy } from '../../grouped-by.js';
import type { IndexDescription } from '../../inventory/collection.js';
import { indexRelation, isIdIndex, isVisible, type KeyRelation } from '../../inventory/index-key.js';

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
  const alike = groupedBy(indexes, ({ key }) => Object.keys(key)[0]);
  const redundant = new Map([...alike.values()].flatMap((group) => redundantOf(group, collection)));
  return indexes.flatMap((index) => redundant.get(index) ?? []);
}

/** Looks among indexes whose keys have the same first field: no others can serve what they do. */
function redundantOf(
  indexes: readonly IndexDescription[],
  collection: IndexedCollection,
): [IndexDescription, RedundantIndex][] {
  const serves = (other: IndexDescription, index: IndexDescription) => relationOf(index, other, collection) !== null;
  const isRedundant = (index: IndexDescription) =>
    isDispensable(index, collection) &&
    indexes.some(
      (other) =>
        serves(other, index) && !(isDispensable(other, collection) && serves(index, other) && isKept(index, other)),
    );
  const redundant = new Set(indexes.filter(isRedundant));
  const kept = indexes.filter((index) => !redundant.has(index));
  return [...redundant].flatMap((index) => {
    const [servedBy] = kept
      .filter((other) => serves(other, index))
      .toSorted((one, other) => fieldsIn(one) - fieldsIn(other));
    const relation = servedBy === undefined ? null : relationOf(index, servedBy, collection);
    return servedBy === undefined || relation === null ? [] : [[index, { index, servedBy, relation }]];
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
  const [fields, otherFields] = [Object.keys(index.key), Object.keys(other.key)];
  if (!fields.every((field, position) => field === otherFields[position])) return null;
  const further = otherFields.slice(fields.length);
  // Neither can a shard that lacks the one do without the other, nor does it hide what it lacks.
  const isMissing = index.onShards !== undefined || other.onShards !== undefined;
  return index.name === other.name || isMissing || further.some(isArray) ? null : indexRelation(index, other);
}

/** If two indexes serve the same, the one that begins in ascending order is kept. */
function isKept(index: IndexDescription, other: IndexDescription): boolean {
  const [ascends, otherAscends] = [isAscending(index), isAscending(other)];
  return ascends === otherAscends ? index.name < other.name : ascends;
}

function isAscending({ key }: IndexDescription): boolean {
  return Number(Object.values(key)[0]) > 0;
}

function fieldsIn({ key }: IndexDescription): number {
  return Object.keys(key).length;
}
