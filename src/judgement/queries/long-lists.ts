import type { SortField } from '../../planner/access.js';
import type { ListLengths } from '../../workload/operations/list-tally.js';
import { MOST_SCANS_TO_MERGE } from '../advice/suggested-index.js';
import { fieldTypesOn, type JoinedCluster } from '../joins/joined-cluster.js';
import { holdsArrays } from '../joins/joined-values.js';
import { everyCondition } from './conditions.js';
import { isScanned, plannedFigures, queryCost, type QueryCost } from './query-cost.js';
import { queriesOf, type Query } from './query.js';
import { scannedKeys } from './scattered-keys.js';

/** A query that asks for the documents with one of a list of values. */
export interface LongList {
  readonly query: Query;
  readonly cost: QueryCost;
  readonly path: string;
  readonly lengths: ListLengths;
  /** Present if fewer values at a time would be found in the order of an index. */
  readonly order: BrokenOrder | null;
}

/** The order in which an index gives the documents of 200 values, but not those of more. */
export interface BrokenOrder {
  readonly key: Readonly<Record<string, 1 | -1>>;
  /** Keys per execution if the values are asked for in batches. */
  readonly keysInBatches: number;
}

/** Values of a batch. */
export const BATCH = MOST_SCANS_TO_MERGE;
/** Times fewer keys from which batches are worth their round trips. */
const WORTH = 2;

/** Those that an index serves: of others, the missing index is the fault. */
export function longLists(cluster: JoinedCluster): LongList[] {
  return queriesOf(cluster).flatMap((query): LongList[] => {
    const planned = plannedFigures(query.operation);
    const cost = queryCost([query], cluster.workload);
    if (planned === null || cost === null || isScanned(query)) return [];
    return Object.entries(planned.figures.lists ?? {})
      .filter(([path]) => isOfStored(query, path) && isSearchedBy(query, path))
      .map(([path, lengths]) => ({
        query,
        cost,
        path,
        lengths,
        order: brokenOrder(query, path, lengths, cluster),
      }));
  });
}

/** False if the indexes that were used do not have the field: then the list is tested on what they find, and searches nothing. */
function isSearchedBy(query: Query, path: string): boolean {
  const keys = scannedKeys(query);
  return keys.length === 0 || keys.some((key) => key.some(([field]) => field === path));
}

/** Fields of a view may have other names. A command that was cut has no conditions. */
function isOfStored({ operation: { shape }, known, conditions }: Query, path: string): boolean {
  const isNamed = everyCondition(conditions).some((each) => each.operator === '$in' && each.path === path);
  return isNamed || (shape.truncated === true && shape.namespace === known.collection.namespace);
}

/**
 * Whether a query is sorted in memory because a list is longer than the scans that the server merges, and what that would
 * cost in batches. Null if it isn't so, or if that can't be said.
 */
export function brokenOrder(
  query: Query,
  path: string,
  { values, executions, cut }: ListLengths,
  cluster: JoinedCluster,
): BrokenOrder | null {
  const { conditions, sort, limited, operation, collation, known } = query;
  const { kind, truncated } = operation.shape;
  const cost = queryCost([query], cluster.workload);
  if (kind !== 'find' || !limited || truncated === true || cut !== undefined || cost === null) return null;
  if (conditions.alternatives.length > 0 || conditions.special || collation !== null) return null;
  if (known.collection.collation !== undefined || sort.length === 0) return null;
  const isPlain = conditions.all.every(
    (each) => each.element === null && (each.path === path ? each.operator === '$in' : each.role === 'equality'),
  );
  const types = fieldTypesOn(cluster, known.collection.namespace);
  const key = keyOf(query, path);
  const isSingle = Object.keys(key).every((each) => holdsArrays(types, each) !== true);
  const { keysExamined, documentsReturned, inMemorySorts } = cost;
  if (!isPlain || !isSingle || sort.some(([each]) => !Object.hasOwn(key, each) || each === path)) return null;
  if (keysExamined === null || documentsReturned === null || inMemorySorts !== cost.executions) return null;
  const mean = values / executions;
  const keysInBatches = mean + Math.ceil(mean / BATCH) * documentsReturned;
  return mean > BATCH && keysExamined >= WORTH * keysInBatches ? { key, keysInBatches } : null;
}

/** Whether the sort is lost by a list that is too long, which `long-in-list` reports. */
export function breaksOrder(query: Query, cluster: JoinedCluster): boolean {
  const lists = plannedFigures(query.operation)?.figures.lists ?? {};
  return Object.entries(lists).some(
    ([path, lengths]) => lengths.median > BATCH && brokenOrder(query, path, lengths, cluster) !== null,
  );
}

/** Equality, the list, then the sort. */
function keyOf({ conditions, sort }: Query, path: string): Readonly<Record<string, 1 | -1>> {
  const equal = conditions.all.flatMap((each): SortField[] => (each.path === path ? [] : [[each.path, 1]]));
  return Object.fromEntries([...equal, [path, 1] as const, ...sort.filter(([each]) => each !== path)]);
}
