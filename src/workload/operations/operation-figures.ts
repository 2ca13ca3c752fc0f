import { z } from 'zod';
import { recordedFigure } from '../../connect/answer.js';
import { ofKind } from '../../names.js';
import { figureSchema, mapValues } from '../../plain.js';
import { slicesSchema, widerSlice } from '../shapes/slices.js';
import { hintText } from '../shapes/sort-shape.js';
import { valueListsInText, valueListsOf } from '../shapes/value-lists.js';
import { widened, windowSchema } from '../window.js';
import { byName, largest, parts, smallest, sum } from './accumulator.js';
import { addedBounds, ageBoundSchema, ageBoundsOf } from './age-bounds.js';
import { addedClients, clientExecutionsSchema, ClientTally } from './clients.js';
import { type FigureRow, knownSchema, maximum, merged, tallied, total } from './figure-row.js';
import { burstSchema, BurstTally, listLengthsSchema, ListTally } from './list-tally.js';
import { addedPlans, MOST_PLANS, OTHER_PLANS, planFiguresSchema, planOf } from './plan-figures.js';
import * as read from './read-entry.js';
import { ExecutionTally, tailSchema, TailTally, TimeTally } from './tail.js';
import { waitingIn, waitingSchema } from './waiting.js';

/** Different numbers of shards kept per shape. */
const MOST_SHARD_COUNTS = 1_000;

const counts = z.record(z.string(), z.number());
const { WRITTEN } = read;

/** Figures that are added up over executions; null if the source does not report them. */
const TOTALS = {
  /** Time on the server in ms, all batches together. */
  milliseconds: total('ms', ({ milliseconds }) => milliseconds, {
    entries: 'all',
    accumulator: () => new TimeTally(),
    statistic: (statistics) => read.inMilliseconds(statistics.figure('totalExecMicros', 'sum')),
  }),
  /**
   * Includes joined collections. The server does not count what a `$graphLookup` examines, and counts a `$unionWith`
   * with the last batch (measured on 6.0.5 and 6.0.27).
   */
  documentsExamined: total('documents', 'docsExamined', {
    statistic: (statistics) => statistics.figure('docsExamined', 'sum'),
  }),
  keysExamined: total('keys', 'keysExamined', { statistic: (statistics) => statistics.figure('keysExamined', 'sum') }),
  documentsReturned: total('documents', ({ fields }) => recordedFigure(fields['nreturned']), {
    fields: ['nreturned'],
    statistic: (statistics) => statistics.figure('docsReturned', 'sum'),
  }),
  /** Documents inserted, modified or deleted. */
  documentsWritten: total('documents', (entry) => read.countsIn(entry, WRITTEN), {
    fields: WRITTEN,
    statistic: read.writtenInStatistics,
  }),
  /** Bytes of all replies. */
  responseBytes: total('bytes', ({ responseBytes }) => responseBytes),
};

/** Figures that are added up over executions. */
export type AveragedFigure = keyof typeof TOTALS;

const TOTAL_NAMES = Object.keys(TOTALS) as AveragedFigure[];
const knownTail = tailSchema.exactOptional();
type Tails = Record<AveragedFigure, typeof knownTail>;

/**
 * Every figure of the operations of one shape, in a row: its unit, its schema in evidence, what it is read from, and how entries
 * are put together. The profiler's projection, reading, sums, query stats, evidence files and the evidence of production follow
 * from it.
 */
