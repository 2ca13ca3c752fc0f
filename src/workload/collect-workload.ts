import type { ClusterReader, Member } from '../connect/cluster-reader.js';
import { absentBecause } from '../connect/server-error.js';
import { formatCount, plural } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import type { Collection } from '../inventory/collection.js';
import { databaseOf } from '../namespace.js';
import { absent, type Absent, type Evidence, isFault, present } from '../presence.js';
import { ChangeStreamTally } from './operations/change-stream-tally.js';
import { ConnectionTally } from './operations/connection-tally.js';
import type { LineOf } from './operations/execution.js';
import { IndexChangeTally } from './operations/index-changes.js';
import type { TalliedOperation } from './operations/operation-tally.js';
import { TransactionTally } from './operations/transaction-tally.js';
import { keyWithoutDetails } from './shapes/operation-shape.js';
import { isObjectShape, shapeKey } from './shapes/shape.js';
import { noLogFiles, readLogFiles } from './sources/log-file.js';
import { readRecentLog } from './sources/logs-of-servers.js';
import { readPinnedPlans } from './sources/pinned-plans.js';
import { profilerOfMongos, readProfiler, type ReadProfiler } from './sources/profiler.js';
import { readQueryStats } from './sources/query-stats.js';
import { type CountersByNode, readServerStatus } from './sources/server-status.js';
import type { ReadSource, SourceReading } from './sources/source.js';
import { mergeViews, resolveViews } from './sources/views.js';
import {
  bySource,
  FIGURE_SOURCES,
  type FigureSource,
  type NodeReads,
  type Operation,
  type OperationFigures,
  type OperationShape,
  type Workload,
  type WorkloadSource,
} from './workload.js';

const PRIMARY = 'the primary';

export interface WorkloadScope {
  /** Databases whose profilers are read. */
  readonly databases: readonly string[];
  /** All known collections, linted or not: views are traced through them. */
  readonly collections: readonly Collection[];
  readonly logFiles: readonly string[];
  /** Operations recorded before are left out, in ms since 1970; all count unless given. */
  readonly since?: number | null;
  /** Whether network addresses of clients are read. */
  readonly showValues?: boolean;
  readonly lineOf?: Promise<LineOf | undefined> | undefined;
}

/**
 * Reads every source of the workload. One that can't be read is absent with its reason; the others still count.
 *
 * @throws LintError if a log file can't be opened.
 */
export async function collectWorkload(reader: ClusterReader, scope: WorkloadScope): Promise<Workload> {
  const { databases, collections, logFiles, since = null, showValues = false } = scope;
  const lineOf = await scope.lineOf;
  const tallies = {
    transactions: new TransactionTally(since),
    connections: new ConnectionTally(since, showValues),
    changeStreams: new ChangeStreamTally(since),
    indexChanges: new IndexChangeTally(since),
  };
  const reading = { showValues, since, lineOf, ...tallies };
  const { logFile, routerLog } =
    logFiles.length === 0 ? noLogFiles() : await readLogFiles(logFiles, () => reader.isOutOfTime, reading);
  const { counters, nodeReads, ...ofServers } = await readServers(reader, databases, reading);
  const read = { ...ofServers, logFile, routerLog };
  const operations = mergeOperations(bySource((source) => read[source].operations));
  const transactions = reading.transactions.summary();
  const { leftOut } = tallies.transactions;
  const entriesLeftOut = {
    connections: tallies.connections.leftOut,
    changeStreams: tallies.changeStreams.leftOut,
    indexChanges: tallies.indexChanges.leftOut,
  };
  const connections = reading.connections.summary();
  const changeStreams = reading.changeStreams.summary();
  const indexChanges = reading.indexChanges.summary();
  return {
    operations,
    views: mergeViews(resolveViews(collections), ofServers.profiler.views),
    sources: bySource((source) => read[source].source),
    counters,
    pinnedPlans: await readPinnedPlans(reader.withReadPreference('primaryPreferred'), collections, operations),
    ...(transactions.length > 0 && { transactions }),
    ...(indexChanges.length > 0 && { indexChanges }),
    ...(leftOut > 0 && { transactionEntriesLeftOut: leftOut }),
    ...(Object.values(entriesLeftOut).some((entries) => entries > 0) && { entriesLeftOut }),
    ...(connections.length > 0 && { connections }),
    ...(changeStreams.length > 0 && { changeStreams }),
    ...(nodeReads.length > 1 && { nodeReads }),
    ...(since !== null && { since }),
  };
}

