import { areHere, executionsPerDay, joinRecord, type RecordedWindow } from '../../workload/coverage/recording.js';
import type { Indexability } from '../../workload/joins/join.js';
import { averageOf, bestFigures } from '../../workload/operations/figures.js';
import type { Operation } from '../../workload/workload.js';
import { type JudgedSize, recordedHere } from '../judged-size.js';
import { quotient, sumOf } from '../quotient.js';
import { usableIndexes } from './join-indexes.js';
import { asInProduction, judgedScan, scanOf, type JoinedCluster } from './joined-cluster.js';
import type { UnservedJoin } from './unserved-joins.js';

export interface JoinCost extends RecordedWindow {
  /** Where the figures come from: "profiler", "view definition", "source code". */
  readonly source: string;
  /** Recorded executions; null if only view definitions or the source show the joins. */
  readonly executions: number | null;
  /** The expected ones, if they were given; null if they were recorded for less than an hour, or only in part. */
  readonly executionsPerDay: number | null;
  /** Documents that an execution examines for these joins; null if nothing counts them, or others may have examined them. */
  readonly documentsExamined: number | null;
  /** The size of the foreign collection on the cluster that recorded them; null if unknown. */
  readonly size: JudgedSize | null;
  /** An index of production that serves them there, so that what they cost without one is unknown; null if there is none. */
  readonly servedInProductionBy: string | null;
}

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
  const undivided = operationsWithUnknownJoins(cluster);
  return (joins) => {
    const { seen, ...telling } = joinRecord(
      joins.map(({ use }) => use),
      cluster.workload,
    );
    const [namespace] = joins.map((join) => join.namespace) as [string, ...string[]];
    const joined = cluster.collections.get(namespace)?.collection;
    const scan = judgedScan(cluster, namespace);
    const unseen = { executions: null, executionsPerDay: null, documentsExamined: null, servedInProductionBy: null };
    if (seen === null) {
      const here = joined?.production !== undefined && ({ figuresFrom: 'here' } as const);
      return { ...telling, ...here, ...unseen, size: scan };
    }
    const { operations, executions, coverage } = seen;
    const own = weightsOf(joins, cluster);
    const documentsExamined = perExecution(operations, (operation) => {
      const examined = averageOf(operation, 'documentsExamined')?.value ?? null;
      const share = quotient(own.get(operation) ?? 0, weights.get(operation) ?? 0) ?? 1;
      return undivided.has(operation) || examined === null ? null : examined * share;
    });
    const isHere = areHere(operations);
    const size = isHere && scan !== null ? recordedHere(scan) : scan;
    const servedInProductionBy = indexInProduction(joins, cluster);
    // The server counts nothing of a `$graphLookup`, nor all of a `$lookup` that is unwound (measured on 6.0.5 and 6.0.27).
    const isCounted = (documentsExamined ?? 0) >= (size?.recorded ?? 0) && servedInProductionBy === null;
    return {
      ...telling,
      executions,
      executionsPerDay: joined?.expected?.executionsPerDay ?? (isHere ? null : executionsPerDay(executions, coverage)),
      documentsExamined: isCounted ? documentsExamined : null,
      size,
      servedInProductionBy,
    };
  };
}

/** The name of one that production has for the joins and the linted database lacks. */
function indexInProduction(joins: readonly UnservedJoin[], cluster: JoinedCluster): string | null {
  const there = asInProduction(cluster);
  const keys = joins.flatMap((join) =>
    join.kind === 'unindexed' ? join.keys.map((key) => [join.use, key] as const) : [],
  );
  return keys.flatMap(([use, key]) => usableIndexes(use, key, there))[0]?.name ?? null;
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
