import { groupedBy } from '../../grouped-by.js';
import { isSameCollation } from '../../inventory/collation.js';
import { compareTexts } from '../../text/compare-texts.js';
import { waitingCause } from '../../workload/operations/waiting-cause.js';
import type { Operation } from '../../workload/workload.js';
import { writesOn } from '../indexes/index-writes.js';
import type { JoinedCluster, JoinedCollection } from '../joins/joined-cluster.js';
import { joinNeeds } from '../joins/unserved-joins.js';
import { isEmpty } from '../queries/conditions.js';
import { queryCost } from '../queries/query-cost.js';
import { examinedAtJudgedSize } from '../queries/query-size.js';
import { WASTED_PER_DAY } from '../queries/query-thresholds.js';
import { queriesOf, type Query } from '../queries/query.js';
import { cheapestSet, WORTH_AN_INDEX } from './cheapest-set.js';
import { type AdvisedIndexes, indexesFor, missingIndexes, type NeededIndex, servesAsWell } from './needed-index.js';
import { suggestionsFor } from './query-suggestions.js';
import { fieldsKey, inSharedOrder } from './shared-order.js';
import { keyOf } from './suggested-index.js';
import { type NoIndex, walkedInstead } from './walked-orders.js';
import { withWildcards } from './wildcard-advice.js';

/** The one set of indexes that all that is asked of a collection gets, beside those that are there. */
export class CollectionAdvice {
  readonly #ofOperation: ReadonlyMap<Operation, AdvisedIndexes | NoIndex>;
  readonly #serving: ServingIndexes;

  constructor(set: readonly AdvisedIndexes[], without: ReadonlyMap<Query, NoIndex>) {
    this.#ofOperation = new Map<Operation, AdvisedIndexes | NoIndex>([
      ...set.flatMap((advised) => advised.queries.map(({ operation }) => [operation, advised] as const)),
      ...[...without].map(([{ operation }, instead]) => [operation, instead] as const),
    ]);
    this.#serving = new ServingIndexes(set);
  }

  /** What a query gets; null if the indexes that are there serve it well enough, or none would. */
  of({ operation }: Query): AdvisedIndexes | NoIndex | null {
    return this.#ofOperation.get(operation) ?? null;
  }

  /** The indexes of the set that serve what else needs one, or else the one that it would get by itself. */
  indexesFor(need: NeededIndex): readonly NeededIndex[] {
    return this.#serving.find([need])?.indexes ?? [need];
  }
}

/** The advice on a collection whose indexes are known. It is worked out once a run. */
export function adviceOn(namespace: string, cluster: JoinedCluster): CollectionAdvice {
  return cluster.workload.derived.once(cluster.collections, `advice on ${namespace}`, () => {
    const known = cluster.collections.get(namespace);
    return known === undefined ? new CollectionAdvice([], new Map()) : adviceFor(known, cluster);
  });
}

/** A query, and the indexes that it would get beside those that are there. */
interface Lacking {
  readonly query: Query;
  readonly indexes: readonly NeededIndex[];
}

function adviceFor(known: JoinedCollection, cluster: JoinedCluster): CollectionAdvice {
  const { namespace } = known.collection;
  const queries = queriesOf(cluster).filter((query) => query.known === known && !query.conditions.special);
  const without = new Map<Query, NoIndex>();
  const [dear, cheap]: [Lacking[], Lacking[]] = [[], []];
  const own = new Map(queries.map((query) => [query, indexesFor(query, suggestionsFor(query, cluster) ?? [])]));
  for (const each of lackingIndexes(own, known, cluster)) {
    const { query, indexes } = each;
    const instead = walkedInstead(query, indexes, cluster);
    if (instead !== null) without.set(query, instead);
    else (isDear(query, cluster) ? dear : cheap).push(each);
  }
  const joins = joinNeeds(namespace, cluster).map((need) => ({ indexes: [need], needs: [need], queries: [] }));
  const needed = [...own].flatMap(([{ conditions }, indexes]) => (isEmpty(conditions) ? [] : indexes));
  const ordered = inSharedOrder([...joins, ...byFirstIndex(dear)], needed, known, cluster);
  const set = withWildcards(withoutCovered(ordered));
  return new CollectionAdvice(withServed(set, cheap), without);
}

/** @param all of each query, the indexes that it would get by itself */
function lackingIndexes(
  all: ReadonlyMap<Query, readonly NeededIndex[]>,
  known: JoinedCollection,
  { workload }: JoinedCluster,
): Lacking[] {
  const existing = known.indexes.present ? known.indexes.value : [];
  const wishes = [...all].flatMap(([query, [wanted, ...others]]) =>
    wanted === undefined || others.length > 0 ? [] : [{ query, index: wanted.index }],
  );
  const instead = cheapestSet(wishes, { workload, writes: writesOn(known.collection.namespace, workload) });
  const given = new Map([...instead].map(([{ query }, index]) => [query, index]));
  return [...all].flatMap(([query, own]) => {
    const other = given.get(query);
    if (missingIndexes(own, existing).length === 0) return [];
    const indexes = other === undefined ? own : indexesFor(query, [other]);
    return missingIndexes(indexes, existing).length > 0 ? [{ query, indexes }] : [];
  });
}

/** Whether what a query examines in vain, or to sort it, is worth an index: others give way to it. */
export function isDear(query: Query, { workload }: JoinedCluster): boolean {
  const cost = queryCost([query], workload);
  if (cost === null || isOnlyWaiting(query)) return false;
  const examined = Math.max(examinedAtJudgedSize(query, cost) ?? 0, cost.keysExamined ?? 0);
  const isWanted = query.returnsEachMatch && (cost.inMemorySorts ?? 0) === 0;
  const inVain = examined - (isWanted ? (cost.documentsReturned ?? 0) : 0);
  return inVain >= WORTH_AN_INDEX || inVain * (cost.executionsPerDay ?? cost.executions) >= WASTED_PER_DAY;
}

