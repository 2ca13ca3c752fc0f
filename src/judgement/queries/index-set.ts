import { compareTexts } from '../../compare-texts.js';
import { groupedBy } from '../../grouped-by.js';
import type { IndexDescription } from '../../inventory/collection.js';
import { isVisible } from '../../inventory/index-key.js';
import { holdsAllDocuments } from '../../inventory/index-relation.js';
import { isSameCollation } from '../../inventory/collation.js';
import type { TracedWorkload } from '../../workload/traced-workload.js';
import { keyOf, type SuggestedIndex } from '../indexes/suggested-index.js';
import { type Found, foundWith } from './index-value.js';
import { isScanned, queryCost } from './query-cost.js';
import { WASTED_PER_DAY } from './query-thresholds.js';
import { queriesOf, type Query, type SortField } from './query.js';
import type { JoinedCluster } from '../joins/joined-cluster.js';
import type { QueryPlace } from './query-places.js';
import { indexesFor, missingIndexes } from './query-remedy.js';
import { suggestionsFor } from './query-suggestions.js';

/**
 * Documents per execution for which no index is built: beyond those returned, an index that serves other queries reads as
 * many. Judgement: a tenth of a millisecond of processor; each insert pays for an index.
 */
const NOT_WORTH_AN_INDEX = 100;

/** A query, and where it is reported. */
export interface PlacedQuery {
  readonly query: Query;
  readonly place: QueryPlace;
}

/** A query, and the index that it would get by itself. */
interface Wish {
  readonly query: Query;
  readonly index: SuggestedIndex;
}

/** The queries that need an index, each with that of the cheapest set for all that its collection is asked. */
export function inCheapestSet(placed: readonly PlacedQuery[], cluster: JoinedCluster): readonly PlacedQuery[] {
  const namespaces = new Set(
    placed.flatMap(({ query, place }) => (place.indexes === undefined ? [] : [query.known.collection.namespace])),
  );
  if (namespaces.size === 0) return placed;
  const wishes = queriesOf(cluster).flatMap((query): Wish[] => {
    if (!namespaces.has(query.known.collection.namespace) || query.conditions.special) return [];
    const [index, ...others] = suggestionsFor(query, cluster) ?? [];
    return index === undefined || others.length > 0 ? [] : [{ query, index }];
  });
  const given = new Map(
    [...groupedBy(wishes, ({ query }) => query.known.collection.namespace).values()]
      .flatMap((each) => [...cheapestSet(each, cluster.workload)])
      .map(([{ query, index: own }, index]) => [query.operation, { own, index }]),
  );
  return placed.flatMap((each) => {
    const { query, place } = each;
    const { own, index } = given.get(query.operation) ?? {};
    const [wanted, ...others] = place.indexes ?? [];
    if (own === undefined || index === undefined || wanted === undefined || others.length > 0) return [each];
    if (JSON.stringify(keyOf(wanted.index)) !== JSON.stringify(keyOf(own))) return [each];
    const indexes = indexesFor(query, [index]);
    const existing = query.known.indexes.present ? query.known.indexes.value : [];
    if (missingIndexes(indexes, existing).length === 0) return [];
    return [{ query, place: { path: indexes[0]?.name ?? null, remedy: null, indexes } }];
  });
}

/**
 * The cheapest set for all queries of a collection: an index that would save its queries little gives way to another of the
 * set, or to one that is there.
 *
 * @returns the index of each that gets another one than it would by itself
 */