export const FIGURES = {
  /** Operations begun; the batches that `getMore` fetches later belong to theirs. */
  executions: tallied({
    unit: 'executions',
    schema: figureSchema,
    entries: 'all',
    of: () => 1 as const,
    accumulator: () => new ExecutionTally(),
    empty: 0,
    statistic: (statistics) => statistics.figure('execCount') ?? 0,
    merge: sum,
  }),
  ...TOTALS,
  /** How each of them is spread over executions; absent below two executions, or if the source only adds up. */
  tails: tallied({
    unit: 'several',
    schema: z.strictObject(mapValues(TOTALS, () => knownTail) as Tails).exactOptional(),
    of: () => true as const,
    accumulator: () => new TailTally(TOTAL_NAMES),
  }),
  slowestMilliseconds: maximum('ms', ({ milliseconds }) => milliseconds, {
    entries: 'all',
    statistic: (statistics) => read.inMilliseconds(statistics.figure('totalExecMicros', 'max')),
  }),
  /** Bytes of the largest reply. */
  largestResponseBytes: maximum('bytes', ({ responseBytes }) => responseBytes),
  /** Entries by plan summary: `COLLSCAN`, `IXSCAN { a: 1 }`. It describes the outer collection, never a joined one. */
  planSummaries: merged({
    unit: 'executions',
    schema: z.record(ofKind('plan'), z.number()),
    fields: ['planSummary'],
    entries: 'started',
    of: ({ planSummary }) => read.countOf(planSummary),
    merge: byName(sum, MOST_PLANS, OTHER_PLANS),
    empty: {},
  }),
  /** By plan summary; absent if there was one, and it was never given up. */
  plans: merged({
    unit: 'several',
    schema: z.record(ofKind('plan'), planFiguresSchema).exactOptional(),
    fields: ['fromMultiPlanner', 'replanned'],
    of: planOf,
    merge: addedPlans,
    isReported: (plans) => Object.keys(plans).length > 1 || Object.values(plans).some(({ replanned }) => replanned > 0),
  }),
  inMemorySorts: executionsWith('hasSortStage', true, (statistics) => statistics.figure('hasSortStage', 'true')),
  diskUses: executionsWith('usedDisk', true, (statistics) => statistics.figure('usedDisk', 'true')),
  /**
   * Executions of the slot-based engine. It makes an unindexed `$lookup` by `localField` and `foreignField` a hash join
   * if the foreign collection is small (up to 10,000 documents and 100 MB by default, 6.0).
   */
  slotBasedExecutions: { ...executionsWith('queryFramework', 'sbe'), schema: z.number() },
  /** Executions of the classic engine. 6.0 and later report the engine, but not in query stats. */
  classicExecutions: { ...executionsWith('queryFramework', 'classic'), schema: z.number() },
  /** Elements of the longest literal array, such as that of `$in`; null if the source does not report it. */
  longestLiteralArray: maximum('elements', ({ longestLiteralArray }) => longestLiteralArray, {
    empty: 0,
    statistic: () => null,
  }),
  /** The widest slices of arrays that were asked for; empty if there were none or the source does not report them. */
  slices: merged({
    unit: 'elements',
    schema: slicesSchema,
    of: ({ slices }) => nullIfEmpty(slices),
    merge: byName(widerSlice),
    empty: {},
  }),
  /** Lists of values of `$in`, by path; absent if none was longer than 100 or the source does not report them. */
  lists: tallied({
    unit: 'elements',
    schema: z.record(z.string(), listLengthsSchema).exactOptional(),
    entries: 'begun',
    of({ command, asked, truncated }) {
      const text: unknown = command['$truncated'];
      return { lists: text === undefined ? valueListsOf(asked) : valueListsInText(text), isCut: truncated };
    },
    accumulator: () => new ListTally(),
  }),
  /** By path, how old what is asked for may be; absent if nothing bounds it, or the source keeps no values. */
  ageBounds: merged({
    unit: 'ms',
    schema: z.record(z.string(), ageBoundSchema).exactOptional(),
    entries: 'begun',
    of: ({ asked, at }) => nullIfEmpty(ageBoundsOf(asked, at)),
    merge: addedBounds,
  }),
  /** What `skip` passed over; absent if nothing did or the source does not report it. */
  skips: merged({
    unit: 'documents',
    schema: read.skipsSchema.exactOptional(),
    entries: 'begun',
    of: read.skippedBy,
    merge: parts({ executions: sum, documents: sum, deepest: largest }),
  }),
  /** Executions that returned fewer documents than their limit, and so all that match; absent if none did. */
  belowLimit: merged({
    unit: 'executions',
    schema: z.number().exactOptional(),
    fields: ['nreturned', 'cursorid'],
    entries: 'begun',
    of: (entry) => (read.isBelowLimit(entry) ? 1 : null),
    merge: sum,
  }),
  /** Executions by the number of shards that mongos sent them to; absent if the source is no log of mongos. */
  shardsContacted: merged({
    unit: 'executions',
    schema: z.record(ofKind('no name'), z.number()).exactOptional(),
    fields: ['nShards'],
    entries: 'begun',
    of: ({ fields }) => read.countOf(recordedFigure(fields['nShards'])),
    merge: byName(sum, MOST_SHARD_COUNTS),
  }),
  /** Who ran them; absent if the source knows nothing of any client. */
  clients: tallied({
    unit: 'executions',
    schema: z.array(clientExecutionsSchema).exactOptional(),
    fields: ['appName', 'user'],
    entries: 'started',
    of: ({ client }) => client,
    accumulator: () => new ClientTally(),
    statistic: read.clientsInStatistics,
    added: addedClients,
  }),
  /** Absent below 50 executions, or if the source does not report when each began. */
  busiest: tallied({
    unit: 'executions',
    schema: burstSchema.exactOptional(),
    entries: 'begun',
    of: ({ client }) => client,
    accumulator: () => new BurstTally(),
  }),
  /** What they waited for; absent if for nothing, or if the source does not report. */
  waiting: merged({
    unit: 'ms',
    schema: waitingSchema.exactOptional(),
    fields: ['workingMillis', 'locks', 'flowControl', 'queues', 'storage', 'writeConflicts', 'planningTimeMicros'],
    of: ({ fields, milliseconds }) => waitingIn(fields, milliseconds),
    merge: byName(sum),
  }),
  /** Executions that failed, by the server's name of the error; absent if none did. Inserts that fail are not recorded as such. */
  errors: merged({
    unit: 'executions',
    schema: z.record(ofKind('no name'), z.number()).exactOptional(),
    fields: ['errName'],
    of: ({ fields }) => read.countOf(typeof fields['errName'] === 'string' ? fields['errName'] : null),
    merge: byName(sum, MOST_PLANS),
  }),
  /**
   * Inserts and findAndModify by who must have them before they are acknowledged: `0`, `1`, `majority`; absent if none say.
   * Entries of updates and deletes do not (measured on 6.0.5).
   */
  writeConcerns: merged({
    unit: 'executions',
    schema: z.record(ofKind('no name'), z.number()).exactOptional(),
    fields: ['writeConcern'],
    of: ({ fields, command }) => read.countOf(read.acknowledgedBy(fields, command)),
    merge: byName(sum),
  }),
  /** Executions that named an index by `hint`: its name, or its key as plan summaries write it; absent if none did. */
  hints: merged({
    unit: 'executions',
    schema: z.record(ofKind('index'), z.number()).exactOptional(),
    entries: 'begun',
    of: ({ command }) => read.countOf(hintText(command['hint'])),
    merge: byName(sum, MOST_PLANS),
  }),
  /** Most bytes that each stage of one execution spilled to disk; absent before 8.1, or if none did. */
  spills: merged({
    unit: 'bytes',
    schema: counts.exactOptional(),
    fields: read.SPILLED,
    of: read.spillsIn,
    // A later batch tells the whole of its cursor once more.
    merge: byName(largest),
  }),
  /** Most memory that one execution took, by `peakTrackedMemBytes`; absent before 8.3. */
  peakMemoryBytes: merged({
    unit: 'bytes',
    schema: z.number().exactOptional(),
    fields: ['peakTrackedMemBytes'],
    of: ({ fields }) => recordedFigure(fields['peakTrackedMemBytes']),
    merge: largest,
  }),
  /** Those still running when they were last seen (8.3). Counted as executions only if none was seen to end. */
  unfinished: merged({
    unit: 'ms',
    schema: z.strictObject({ executions: z.number(), longestMs: z.number() }).exactOptional(),
    entries: 'all',
    of: ({ isUnfinished, milliseconds }) => (isUnfinished ? { executions: 1, longestMs: milliseconds ?? 0 } : null),
    merge: parts({ executions: sum, longestMs: largest }),
  }),
  window: merged({
    unit: 'ms',
    schema: windowSchema.nullable(),
    entries: 'all',
    of: ({ at }) => ({ from: at, to: at }),
    merge: parts({ from: smallest, to: largest }),
    empty: null,
    statistic: read.windowInStatistics,
    added: (one = null, other = null) => (other === null ? one : widened(one, other.from, other.to)),
  }),
};

