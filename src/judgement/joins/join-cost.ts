import { knownSizes } from '../../inventory/storage.js';
import { quotient, sumOf } from '../../quotient.js';
import { joinTelling, type RecordedWindow, windowOf } from '../../workload/coverage/join-telling.js';
import { executionsPerDay, shareOfTime } from '../../workload/coverage/source-window.js';
import type { Indexability } from '../../workload/joins/join.js';
import type { JoinUse } from '../../workload/joins/workload-joins.js';
import { averageOf, bestFigures } from '../../workload/operations/figures.js';
import type { Operation } from '../../workload/workload.js';
import { usableIndexes } from './join-indexes.js';
import { asInProduction, judgedScan, scanOf, type JoinedCluster } from './joined-cluster.js';
import type { UnservedJoin } from './unserved-joins.js';

export interface JoinCost extends RecordedWindow {
  /** Where the figures come from: "profiler", "view definition". */
  readonly source: string;
  /** Recorded executions; null if only view definitions show the joins. */
  readonly executions: number | null;
  /** The expected ones, if they were given; null if they were recorded for less than an hour, or only in part. */
  readonly executionsPerDay: number | null;
  /** Documents that an execution examines for these joins; null if nothing counts them, or others may have examined them. */
  readonly documentsExamined: number | null;
  readonly averageMs: number | null;
  /** Share of the time of all operations that the source knows, 0 to 1. */
  readonly shareOfTime: number | null;
  /** Present if they were recorded in the linted database, and the sizes are production's. */
  readonly recordedHere?: true;
  /** Indexes of production that serve them there, so that what they cost without one is unknown. Absent if there are none. */
  readonly servedInProductionBy?: readonly string[];
  /** Whether the engine reads the foreign collection into a hash table instead of scanning it per document. */
  readonly isHashJoin: boolean;
}

/**
 * Sizes up to which the slot-based engine makes a hash join if no index serves. Source: defaults of
 * `internalQueryCollectionMaxNoOfDocumentsToChooseHashJoin` and `…MaxDataSizeBytesToChooseHashJoin` (6.0.5).
 */
const HASH_JOIN_DOCUMENTS = 10_000;
const HASH_JOIN_BYTES = 100 * 1024 * 1024;

/**
 * Gives what the joins of one field cost.
 *
 * @param all every join that no index serves: if an operation has several, each has its share by the sizes of their
 * collections
 */
export function joinCosts(
  all: readonly UnservedJoin[],
  cluster: JoinedCluster,
): (joins: readonly UnservedJoin[]) => JoinCost {
  const weights = weightsOf(all, cluster);
  const countedWeights = weightsOf(all.filter(isCounted), cluster);
  const undivided = operationsWithUnknownJoins(cluster);
  return (joins) => {
    const telling = joinTelling(
      joins.map(({ use }) => use),
      cluster.workload,
    );
    const { source, seen } = telling;
    const [namespace] = joins.map((join) => join.namespace) as [string, ...string[]];
    const joined = cluster.collections.get(namespace)?.collection;
    if (seen === null)
      return {
        source,
        window: telling.window,
        ...(joined?.production !== undefined && { figuresFrom: 'here' }),
        ...NOTHING_SEEN,
      };
    const { operations, executions, coverage } = seen;
    const own = weightsOf(joins, cluster);
    const shareIn = (of: Weights, operation: Operation) =>
      quotient(own.get(operation) ?? 0, of.get(operation) ?? 0) ?? 1;
    const milliseconds =
      sumOf(operations, (operation) =>
        times(operation.figures[seen.source]?.milliseconds ?? null, shareIn(weights, operation)),
      ) ?? 0;
    const documentsExamined = perExecution(operations, (operation) =>
      undivided.has(operation)
        ? null
        : times(averageOf(operation, 'documentsExamined')?.value ?? null, shareIn(countedWeights, operation)),
    );
    const isHere = operations.some((operation) => operation.recordedHere === true);
    const size = judgedScan(cluster, namespace);
    const servedInProductionBy = indexesInProduction(joins, cluster);
    const oneScan = (isHere ? size?.present : size?.recorded) ?? 0;
    const expectedPerDay = joined?.expected?.executionsPerDay;
    return {
      source,
      ...windowOf(telling),
      executions,
      executionsPerDay: expectedPerDay ?? (isHere ? null : executionsPerDay(executions, coverage)),
      documentsExamined:
        servedInProductionBy.length > 0 ||
        !joins.every(isCounted) ||
        (joins.some(isUnwound) && (documentsExamined ?? 0) < oneScan)
          ? null
          : documentsExamined,
      averageMs: perExecution(operations, (operation) => averageOf(operation, 'milliseconds')?.value ?? null),
      shareOfTime: shareOfTime(milliseconds, cluster.workload.milliseconds[seen.source]),
      ...(isHere && { recordedHere: true }),
      ...(servedInProductionBy.length > 0 && { servedInProductionBy }),
      isHashJoin: joins.every(({ use }) => isHashJoin(use, namespace, cluster)),
    };
  };
}

