import type { Document } from 'mongodb';
import { documentIn, figureIn, timeIn } from '../../connect/answer.js';
import { APP_NAME } from '../../connect/client.js';
import type { Member } from '../../connect/cluster-reader.js';
import { plural } from '../../format.js';
import { absent, type Absent } from '../../presence.js';
import { type Merge, owned } from '../operations/accumulator.js';
import type { NoExecution } from '../operations/execution.js';
import { figuresBy } from '../operations/figures.js';
import { EntryCounts, MOST_SHAPES, OperationTally, type TalliedOperation } from '../operations/operation-tally.js';
import type { Statistics } from '../operations/read-entry.js';
import { commandWord, isInternal, readsNoDocuments } from '../operations/recorded-command.js';
import { operationKey, operationShape } from '../shapes/operation-shape.js';
import { serverPlaceholder } from '../shapes/placeholder.js';
import {
  type Coverage,
  OPERATION_KINDS,
  type OperationFigures,
  type OperationKind,
  type OperationShape,
  type ServerCounters,
  type SourcePart,
  WRITE_KINDS,
} from '../workload.js';
import { readDocuments } from './raw-documents.js';
import type { CountersByNode } from './server-status.js';
import { type Failure, gapsOf, readSource, type ReadSource } from './source.js';

/** Per node, those that took the most time first. */
const MOST_ENTRIES = 10_000;

const MOST_BYTES = 64 * 1024 * 1024;

/** The share of `--timeout` that a node may take. */
const TIMEOUT_SHARE = 2 / 3;

const ATTEMPT = {
  operation: 'reading the query stats of',
  privilege: 'queryStatsRead on the cluster, as in the role clusterMonitor',
};

/** Those that write from 9.0 on. */
const KINDS = OPERATION_KINDS.filter((kind) => kind !== 'findAndModify');

// The sort works for the known layouts; with another layout, any entries are read.
const PIPELINE = [
  { $queryStats: {} },
  {
    $match: {
      'key.client.application.name': { $ne: APP_NAME },
      'key.queryShape.cmdNs.db': { $nin: ['admin', 'config', 'local'] },
    },
  },
  { $sort: { 'metrics.totalExecMicros.sum': -1 } },
  { $limit: MOST_ENTRIES },
  {
    $project: {
      'key.queryShape': 1,
      'key.client.application.name': 1,
      'key.client.driver': 1,
      'key.explain': 1,
      metrics: 1,
      asOf: 1,
    },
  },
];

/**
 * Reads `$queryStats` of each node: every query since the server started, or until its store was full. Its format is
 * not documented as stable: entries that can't be read are counted and left out.
 */
export async function readQueryStats(nodes: readonly Member[], counters: CountersByNode): Promise<ReadSource> {
  const [first] = nodes;
  if (first !== undefined && first.reader.capabilities.engine.name !== 'MongoDB')
    return { source: NONE_HERE, operations: [] };
  const found = new Map<string, TalliedOperation>();
  const parts: SourcePart[] = [];
  const failures: Failure[] = [];
  const leftOut: Absent[] = [];
  for (const node of nodes) {
    try {
      const part = new EntryCounts();
      const cursor = node.reader.aggregateDatabaseRaw('admin', PIPELINE, { timeoutShare: TIMEOUT_SHARE });
      let hasWrites = false;
      const end = await readDocuments(cursor, MOST_BYTES, (entry) => {
        const kind = takeEntry(entry, part, found);
        if (kind !== null && WRITE_KINDS.has(kind)) hasWrites = true;
      });
      if (typeof end === 'object') {
        if (part.isEmpty) throw end.error;
        failures.push({ place: node.name, error: end.error });
      }
      part.bounded = end !== 'complete' || part.read >= MOST_ENTRIES || found.size >= MOST_SHAPES;
      const ofNode = counters.get(node.name);
      const left = ofNode?.present === true ? ofNode.value.queryStats : null;
      parts.push(part.part({ member: node.name }, coverageOf(part, left, hasWrites)));
      leftOut.push(...leftOutGap(node.name, left));
    } catch (error) {
      failures.push({ place: node.name, error });
    }
  }
  const gaps = [...gapsOf(failures, ATTEMPT), ...leftOut];
  if (parts.length > 0 && parts.every(({ coverage }) => coverage.operations === 'none')) gaps.push(OFF);
  const { source } = readSource(parts, gaps, new OperationTally(), 'the query stats');
  return { source, operations: source.present ? [...found.values()] : [] };
}

const NONE_HERE = absent('unsupported', 'reading the query stats: only MongoDB has them.');

const OFF = absent(
  'insufficient',
  'the query stats are empty: nothing was queried, or they are off, which is the default outside Atlas (parameter internalQueryStatsRateLimit).',
);

/**
 * An empty source does not show whether the feature is off. 9.0 samples 1 % unless configured otherwise, and writes at a rate
 * of their own (`internalQueryStatsWriteCmdSampleRate`): whether what it left out of these is counted is not documented.
 */
