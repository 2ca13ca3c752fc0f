import { groupedBy } from '../../grouped-by.js';
import { isSameCollation } from '../../inventory/collation.js';
import type { IndexDescription } from '../../inventory/collection.js';
import { isIdIndex, isVisible } from '../../inventory/index-key.js';
import { holdsAllDocuments, keyRelation, servesBeginning } from '../../inventory/index-relation.js';
import { indexName } from '../indexes/index-proposal.js';
import { keyOf, type SuggestedIndex } from '../indexes/suggested-index.js';
import { missingIndexes, servesAsWell, type QueryIndex } from './query-remedy.js';

/** More fields have too many orders; an index with as many fields of equality is rare. */
const MOST_EQUALITY_FIELDS = 5;

/** What else a collection is asked for, and which indexes it has. */
export interface OtherNeeds {
  readonly needs: readonly QueryIndex[];
  readonly existing: readonly IndexDescription[];
}

/**
 * Orders the fields that a query sets equal so that the index serves others too: any order serves the query itself as well
 * (ESR guideline). The order that begins as most of the other needs and existing indexes is taken; of several, the
 * first.
 */
export function sharedOrder({ needs, existing }: OtherNeeds): (index: QueryIndex) => QueryIndex {
  const missing = widest([...new Map(missingIndexes(needs, existing).map((need) => [idOf(need), need])).values()]);
  const byFields = groupedBy(missing, ({ index }) => fieldsKey(Object.keys(keyOf(index))));
  const replaceable = existing.filter(isReplaceable);
  return (wanted) => {
    const { equality } = wanted.index;
    if (equality.length < 2 || equality.length > MOST_EQUALITY_FIELDS) return wanted;
    const others = subsetsOf(equality).flatMap((fields) => byFields.get(fieldsKey(fields)) ?? []);
    const begun = replaceable.filter((each) => Object.keys(each.key).every((path) => equality.includes(path)));
    if (others.length === 0 && begun.length === 0) return wanted;
    let best = wanted;
    let most = 0;
    for (const order of ordersOf(equality)) {
      const index = withOrder(wanted, order);
      const served = countServed(index, others, begun);
      if (served <= most) continue;
      [best, most] = [index, served];
    }
    return best;
  };
}

/** Without those that a longer one does for anyway, whatever its order. */
function widest(needs: readonly QueryIndex[]): readonly QueryIndex[] {
  const alike = groupedBy(needs, ({ index }) => fieldsKey(index.equality));
  return [...alike.values()].flatMap((group) =>
    group.filter(
      (need) =>
        !group.some((other) => other.index.further.length > need.index.further.length && servesAsWell(other, need)),
    ),
  );
}

function countServed(
  { index, collation }: QueryIndex,
  others: readonly QueryIndex[],
  begun: readonly IndexDescription[],
) {
  const key = keyOf(index);
  const described = { key, sparse: false, ...(collation !== null && { collation }) };
  const needs = others.filter((other) => servesBeginning(described, other.index, other.collation));
  const indexes = begun.filter(
    (each) => isSameCollation(each.collation, collation) && keyRelation(each.key, key) !== null,
  );
  return needs.length + indexes.length;
}

function withOrder(wanted: QueryIndex, equality: readonly string[]): QueryIndex {
  const index: SuggestedIndex = { ...wanted.index, equality };
  const suffix = wanted.name.slice(indexName(keyOf(wanted.index)).length);
  return { ...wanted, index, name: `${indexName(keyOf(index))}${suffix}` };
}

/** Whether an index that begins with the same fields could take its place. */
function isReplaceable(index: IndexDescription): boolean {
  return (
    isVisible(index) &&
    !isIdIndex(index) &&
    !index.unique &&
    index.expireAfterSeconds === undefined &&
    holdsAllDocuments(index)
  );
}

function idOf({ name, index: { equality, further } }: QueryIndex): string {
  return JSON.stringify([name, equality, further]);
}

function fieldsKey(fields: readonly string[]): string {
  return JSON.stringify(fields.toSorted());
}

/** Without the empty one and the whole. */
function subsetsOf(fields: readonly string[]): readonly (readonly string[])[] {
  const subsets: (readonly string[])[] = [[]];
  for (const field of fields) subsets.push(...subsets.map((subset) => subset.concat(field)));
  return subsets.filter(({ length }) => length > 0 && length < fields.length);
}

function ordersOf(fields: readonly string[]): readonly (readonly string[])[] {
  if (fields.length < 2) return [fields];
  return fields.flatMap((first) => ordersOf(fields.filter((field) => field !== first)).map((rest) => [first, ...rest]));
}