const NOTHING_SEEN = {
  executions: null,
  executionsPerDay: null,
  documentsExamined: null,
  averageMs: null,
  shareOfTime: null,
  isHashJoin: false,
} as const;

/** Names of the indexes that production has for the joins and the linted database lacks. */
function indexesInProduction(joins: readonly UnservedJoin[], cluster: JoinedCluster): readonly string[] {
  if (!joins.some(({ namespace }) => cluster.collections.get(namespace)?.collection.production?.present)) return [];
  const there = asInProduction(cluster);
  const names = joins.flatMap((join) =>
    join.kind === 'unindexed'
      ? join.keys.flatMap((key) => usableIndexes(join.use, key, there).map(({ name }) => name))
      : [],
  );
  return [...new Set(names)];
}

/** The server does not count what a `$graphLookup` examines (measured on 6.0.5 and 6.0.27). */
function isCounted({ use: { join } }: UnservedJoin): boolean {
  return join.form !== 'graph';
}

/**
 * If a `$lookup` is unwound at once, the server does not count what the last outer document made it examine (measured
 * on 6.0.5 and 6.0.27). So a count below one scan says nothing.
 */
function isUnwound({ use: { join } }: UnservedJoin): boolean {
  return join.position.unwound;
}

/** Operations that may also scan collections that are not linted: what they examine can't be divided among their joins. */
function operationsWithUnknownJoins({ collections, workload }: JoinedCluster): ReadonlySet<Operation> {
  const unknown = workload.joinUses.filter(
    ({ join: { form, foreign, keys } }) =>
      form !== 'graph' && !collections.has(foreign.base) && !keys.some(({ index }) => isIdKey(index)),
  );
  return new Set(unknown.flatMap(({ operation }) => operation ?? []));
}

/** Each collection has this index. */
function isIdKey(index: Indexability): boolean {
  return index.possible === true && index.path === '_id';
}

type Weights = ReadonlyMap<Operation, number>;

/** By operation, what scans read of the collections that it joins without an index. */
function weightsOf(joins: readonly UnservedJoin[], cluster: JoinedCluster): Weights {
  const weights = new Map<Operation, number>();
  for (const { use, namespace } of joins) {
    if (use.operation === null) continue;
    weights.set(use.operation, (weights.get(use.operation) ?? 0) + (scanOf(cluster, namespace)?.count ?? 0));
  }
  return weights;
}

function isHashJoin({ join, operation }: JoinUse, namespace: string, { collections }: JoinedCluster): boolean {
  const storage = collections.get(namespace)?.storage;
  if (join.form !== 'fields' || operation === null || storage?.present !== true) return false;
  const { figures } = bestFigures(operation);
  const isSlotBased = figures.slotBasedExecutions > 0 && figures.classicExecutions === 0;
  const sizes = knownSizes(storage.value);
  return isSlotBased && sizes !== null && sizes.count <= HASH_JOIN_DOCUMENTS && sizes.size <= HASH_JOIN_BYTES;
}

function perExecution(
  operations: readonly Operation[],
  average: (operation: Operation) => number | null,
): number | null {
  const known = operations.flatMap((operation) => {
    const value = average(operation);
    return value === null ? [] : [{ value, executions: bestFigures(operation).figures.executions }];
  });
  return quotient(
    sumOf(known, ({ value, executions }) => value * executions),
    sumOf(known, ({ executions }) => executions),
  );
}

function times(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor;
}