function coverageOf({ isEmpty }: EntryCounts, left: ServerCounters['queryStats'], hasWrites: boolean): Coverage {
  const isLimited = left !== null && left.limited + (left.lost ?? 0) > 0;
  const isUnknown = left === null || left.lost === null;
  const operations = isLimited || hasWrites ? 'part' : isEmpty ? 'none' : isUnknown ? 'unknown' : 'all';
  return { operations, slowMilliseconds: null, sampleRate: null };
}

function leftOutGap(node: string, left: ServerCounters['queryStats']): Absent[] {
  if (left === null || left.limited + (left.lost ?? 0) === 0) return [];
  const limited = `${plural(left.limited, 'request was', 'requests were')} left out by the rate limit or sample rate (internalQueryStatsRateLimit, internalQueryStatsSampleRate)`;
  const lost = `${plural(left.lost ?? 0, 'entry was', 'entries were')} lost, as the store was full (internalQueryStatsCacheSize)`;
  const texts = [...(left.limited === 0 ? [] : [limited]), ...((left.lost ?? 0) === 0 ? [] : [lost])];
  return [absent('insufficient', `the query stats of ${node} cover only part of the queries: ${texts.join('; ')}.`)];
}

/** The kind of the operation that the entry is about; null if it is about none. */
function takeEntry(
  entry: Document | null,
  part: EntryCounts,
  found: Map<string, TalliedOperation>,
): OperationKind | null {
  const shape = shapeOf(entry);
  if (typeof shape === 'string' || 'notUnderstood' in shape) {
    part.leaveOut(shape);
    return null;
  }
  const isWrite = WRITE_KINDS.has(shape.kind);
  const figures = queryStatsFigures(entry?.['metrics'], entry?.['key']?.['client'], isWrite);
  if (figures === null) {
    part.unreadable += 1;
    return null;
  }
  part.entries += 1;
  if (figures.window !== null) {
    part.covers(figures.window.from);
    part.covers(figures.window.to);
  }
  const key = operationKey(shape);
  const known = found.get(key);
  // One shape has an entry per client, read concern and more.
  if (known !== undefined) found.set(key, { ...known, figures: addedFigures(known.figures, figures) });
  else if (found.size < MOST_SHAPES) found.set(key, { shape, key, figures });
  return shape.kind;
}

function shapeOf(entry: Document | null): OperationShape | NoExecution {
  const command: Document | undefined = entry?.['key']?.['queryShape'];
  const database: unknown = command?.['cmdNs']?.['db'];
  const collection: unknown = command?.['cmdNs']?.['coll'];
  if (command === undefined || typeof database !== 'string' || typeof collection !== 'string') return 'unreadable';
  const namespace = `${database}.${collection}`;
  const appName: unknown = entry?.['key']?.['client']?.['application']?.['name'];
  if (isInternal({ namespace, appName, user: undefined, comment: undefined, pipeline: command['pipeline'] }))
    return 'ignored';
  // An explained aggregate has an entry too, without any time (measured on 6.0.27).
  if (entry?.['key']?.['explain'] !== undefined || readsNoDocuments(command['pipeline'])) return 'ignored';
  const kind = KINDS.find((each) => each === command['command']);
  if (kind !== undefined) return operationShape({ kind, namespace, command, truncated: false }, serverPlaceholder);
  return { notUnderstood: commandWord(command['command']) };
}

/** Parts of `metrics` that hold figures in 8.1 and later; before, they were in `metrics` itself. */
const SECTIONS = ['queryExec', 'cursor', 'queryPlanner', 'writes'];

/**
 * Null if the entry does not even say how often the query ran. 6.0 reports times and documents returned; later versions
 * also documents and keys examined, sorts and spills.
 */
export function queryStatsFigures(metrics: unknown, client?: Document, isWrite = false): OperationFigures | null {
  const statistics: Statistics = {
    figure: (name, part) => figureIn(holderOf(metrics, name), part === undefined ? name : `${name}.${part}`),
    time: (name) => timeIn(holderOf(metrics, name), name),
    isWrite,
    client,
  };
  const figures = figuresBy(({ statistic, empty }) => (statistic === undefined ? empty : statistic(statistics)));
  return figures.executions < 1 ? null : figures;
}

/** The figures of two entries about one shape. One that either does not report is unknown of both. */
export function addedFigures(one: OperationFigures, other: OperationFigures): OperationFigures {
  return figuresBy(({ statistic, merge, added }, name) => {
    const [own, further] = [one[name], other[name]];
    if (statistic === undefined) return own;
    if (added !== undefined) return added(own, further);
    return own === null || further === null ? null : (merge as Merge<unknown> | undefined)?.(owned(own), further);
  });
}

/** The part of `metrics` that a figure is in. */
function holderOf(metrics: unknown, name: string): unknown {
  const places = [metrics, ...SECTIONS.map((section) => documentIn(metrics, section))];
  return places.find((place) => (place as Document | null | undefined)?.[name] !== undefined);
}
