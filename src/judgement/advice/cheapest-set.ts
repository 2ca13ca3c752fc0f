import { groupedBy } from '../../grouped-by.js';
import { isSameCollation } from '../../inventory/collation.js';
import type { IndexDescription } from '../../inventory/collection.js';
import { accessOf } from '../../planner/access-of.js';
import { isRefused, type SortField } from '../../planner/access.js';
import { isWildcard } from '../../planner/wildcard.js';
import { compareTexts } from '../../text/compare-texts.js';
import type { TracedWorkload } from '../../workload/traced-workload.js';
import type { IndexWrites } from '../indexes/index-writes.js';
import { isScanned, queryCost, type QueryCost } from '../queries/query-cost.js';
import { SCAN_SIZE, WASTED_PER_DAY } from '../queries/query-thresholds.js';
import type { Query } from '../queries/query.js';
import { type Found, foundWith } from './index-value.js';
import { keyOf, type SuggestedIndex } from './suggested-index.js';

/**
 * Documents that an execution may read by another index before its query gets one of its own; fewer if all executions of a day
 * read `WASTED_PER_DAY` with them. Judgement: a quarter of a millisecond of processor (2.3 µs a document found by an index,
 * measured on 6.0.5).
 */
export const WORTH_AN_INDEX = 100;

/**
 * Documents that may be read by another index for each write that an index of its own would have to follow, if the writes were
 * recorded. Measured on 6.0.5: 3.3 µs of processor for an entry, 2.3 µs for a document; pages of random keys cost more.
 */
const DOCUMENTS_PER_WRITE = 2;

/** A query, and the index that it would get by itself. */
export interface Wish {
  readonly query: Query;
  readonly index: SuggestedIndex;
}

export interface Costs {
  readonly workload: TracedWorkload;
  /** That indexes of the collection would have to follow; null if they are unknown. */
  readonly writes: (keys: readonly IndexDescription['key'][]) => Pick<IndexWrites, 'perDay'> | null;
}

/**
 * The cheapest set for all queries of a collection: an index that would save its queries little gives way to another of the
 * set, or to one that is there.
 *
 * @returns the index of each that gets another one than it would by itself
 */
export function cheapestSet(wishes: readonly Wish[], costs: Costs): ReadonlyMap<Wish, SuggestedIndex> {
  // A partial index may serve some of those that ask for null.
  const without = wishes.filter(({ index }) => index.nulls === undefined);
  const kept = new Map([...groupedBy(without, idOf)].toSorted(leastSharedFirst).map(([id, alike]) => [id, [...alike]]));
  const given = new Map<Wish, SuggestedIndex>();
  for (const [id, alike] of kept) {
    const others = [...kept]
      .toReversed()
      .filter(([other, [first]]) => other !== id && !areOne(first as Wish, alike[0] as Wish))
      .map(([, [first]]) => first as Wish);
    const instead = alike.map((wish) => substitute(wish, others, costs));
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

/** Times the documents of the index that reads least up to which another one reads as few: two samples differ by less. Judgement. */
const AS_FEW = 2;

/** The index that reads least of those that do for a query; null if each reads too much beyond what it returns. */
function substitute(wish: Wish, others: readonly Wish[], costs: Costs): SuggestedIndex | null {
  const { query } = wish;
  const cost = queryCost([query], costs.workload);
  const returned = query.returnsEachMatch ? (cost?.documentsReturned ?? 0) : 0;
  if (cost === null) return null;
  const paid = paidByWrites(wish, cost, costs);
  const isKnownToReadMore =
    !isScanned(query) && (cost.documentsExamined ?? 0) > returned + Math.max(WORTH_AN_INDEX, paid);
  if (isKnownToReadMore) return null;
  const runs = Math.max(1, cost.executionsPerDay ?? cost.executions);
  const little = Math.max(paid, Math.min(WORTH_AN_INDEX, WASTED_PER_DAY / runs));
  const ofSet = others.filter((other) => isSameCollation(other.query.collation, query.collation));
  const { indexes } = query.known;
  const there = indexes.present ? indexes.value.filter((index) => isOf(index, query)) : [];
  const candidates = [
    ...there.map(({ key }) => ({ key, isSparse: false })),
    ...ofSet.map(({ index }) => ({ key: keyOf(index), isSparse: index.sparse === true })),
  ].flatMap(({ key, isSparse }) => {
    const found = foundWith(query, key);
    const most = little + (found?.inOrder === true ? returned : 0);
    return found === null || found.documents >= most ? [] : [{ key, isSparse, found }];
  });
  const least = Math.min(...candidates.map(({ found }) => found.documents));
  // Their order is the same for any sample: those that are there first, then those that most queries get.
  const best = candidates.find(({ found }) => found.documents <= AS_FEW * least);
  return best === undefined ? null : asSuggested(best.key, best.found, best.isSparse);
}

/** Documents per execution that cost as much as the writes that an index would have to follow; 0 if these are unknown. */
function paidByWrites({ index }: Wish, { executionsPerDay }: QueryCost, { writes }: Costs): number {
  if (executionsPerDay === null || executionsPerDay === 0) return 0;
  const perDay = writes([keyOf(index)])?.perDay ?? 0;
  return Math.min(SCAN_SIZE.default, (perDay * DOCUMENTS_PER_WRITE) / executionsPerDay);
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

/** Whether the server uses an index for a query, whose fields then tell what it finds. */
function isOf(index: IndexDescription, { planned, collection }: Query): boolean {
  const access = accessOf(index, collection, planned);
  return !isRefused(access) && access.hangsOnValues !== true && !isWildcard(index);
}

function idOf({ query: { collation }, index }: Wish): string {
  return JSON.stringify([index.sparse, collation, Object.entries(keyOf(index))]);
}