/** Its figures are totals, which nothing divides by time. */
const NO_TIMES = absent(
  'insufficient',
  'query stats do not say when operations ran, so --since leaves all of them out.',
);

interface ReadServers {
  readonly profiler: ReadProfiler;
  readonly queryStats: ReadSource;
  readonly recentLog: ReadSource;
  readonly counters: Workload['counters'];
  /** By member; empty behind mongos. */
  readonly nodeReads: readonly NodeReads[];
}

async function readServers(
  reader: ClusterReader,
  databases: readonly string[],
  reading: SourceReading,
): Promise<ReadServers> {
  let nodes: Nodes;
  try {
    nodes = await nodesToAsk(reader);
  } catch (error) {
    return unread(absentBecause(error, 'asking the server for its workload', 'hello'));
  }
  const { asked, isMongos, gap } = nodes;
  // One after the other, so that a node has few of these reads at a time.
  const byNode = new Map<string, Workload['counters']>();
  for (const node of asked) byNode.set(node.name, await readServerStatus(node));
  const profiler = isMongos ? profilerOfMongos() : await readProfiler(asked, databases, byNode, reading);
  const recentLog = await readRecentLog(asked, databases, reading, profiler.begun);
  const queryStats =
    reading.since === null ? await readQueryStats(asked, byNode) : { source: NO_TIMES, operations: [] };
  // A user without the privilege learns nothing of what was left out; a server that fails at it has failed.
  const failed = [...byNode.values()].flatMap((counters) => (counters.present || !isFault(counters) ? [] : [counters]));
  const gaps = [...(gap === null ? [] : [gap]), ...failed];
  return {
    profiler: { ...profiler, source: withGaps(profiler.source, gaps) },
    queryStats: {
      source: withGaps(queryStats.source, gaps),
      // They do not say when operations ran.
      operations: queryStats.operations.filter(({ shape }) => !profiler.begun.has(databaseOf(shape.namespace))),
    },
    recentLog: { ...recentLog, source: withGaps(recentLog.source, gaps) },
    counters: byNode.get(asked[0].name) as Workload['counters'],
    nodeReads: isMongos || gap !== null ? [] : nodeReadsOf(byNode),
  };
}

/** Empty if a member does not report: of the others alone, shares would be of nothing that is known. */
function nodeReadsOf(byNode: CountersByNode): readonly NodeReads[] {
  const reads = [...byNode].flatMap(([node, counters]) =>
    counters.present ? [{ node, finds: counters.value.operations['query'] ?? 0, window: counters.value.window }] : [],
  );
  return reads.length === byNode.size ? reads : [];
}

function withGaps(source: Evidence<WorkloadSource>, gaps: readonly Absent[]): Evidence<WorkloadSource> {
  if (!source.present || gaps.length === 0) return source;
  return present({ ...source.value, gaps: [...source.value.gaps, ...gaps] });
}

function unread(source: Absent): ReadServers {
  const nothing = { source, operations: [] };
  return {
    profiler: { ...nothing, views: [], begun: new Map() },
    queryStats: nothing,
    recentLog: nothing,
    counters: source,
    nodeReads: [],
  };
}

interface Nodes {
  /** Members of the replica set, or the one server; behind mongos, mongos only. */
  readonly asked: readonly [Member, ...Member[]];
  readonly isMongos: boolean;
  readonly gap: Absent | null;
}