function cheapestSet(wishes: readonly Wish[], workload: TracedWorkload): ReadonlyMap<Wish, SuggestedIndex> {
  // Of those that ask for null, a partial index may serve some.
  const without = wishes.filter(({ index }) => index.nulls === undefined);
  const kept = new Map([...groupedBy(without, idOf)].toSorted(leastSharedFirst).map(([id, alike]) => [id, [...alike]]));
  const given = new Map<Wish, SuggestedIndex>();
  for (const [id, alike] of kept) {
    const others = [...kept]
      .filter(([other, [first]]) => other !== id && !areOne(first as Wish, alike[0] as Wish))
      .map(([, [first]]) => first as Wish);
    const instead = alike.map((wish) => substitute(wish, others, workload));
    if (!instead.every((each) => each !== null)) continue;
    kept.delete(id);
    for (const [position, index] of instead.entries()) {
      const wish = alike[position] as Wish;
      given.set(wish, index);
      const joined = kept.get(idOf({ ...wish, index }));
      if (joined !== undefined) joined.push(wish);
    }
  }
  return given;
}

/** Whether the longer of two does for both, by an order of the fields that its query sets equal. */
function areOne({ index: one }: Wish, { index: other }: Wish): boolean {
  return isWithin(one, other) || isWithin(other, one);
}

function isWithin(shorter: SuggestedIndex, { equality }: SuggestedIndex): boolean {
  return Object.keys(keyOf(shorter)).every((path) => equality.includes(path));
}

/** Those of one query that give no order first: they are missed least. */
function leastSharedFirst([id, one]: [string, readonly Wish[]], [otherId, other]: [string, readonly Wish[]]): number {
  const sorting = (wishes: readonly Wish[]) => Number(wishes.some(({ index }) => index.sorts));
  return sorting(one) - sorting(other) || one.length - other.length || compareTexts(id, otherId);
}

/** The index that reads least of those that do for a query; null if each reads too much beyond what it returns. */
function substitute({ query }: Wish, others: readonly Wish[], workload: TracedWorkload): SuggestedIndex | null {
  const cost = queryCost([query], workload);
  const returned = query.tellsMatches ? (cost?.documentsReturned ?? 0) : 0;
  const isKnownToReadMore = !isScanned(query) && (cost?.documentsExamined ?? 0) > returned + NOT_WORTH_AN_INDEX;
  if (cost === null || isKnownToReadMore) return null;
  const runs = Math.max(1, cost.executionsPerDay ?? cost.executions);
  const little = Math.min(NOT_WORTH_AN_INDEX, WASTED_PER_DAY.default / runs);
  const ofSet = others.filter((other) => isSameCollation(other.query.collation, query.collation));
  const { indexes } = query.known;
  const there = indexes.present ? indexes.value.filter((index) => isOf(index, query)) : [];
  const candidates = [
    ...there.map(({ key }) => ({ key, isSparse: false })),
    ...ofSet.map(({ index }) => ({ key: keyOf(index), isSparse: index.sparse === true })),
  ];
  const [best] = candidates
    .flatMap(({ key, isSparse }) => {
      const found = foundWith(query, key);
      const most = little + (found?.inOrder === true ? returned : 0);
      return found === null || found.documents >= most ? [] : [{ key, isSparse, found }];
    })
    .toSorted((one, other) => one.found.documents - other.found.documents);
  return best === undefined ? null : asSuggested(best.key, best.found, best.isSparse);
}

function asSuggested(key: IndexDescription['key'], { equal, inOrder }: Found, isSparse: boolean): SuggestedIndex {
  const further = Object.entries(key).flatMap(([path, direction]): SortField[] =>
    equal.includes(path) ? [] : [[path, Number(direction) < 0 ? -1 : 1]],
  );
  return {
    equality: equal,
    further,
    sorts: inOrder,
    ...(!inOrder && { sortsFew: true }),
    ...(isSparse && { sparse: true }),
  };
}

function isOf(index: IndexDescription, { collation }: Query): boolean {
  const isPlain = Object.values(index.key).every((direction) => typeof direction === 'number');
  return isPlain && isVisible(index) && holdsAllDocuments(index) && isSameCollation(index.collation, collation);
}

function idOf({ query: { collation }, index }: Wish): string {
  return JSON.stringify([index.sparse, collation, Object.entries(keyOf(index))]);
}
