import { groupedBy } from '../../grouped-by.js';
import { type AdvisedIndexes, neededIndex, type NeededIndex, servesAsWell } from './needed-index.js';
import { keyOf } from './suggested-index.js';

/**
 * Fields of one map from which one wildcard index takes the place of an index for each: that many indexes follow each write of the
 * map. Judgement.
 */
const FIELDS_OF_MAP = 4;

/** The set with one wildcard index in the place of many indexes on single fields of one map, if it serves what they do. */
export function withWildcards(set: readonly AdvisedIndexes[]): readonly AdvisedIndexes[] {
  const maps = groupedBy(set, (advised) => {
    const path = mapOf(advised);
    return path === null ? advised : JSON.stringify([path, advised.indexes[0]?.collation]);
  });
  return [...maps.values()].flatMap((alike) => {
    const path = mapOf(alike[0]!);
    if (path === null || alike.length < FIELDS_OF_MAP) return alike;
    const wildcard = wildcardOn(path, alike);
    const [served, others] = [true, false].map((isServed) =>
      alike.filter(({ needs }) => needs.every((need) => servesAsWell(wildcard, need)) === isServed),
    ) as [AdvisedIndexes[], AdvisedIndexes[]];
    if (served.length < FIELDS_OF_MAP) return alike;
    const queries = served.flatMap((each) => each.queries);
    return [{ indexes: [wildcard], needs: served.flatMap(({ needs }) => needs), queries }, ...others];
  });
}

/** The path above the one field of an index; null for other indexes. */
function mapOf({ indexes: [index, ...others] }: AdvisedIndexes): string | null {
  const [path = '', ...further] = index === undefined ? [] : Object.keys(keyOf(index.index));
  const isOfMap = others.length === 0 && further.length === 0 && path.includes('.') && index?.index.sparse !== true;
  return isOfMap ? path.slice(0, path.lastIndexOf('.')) : null;
}

/** @param alike indexes of one collation */
function wildcardOn(path: string, alike: readonly AdvisedIndexes[]): NeededIndex {
  const named = {
    name: `${path}.$**_1`,
    index: { equality: [], further: [[`${path}.$**`, 1]], sorts: false } as const,
    collation: alike[0]?.indexes[0]?.collation ?? null,
  };
  return neededIndex(
    named,
    alike.flatMap(({ needs }) => needs.flatMap(({ asks }) => asks)),
  );
}