/** No index shortens the wait for a lock. At an expected size, what it examines counts. */
export function isOnlyWaiting({ operation, known: { collection } }: Query): boolean {
  const isOfPresentSize = collection.expected === undefined && operation.recordedHere !== true;
  return isOfPresentSize && waitingCause(operation) !== null;
}

/** Queries that begin with the same index share it; alternatives of `$or` may want further ones. */
function byFirstIndex(lacking: readonly Lacking[]): AdvisedIndexes[] {
  const groups = groupedBy(lacking, ({ indexes: [first] }) => first?.name);
  return [...groups.values()].map((group) => {
    const needs = group.flatMap(({ indexes }) => indexes);
    const indexes = needs.filter(
      (need, at) => !needs.slice(0, at).some((other) => isSameIndex(other, need) || servesAsWell(other, need)),
    );
    return { indexes, needs: distinctNeeds(needs), queries: group.map(({ query }) => query) };
  });
}

function isSameIndex(one: NeededIndex, other: NeededIndex): boolean {
  return one.name === other.name && isSameCollation(one.collation, other.collation);
}

function distinctNeeds(needs: readonly NeededIndex[]): NeededIndex[] {
  return [...new Map(needs.map((need) => [JSON.stringify([need.name, need.index, need.collation]), need])).values()];
}

/** An index serves what one that begins it would do, too: both would be redundant. */
function withoutCovered(all: readonly AdvisedIndexes[]): AdvisedIndexes[] {
  const serving = new ServingIndexes();
  const kept = new Map<AdvisedIndexes, AdvisedIndexes[]>();
  for (const advised of all.toSorted(widestFirst(all))) {
    const wider = serving.find(advised.needs);
    if (wider === null) serving.add(advised);
    const first = wider ?? advised;
    kept.set(first, [...(kept.get(first) ?? []), advised]);
  }
  return [...kept].map(([first, alike]) => together(first, alike));
}

function together({ indexes }: AdvisedIndexes, all: readonly Omit<AdvisedIndexes, 'indexes'>[]): AdvisedIndexes {
  return {
    indexes,
    needs: distinctNeeds(all.flatMap(({ needs }) => needs)),
    queries: all.flatMap(({ queries }) => queries),
  };
}

/** Cheap queries get what the set has for them, or else what they would get by themselves. */
function withServed(set: readonly AdvisedIndexes[], cheap: readonly Lacking[]): AdvisedIndexes[] {
  const serving = new ServingIndexes(set);
  const found = cheap.map((each) => ({ ...each, by: serving.find(each.indexes) }));
  const served = groupedBy(
    found.filter(({ query }) => !isEmpty(query.conditions)),
    ({ by }) => by,
  );
  return [
    ...set.map((advised) => {
      const more = served.get(advised) ?? [];
      return together(advised, [advised, ...more.map(({ query, indexes }) => ({ needs: indexes, queries: [query] }))]);
    }),
    ...byFirstIndex(found.filter(({ by }) => by === null)),
  ];
}

/** Finds the indexes that do all that is needed: those that do the same as another begin with its fields, in some order. */
class ServingIndexes {
  readonly #byBeginning = new Map<string, AdvisedIndexes[]>();

  constructor(set: readonly AdvisedIndexes[] = []) {
    for (const advised of set) this.add(advised);
  }

  add(advised: AdvisedIndexes): void {
    for (const beginning of new Set(advised.indexes.flatMap(beginningsOf)))
      this.#byBeginning.set(beginning, [...(this.#byBeginning.get(beginning) ?? []), advised]);
  }

  find(needs: readonly NeededIndex[]): AdvisedIndexes | null {
    const [first] = needs;
    if (first === undefined) return null;
    return this.#byBeginning.get(fieldsKey(fieldsIn(first)))?.find((advised) => covers(advised, needs)) ?? null;
  }
}

function covers({ indexes }: AdvisedIndexes, needs: readonly NeededIndex[]): boolean {
  return needs.every((need) => indexes.some((index) => servesAsWell(index, need)));
}

function beginningsOf(index: NeededIndex): string[] {
  const fields = fieldsIn(index);
  return fields.map((_, at) => fieldsKey(fields.slice(0, at + 1)));
}

function fieldsIn({ index }: NeededIndex): string[] {
  return Object.keys(keyOf(index));
}

/** If they have as many fields, the one that does for more of them: directions make the difference. Then by name. */
function widestFirst(all: readonly AdvisedIndexes[]): (one: AdvisedIndexes, other: AdvisedIndexes) => number {
  const alike = groupedBy(all, firstFieldsKey);
  const coveredBy = new Map(
    all.map((each) => [each, alike.get(firstFieldsKey(each))?.filter(({ needs }) => covers(each, needs)).length ?? 0]),
  );
  return (one, other) =>
    widthOf(other) - widthOf(one) ||
    (coveredBy.get(other) ?? 0) - (coveredBy.get(one) ?? 0) ||
    compareTexts(one.indexes[0]?.name ?? '', other.indexes[0]?.name ?? '');
}

function firstFieldsKey({ indexes: [first] }: AdvisedIndexes): string {
  return first === undefined ? '' : fieldsKey(fieldsIn(first));
}

function widthOf({ indexes }: AdvisedIndexes): number {
  return Math.max(0, ...indexes.map((index) => fieldsIn(index).length));
}
