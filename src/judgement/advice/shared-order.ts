import { groupedBy } from '../../grouped-by.js';
import { isSameCollation } from '../../inventory/collation.js';
import type { IndexDescription } from '../../inventory/collection.js';
import { holdsAllDocuments, isIdIndex, isVisible, keyRelation } from '../../inventory/index-key.js';
import { joinedFields } from '../../workload/joins/join.js';
import { indexName } from '../indexes/index-proposal.js';
import { fieldTypesOn, type JoinedCluster, type JoinedCollection } from '../joins/joined-cluster.js';
import { type AdvisedIndexes, missingIndexes, needByValue, type NeededIndex, servesAsWell } from './needed-index.js';
import { keyOf, type SuggestedIndex, isSelective } from './suggested-index.js';

/** Chance that two documents have the same value of a field from which it has nearly one value. Judgement: 95 % have it. */
const NEARLY_ONE = 0.9;
/** More fields have too many orders; an index with as many fields of equality is rare. */
const MOST_EQUALITY_FIELDS = 5;

/**
 * The indexes in the order that serves most of what else their collection is asked for.
 *
 * @param needed what its queries would get by themselves
 */
export function inSharedOrder(
  all: readonly AdvisedIndexes[],
  needed: readonly NeededIndex[],
  known: JoinedCollection,
  cluster: JoinedCluster,
): readonly AdvisedIndexes[] {
  if (!all.some(({ indexes }) => indexes.some(({ index }) => index.equality.length > 1))) return all;
  const order = sharedOrder(otherNeeds(needed, known, cluster));
  return all.map(({ indexes, needs, queries }) => ({
    indexes: indexes.map((index) => order(index, needs)),
    needs,
    queries,
  }));
}

function otherNeeds(needed: readonly NeededIndex[], known: JoinedCollection, cluster: JoinedCluster): OtherNeeds {
  const { namespace } = known.collection;
  const joined = joinedFields(cluster.workload.joinUses)
    .filter((field) => field.namespace === namespace)
    .map(({ path }) => needByValue([path], known));
  const types = fieldTypesOn(cluster, namespace);
  // An index on a single field of nearly one value finds nothing, so the others begin elsewhere.
  const isBeginning = ({ key }: IndexDescription) =>
    Object.keys(key).length > 1 || Object.keys(key).every((path) => isSelective(path, types, NEARLY_ONE));
  const existing = known.indexes.present ? known.indexes.value : [];
  return { needs: [...joined, ...needed], existing, begun: existing.filter(isReplaceable).filter(isBeginning) };
}

/** What else a collection is asked for, and which indexes it has. */
interface OtherNeeds {
  readonly needs: readonly NeededIndex[];
  readonly existing: readonly IndexDescription[];
  /** Those of them that an index which begins with the same fields is to take the place of. */
  readonly begun: readonly IndexDescription[];
}

/**
 * Orders the fields that a query sets equal so that the index serves others too: any order serves the query itself as well
 * (ESR guideline). The order that begins as most of the other needs and existing indexes is taken; of several, the
 * first.
 */
function sharedOrder({
  needs,
  existing,
  begun: replaceable,
}: OtherNeeds): (index: NeededIndex, own: readonly NeededIndex[]) => NeededIndex {
  const missing = widest([...new Map(missingIndexes(needs, existing).map((need) => [idOf(need), need])).values()]);
  const byFields = groupedBy(missing, ({ index }) => fieldsKey(Object.keys(keyOf(index))));
  return (wanted, own) => {
    const { equality } = wanted.index;
    if (equality.length < 2 || equality.length > MOST_EQUALITY_FIELDS) return wanted;
    const others = subsetsOf(equality)
      .flatMap((fields) => byFields.get(fieldsKey(fields)) ?? [])
      .filter(({ index }) => index.equality.length < equality.length);
    const begun = replaceable.filter((each) => Object.keys(each.key).every((path) => equality.includes(path)));
    if (others.length === 0 && begun.length === 0) return wanted;
    let best = wanted;
    let most = 0;
    for (const order of ordersOf(equality)) {
      const index = withOrder(wanted, order);
      if (own.some((need) => servesAsWell(wanted, need) && !servesAsWell(index, need))) continue;
      const served = countServed(index, others, begun);
      if (served <= most) continue;
      [best, most] = [index, served];
    }
    return best;
  };
}

/** Without those that a longer one does for anyway, whatever its order. */
function widest(needs: readonly NeededIndex[]): readonly NeededIndex[] {
  const alike = groupedBy(needs, ({ index }) => fieldsKey(index.equality));
  return [...alike.values()].flatMap((group) =>
    group.filter(
      (need) =>
        !group.some((other) => other.index.further.length > need.index.further.length && servesAsWell(other, need)),
    ),
  );
}

function countServed(wanted: NeededIndex, others: readonly NeededIndex[], begun: readonly IndexDescription[]) {
  const { index, collation } = wanted;
  const key = keyOf(index);
  const needs = others.filter((other) => servesAsWell(wanted, other));
  const indexes = begun.filter(
    (each) => isSameCollation(each.collation, collation) && keyRelation(each.key, key) !== null,
  );
  return needs.length + indexes.length;
}

function withOrder(wanted: NeededIndex, equality: readonly string[]): NeededIndex {
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

function idOf({ name, index: { equality, further } }: NeededIndex): string {
  return JSON.stringify([name, equality, further]);
}

/** The same for the same fields, in whichever order. */
export function fieldsKey(fields: readonly string[]): string {
  return JSON.stringify(fields.toSorted());
}

/** Without the empty one. */
function subsetsOf(fields: readonly string[]): readonly (readonly string[])[] {
  const subsets: (readonly string[])[] = [[]];
  for (const field of fields) subsets.push(...subsets.map((subset) => subset.concat(field)));
  return subsets.filter(({ length }) => length > 0);
}

function ordersOf(fields: readonly string[]): readonly (readonly string[])[] {
  if (fields.length < 2) return [fields];
  return fields.flatMap((first) => ordersOf(fields.filter((field) => field !== first)).map((rest) => [first, ...rest]));
}
