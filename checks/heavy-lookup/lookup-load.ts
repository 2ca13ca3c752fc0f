import { groupedBy } from '../../src/grouped-by.js';
import { asInProduction, type JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import { unservedJoins } from '../../src/judgement/joins/unserved-joins.js';
import { databaseOf } from '../../src/namespace.js';
import { quotient } from '../../src/quotient.js';
import { mainSource, ofOneRecord, sourcesOf } from '../../src/workload/coverage/join-telling.js';
import {
  recordedCoverage,
  shareOfTime,
  sourceCoverage,
  type SourceCoverage,
} from '../../src/workload/coverage/source-window.js';
import type { Join } from '../../src/workload/joins/join.js';
import type { JoinUse } from '../../src/workload/joins/workload-joins.js';
import { type FigureSource, type Operation, type OperationFigures, WRITE_KINDS } from '../../src/workload/workload.js';

/** One kind of operation that joins, with its figures in the collection's source. */
export interface JoiningOperation {
  readonly operation: Operation;
  readonly joins: readonly Join[];
  readonly figures: OperationFigures;
}

/**
 * How much of the work on a collection is joining. All figures are from the source with the most executions on it,
 * since sources may have seen the same ones.
 */
export interface LookupLoad {
  /** The collection that the operations run on, also through a view. */
  readonly namespace: string;
  readonly source: FigureSource;
  readonly coverage: SourceCoverage;
  readonly executions: number;
  readonly joinExecutions: number;
  readonly shareOfOperations: number;
  /** Share of the documents that all operations on it examine, 0 to 1; null if the source does not count them. */
  readonly shareOfDocuments: number | null;
  /** Share of the documents and keys that everything recorded examines, in all collections; null as above. */
  readonly shareOfWorkload: number | null;
  /** Share of the time of all operations on it, 0 to 1; null if times are unknown. */
  readonly shareOfTime: number | null;
  /** In ms; null if times are unknown. */
  readonly averageMs: number | null;
  /** The one that takes the most time first. */
  readonly joining: readonly [JoiningOperation, ...JoiningOperation[]];
}

export function lookupLoads(cluster: JoinedCluster): LookupLoad[] {
  const { collections, workload } = cluster;
  const isOtherwise = joinsPlannedOtherwise(cluster);
  const onLinted = workload.tracedOperations.filter(({ base }) => collections.has(base));
  return [...groupedBy(onLinted, ({ base }) => base)].flatMap(([namespace, recorded]) => {
    const traced = ofOneRecord(recorded, ({ operation }) => operation);
    const operations = traced.map(({ operation }) => operation);
    const source = mainSource(operations);
    const joining = traced.flatMap(({ operation, joins }): JoiningOperation[] => {
      const figures = operation.figures[source];
      if (joins.length === 0 || figures === undefined) return [];
      const uses = joins.map((join) => ({ join, operation, view: null }));
      return [{ operation, joins, figures: isOtherwise(uses) ? withoutPlan(figures) : figures }];
    });
    const [first, ...others] = joining.sort(
      (one, other) => (other.figures.milliseconds ?? 0) - (one.figures.milliseconds ?? 0),
    );
    if (first === undefined) return [];
    const coverage = sourceCoverage(sourcesOf(workload, operations), source, databaseOf(namespace));
    return [loadOf(namespace, operations, [first, ...others], source, coverage, workload.examined[source])];
  });
}

function loadOf(
  namespace: string,
  operations: readonly Operation[],
  joining: LookupLoad['joining'],
  source: FigureSource,
  coverage: SourceCoverage,
  examinedByAll: number | null,
): LookupLoad {
  const all = operations.flatMap(({ figures }) => figures[source] ?? []);
  const executions = sum(all.map((figures) => figures.executions));
  const joinExecutions = sum(joining.map(({ figures }) => figures.executions));
  const milliseconds = sumIfKnown(all, 'milliseconds');
  const joinFigures = joining.map(({ figures }) => figures);
  const joinMilliseconds = sumIfKnown(joinFigures, 'milliseconds');
  const documents = sumIfKnown(all, 'documentsExamined');
  const joinDocuments = sumIfKnown(joinFigures, 'documentsExamined');
  return {
    namespace,
    source,
    coverage: recordedCoverage(coverage, milliseconds, executions),
    executions,
    joinExecutions,
    shareOfOperations: joinExecutions / executions,
    shareOfDocuments: quotient(joinDocuments ?? 0, documents),
    shareOfWorkload: quotient(examinedIn(joinFigures) ?? 0, examinedByAll),
    shareOfTime: shareOfTime(joinMilliseconds, milliseconds),
    averageMs: quotient(joinMilliseconds, joinExecutions),
    joining,
  };
}

/**
 * Executions that join a collection per change of its documents, which inserts are not; null if the load's source does not record all operations, writes
 * included.
 */
export function readsPerWrite(load: LookupLoad, foreign: string, { workload }: JoinedCluster): number | null {
  if (load.coverage.operations !== 'all' || load.source === 'queryStats') return null;
  const onIt = workload.operations.filter(
    ({ shape: { namespace, kind } }) => namespace === foreign && kind !== 'insert' && WRITE_KINDS.has(kind),
  );
  const writes = sum(onIt.map(({ figures }) => figures[load.source]?.executions ?? 0));
  const reads = sum(
    load.joining
      .filter(({ joins }) => joins.some((join) => join.foreign.base === foreign))
      .map(({ figures }) => figures.executions),
  );
  return writes === 0 ? Infinity : reads / writes;
}

/** Documents and index keys; null if neither is counted. */
function examinedIn(figures: readonly OperationFigures[]): number | null {
  const [documents, keys] = [sumIfKnown(figures, 'documentsExamined'), sumIfKnown(figures, 'keysExamined')];
  return documents === null && keys === null ? null : (documents ?? 0) + (keys ?? 0);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function sumIfKnown(
  figures: readonly OperationFigures[],
  name: 'milliseconds' | 'documentsExamined' | 'keysExamined',
): number | null {
  const known = figures.flatMap((each) => each[name] ?? []);
  return known.length === 0 ? null : sum(known);
}

/** Which of an operation's joins no index serves here, and in production. */
function joinsPlannedOtherwise(cluster: JoinedCluster): (uses: readonly JoinUse[]) => boolean {
  const isJoined = [...cluster.collections.values()].some(({ collection }) => collection.production !== undefined);
  if (!isJoined) return () => false;
  const there = asInProduction(cluster);
  return (uses) =>
    uses.some(({ operation }) => operation !== null && operation.recordedHere !== true) &&
    unservedPlaces(uses, cluster) !== unservedPlaces(uses, there);
}

function unservedPlaces(uses: readonly JoinUse[], cluster: JoinedCluster): string {
  const places = unservedJoins(cluster, uses).map((join) => [join.kind, join.namespace, 'path' in join && join.path]);
  return JSON.stringify(places);
}

/** The figures without what another plan would have changed. */
function withoutPlan(figures: OperationFigures): OperationFigures {
  return { ...figures, milliseconds: null, slowestMilliseconds: null, documentsExamined: null, keysExamined: null };
}