/** Each node holds the operations that ran on it, so they are never counted twice. @throws if no node answers. */
export async function nodesToAsk(reader: ClusterReader): Promise<Nodes> {
  const primary = reader.withReadPreference('primaryPreferred');
  if (reader.capabilities.isRouter) return { asked: [{ name: 'mongos', reader: primary }], isMongos: true, gap: null };
  const { answering, silent } = await reader.members();
  const primaryFirst = [...answering].sort(
    (one, other) => Number(other.name === PRIMARY) - Number(one.name === PRIMARY),
  );
  const [first = { name: 'the server', reader: primary }, ...others] = primaryFirst;
  return { asked: [first, ...others], isMongos: false, gap: silent.length === 0 ? null : silence(answering, silent) };
}

function silence(answering: readonly Member[], silent: readonly string[]): Absent {
  const all = plural(answering.length + silent.length, 'member');
  return absent(
    'insufficient',
    `${formatCount(silent.length)} of ${all} of the replica set did not answer, so the operations there are unknown (${[...new Set(silent)].join('; ')}).`,
  );
}

export type TalliedSources = Readonly<Record<FigureSource, readonly TalliedOperation[]>>;

interface Merging {
  readonly shape: OperationShape;
  readonly figures: { [Source in FigureSource]?: OperationFigures };
  sentFrom?: readonly (string | null)[];
}

/**
 * One operation per shape, with the figures of each source side by side: all may have seen the same execution, so they
 * are never added.
 *
 * Query stats lack the flags of regular expressions. If exactly one operation of the other sources is the same
 * otherwise, theirs is taken for it.
 */
export function mergeOperations(sources: TalliedSources): Operation[] {
  const merged = new Map<string, Merging>();
  for (const source of FIGURE_SOURCES) {
    if (source === 'queryStats') continue;
    for (const tallied of sources[source]) {
      const { key, shape, figures, sentFrom } = tallied;
      if (source !== 'profiler' && isKnownWhole(tallied, sources.profiler)) continue;
      const operation = merged.get(key) ?? { shape, figures: {} };
      operation.figures[source] = figures;
      if (sentFrom !== undefined) operation.sentFrom = [...new Set([...(operation.sentFrom ?? []), ...sentFrom])];
      merged.set(key, operation);
    }
  }
  const withoutDetails = groupedBy(merged.keys(), keyWithoutDetails);
  for (const { key, shape, figures } of sources.queryStats) {
    const [only = key, ...others] = withoutDetails.get(keyWithoutDetails(key)) ?? [];
    const known = others.length === 0 ? only : key;
    const operation = merged.get(known) ?? { shape, figures: {} };
    operation.figures.queryStats = figures;
    merged.set(known, operation);
  }
  return [...merged.values()];
}

/**
 * Whether a log cut an operation off that the profiler has whole: the same kind, with all conditions that are left of it, at
 * least one, after the same stages, as often. Its line would be another shape, of which less is known.
 */
function isKnownWhole({ shape, figures }: TalliedOperation, profiled: readonly TalliedOperation[]): boolean {
  if (shape.truncated !== true) return false;
  const left = conditionsByName(shape);
  if (left.size === 0) return false;
  return profiled.some(({ shape: whole, figures: { executions } }) => {
    if (whole.truncated === true || whole.namespace !== shape.namespace || whole.kind !== shape.kind) return false;
    const [conditions, stages] = [conditionsByName(whole), stageNames(whole)];
    return (
      executions >= figures.executions &&
      [...left].every(([name, condition]) => conditions.get(name) === condition) &&
      stageNames(shape).every((name, stage) => stages[stage] === name)
    );
  });
}

/** The conditions of the first stage or the filter, each without the types in its lists, which may be what is cut off. */
function conditionsByName({ filter, pipeline }: OperationShape): ReadonlyMap<string, string> {
  const $match = pipeline?.[0]?.['$match'];
  const conditions = Object.entries(filter ?? (isObjectShape($match) ? $match : {}));
  return new Map(
    conditions.map(([name, shape]) => [name, shapeKey(shape).replaceAll(/(?:\?array<[^>]*>|\[\])\0/g, '?array\0')]),
  );
}

function stageNames({ pipeline }: OperationShape): readonly (string | undefined)[] {
  return (pipeline ?? []).map((stage) => Object.keys(stage)[0]);
}