/** Executions whose first entry has a value in a field; null if the source does not report it. */
function executionsWith(field: string, value: unknown, statistic?: FigureRow<typeof knownSchema>['statistic']) {
  const of = ({ fields }: read.ReadEntry) => (fields[field] === value ? 1 : null);
  const more = { entries: 'begun', fields: [field], empty: 0 } as const;
  return total('executions', of, { ...more, ...(statistic !== undefined && { statistic }) });
}

function nullIfEmpty<Values extends object>(values: Values): Values | null {
  return Object.keys(values).length === 0 ? null : values;
}

type Figures = typeof FIGURES;

export type FigureName = keyof Figures;

/** What an entry adds to each figure that it has. */
export type RecordedFigures = {
  readonly [Name in FigureName]?: NonNullable<ReturnType<Figures[Name]['of']>>;
};

const ROWS = Object.entries<FigureRow>(FIGURES);

/** What is read of each entry. */
const READS = ROWS.map(([name, { entries = 'ended', of }]) => ({ name, entries, of }));

export function recordedFigures(entry: read.ReadEntry): RecordedFigures {
  const isEnded = !entry.isUnfinished;
  const isFirst = !entry.isContinuation;
  const isOf = { all: true, ended: isEnded, begun: isEnded && isFirst, started: !isEnded || isFirst };
  const recorded: Record<string, unknown> = {};
  for (const { name, entries, of } of READS) {
    const value = isOf[entries] ? of(entry) : null;
    if (value !== null) recorded[name] = value;
  }
  return recorded as RecordedFigures;
}

/** What the profiler is asked for so that figures can be read. */
export const FIGURE_FIELDS = ROWS.flatMap(([, { fields = [] }]) => fields);

export const FIGURE_SCHEMAS = mapValues<FigureRow, z.ZodType>(FIGURES, ({ schema }) => schema) as unknown as {
  readonly [Name in FigureName]: Figures[Name]['schema'];
};
