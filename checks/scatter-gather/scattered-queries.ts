import type { OperationFigures, TracedWorkload } from '../../src/check.js';
import type { ShardKey } from '../../src/inventory/sharding.js';
import { equalPaths } from '../../src/judgement/queries/conditions.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { filterTarget } from '../../src/judgement/shard-keys/targeting.js';
import {
  areHere,
  ofOneRecord,
  recordedWindow,
  sourcesOf,
  type RecordedWindow,
} from '../../src/workload/coverage/recording.js';
import { executionsPerDay, sourceCoverage } from '../../src/workload/coverage/source-window.js';

/** A query for few documents that mongos sent to every shard, because it names no value of the shard key's first field. */
export interface ScatteredQuery {
  readonly query: Query;
  /** Executions that went to all shards. */
  readonly executions: number;
  /** Per execution. */
  readonly documentsReturned: number;
}

/** The scattered queries of one collection, by logs of mongos. */
export interface ScatteredQueries extends RecordedWindow {
  /** The one with most executions first. */
  readonly queries: readonly [ScatteredQuery, ...ScatteredQuery[]];
  readonly executions: number;
  /** Null if unknown. */
  readonly executionsPerDay: number | null;
  /** Share of the collection's recorded queries whose number of shards is known, 0 to 1. */
  readonly shareOfRecorded: number;
}

/**
 * @param queries those of one collection
 * @param shards that hold documents of it
 * @param mostReturned documents per execution up to which one shard could have answered as well
 * @returns null if no query is scattered
 */
export function scatteredQueries(
  queries: readonly Query[],
  workload: TracedWorkload,
  key: ShardKey,
  { shards, mostReturned }: { readonly shards: number; readonly mostReturned: number },
): ScatteredQueries | null {
  const routed = ofOneRecord(
    queries.filter(({ operation }) => operation.figures.routerLog?.shardsContacted !== undefined),
    ({ operation }) => operation,
  );
  const scattered = routed
    .flatMap((query) => scatteredQuery(query, key, shards) ?? [])
    .filter(({ documentsReturned }) => documentsReturned <= mostReturned)
    .toSorted((one, other) => other.executions - one.executions);
  const [first, ...others] = scattered;
  if (first === undefined) return null;
  const executions = sum(scattered.map((each) => each.executions));
  const operations = scattered.map(({ query }) => query.operation);
  const { database, expected } = first.query.known.collection;
  const coverage = sourceCoverage(sourcesOf(workload, operations), 'routerLog', database);
  return {
    queries: [first, ...others],
    executions,
    ...recordedWindow(executions, coverage, operations),
    executionsPerDay:
      expected?.executionsPerDay ?? (areHere(operations) ? null : executionsPerDay(executions, coverage)),
    shareOfRecorded: executions / sum(routed.map(({ operation }) => contacting(operation.figures.routerLog, 1))),
  };
}

function scatteredQuery(query: Query, key: ShardKey, shards: number): ScatteredQuery | null {
  const figures = query.operation.figures.routerLog;
  const isForFew = equalPaths(query.conditions).length > 0;
  const isTargeted = query.filters.some((filter) => filterTarget(filter, key) !== 'all');
  const returned = figures?.documentsReturned ?? null;
  if (figures === undefined || returned === null || !isForFew || isTargeted || query.joins || !query.returnsEachMatch)
    return null;
  const executions = contacting(figures, shards);
  return executions === 0 ? null : { query, executions, documentsReturned: returned / figures.executions };
}

/** Executions that went to this many shards or more. */
function contacting(figures: OperationFigures | undefined, shards: number): number {
  const counts = Object.entries(figures?.shardsContacted ?? {});
  return sum(counts.filter(([contacted]) => Number(contacted) >= shards).map(([, executions]) => executions));
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
