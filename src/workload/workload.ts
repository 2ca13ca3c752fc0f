import { z } from 'zod';
import { ofKind } from '../names.js';
import { figureSchema, type Plain, timeSchema } from '../plain.js';
import { absentSchema } from '../presence-schema.js';
import type { Evidence } from '../presence.js';
import type { ChangeStreams } from './operations/change-stream-tally.js';
import type { ClientConnections } from './operations/connection-tally.js';
import { knownSchema } from './operations/figure-row.js';
import { FIGURE_SCHEMAS } from './operations/operation-figures.js';
import type { Transactions } from './operations/transaction-tally.js';
import type { PinnedPlans } from './pinned-plans.js';
import { filterShapeSchema, objectShapeSchema, pipelineShapeSchema, shapeSchema } from './shapes/shape.js';
import { windowSchema } from './window.js';

/** The commands whose operations are counted. `findAndModify` is also called `findandmodify`. */
export const OPERATION_KINDS = [
  'aggregate',
  'find',
  'count',
  'distinct',
  'insert',
  'update',
  'delete',
  'findAndModify',
] as const;

export type OperationKind = (typeof OPERATION_KINDS)[number];

export const WRITE_KINDS: ReadonlySet<OperationKind> = new Set(['insert', 'update', 'delete', 'findAndModify']);

/** What operations of one kind have in common without literal values, `comment` and client. */
export const operationShapeSchema = z.strictObject({
  /** `database.collection` as the client named it; may be a view. */
  namespace: ofKind('namespace'),
  kind: z.enum(OPERATION_KINDS),
  /** The stages of an aggregate itself, without those of a view it runs on. */
  pipeline: pipelineShapeSchema.exactOptional(),
  /** For find, count, distinct, update, delete and findAndModify. */
  filter: filterShapeSchema.exactOptional(),
  sort: objectShapeSchema.exactOptional(),
  projection: objectShapeSchema.exactOptional(),
  /** For update and findAndModify: operators with the paths they write, or stages; `?object` for a replacement. */
  update: shapeSchema.exactOptional(),
  distinctField: z.string().exactOptional(),
  /** Present if at most a number of documents is asked for. */
  limited: z.literal(true).exactOptional(),
  /** Present if a cursor follows what is inserted into a capped collection, in the order of the collection. */
  tailable: z.literal(true).exactOptional(),
  /** Present if an update or delete is for every document that matches. */
  multi: z.literal(true).exactOptional(),
  /** Present if an update or findAndModify inserts a document where none matches. */
  upsert: z.literal(true).exactOptional(),
  /** Locale and strength are settings, not values. */
  collation: ofKind('no name', z.record(z.string(), z.unknown())).exactOptional(),
  /** Present if the source had truncated the command: stages, predicates and options may be missing. */
  truncated: z.literal(true).exactOptional(),
});

export type OperationShape = Readonly<z.output<typeof operationShapeSchema>>;

/** Sources that count operations, in order of preference if they know as many executions. `routerLog` is mongos's. */
export const FIGURE_SOURCES = ['profiler', 'queryStats', 'logFile', 'recentLog', 'routerLog'] as const;

export type FigureSource = (typeof FIGURE_SOURCES)[number];

/** Something of each source. */
export function bySource<Of>(of: (source: FigureSource) => Of): Readonly<Record<FigureSource, Of>> {
  return Object.fromEntries(FIGURE_SOURCES.map((source) => [source, of(source)])) as Record<FigureSource, Of>;
}

/**
 * What one source reports about the operations of one shape, added up. A figure is null if the source does not report
 * it, such as documents examined in query stats of 6.0.
 */
export const operationFiguresSchema = z.strictObject(FIGURE_SCHEMAS);

export type OperationFigures = Plain<typeof operationFiguresSchema>;

/** Which of the operations that ran a source can hold. */
export const coverageSchema = z.strictObject({
  /**
   * - `all`: every operation.
   * - `slow`: those that took longer than `slowMilliseconds`.
   * - `part`: some of them, because the source samples, was full, or differs from member to member.
   * - `none`: the source is off; it may hold older operations.
   * - `unknown`: the source does not say.
   */
  operations: z.enum(['all', 'slow', 'part', 'none', 'unknown']),
  /** Faster operations are not recorded; null if they are, or if it is unknown. */
  slowMilliseconds: z.number().nullable(),
  /** Share of those operations that is kept, 0 to 1; null if unknown. */
  sampleRate: z.number().nullable(),
});

export type Coverage = Plain<typeof coverageSchema>;

export const sourcePlaceSchema = z.strictObject({
  /** The database whose profiler it is; absent for a source that holds the operations of all databases. */
  database: ofKind('database').exactOptional(),
  /** The member of the replica set, for people: "the primary"; absent for a log file. */
  member: ofKind('member').exactOptional(),
  /** Base name of the log file. */
  file: z.string().exactOptional(),
});

export type SourcePlace = Plain<typeof sourcePlaceSchema>;

/** One place that a source was read at: a database's profiler on one member, a log file. */
export const sourcePartSchema = sourcePlaceSchema.extend({
  coverage: coverageSchema,
  /** The time span of what was read; null if nothing was. */
  window: windowSchema.nullable(),
  entries: figureSchema,
  /** Entries of mongolint itself, of the server's work and tools, of commands other than operations on data; lines of an earlier log. */
  ignored: figureSchema,
  /** Entries or lines that could not be read: truncated, interleaved, binary, foreign. */
  unreadable: figureSchema,
  /** Operations on data of a kind that mongolint does not know, by the server's word for it; absent if there were none. */
  notUnderstood: z.record(z.string(), z.number()).exactOptional(),
  /** Whether a limit on entries, bytes or time left some out: the oldest, or the fastest. */
  bounded: z.boolean(),
});

export type SourcePart = Plain<typeof sourcePartSchema>;

export const workloadSourceSchema = z.strictObject({
  parts: z.array(sourcePartSchema),
  /** What could not be read, or says too little to judge by: each becomes a `skipped` entry. */
  gaps: z.array(absentSchema),
});

export type WorkloadSource = Plain<typeof workloadSourceSchema>;

/** Counters of `serverStatus` of one node since the server started. mongolint's own few commands are included. */
export const serverCountersSchema = z.strictObject({
  window: windowSchema,
  stages: z.record(ofKind('no name'), z.number()),
  /** Operations by kind: query, insert, update, delete, getmore, command. */
  operations: z.record(ofKind('no name'), z.number()),
  /** Joins by the strategy of the slot-based engine; null if the server has no such counters. */
  joins: z.strictObject({ hash: z.number(), indexedLoop: z.number(), nestedLoop: z.number() }).nullable(),
  /** Null if not counted. */
  collectionScans: knownSchema,
  /** Null if not counted. */
  inMemorySorts: knownSchema,
  /** What query stats left out; null if the server has none. */
  queryStats: z.strictObject({ limited: z.number(), lost: knownSchema }).nullable(),
  /** What the profilers of all databases left out under load; null before 8.3, which drops nothing. */
  profiler: z.strictObject({ dropped: z.number(), switchedOff: z.number() }).nullable(),
  /** Absent if not reported. */
  connections: z
    .strictObject({
      open: figureSchema,
      /** How many can be open at most. */
      limit: figureSchema,
      /** Since the server started. */
      created: figureSchema,
      /** Operations that ran at a time, on average since the server started: their time by its own. Null if not counted. */
      busy: z.number().nonnegative().nullable(),
    })
    .exactOptional(),
  /** Ends of transactions since the server started; absent if not reported. */
  transactions: z.strictObject({ aborted: figureSchema, committed: figureSchema }).exactOptional(),
});

export type ServerCounters = Plain<typeof serverCountersSchema>;

/** Finds that a member of a replica set has answered since it started, by its counters; aggregations are not among them. */
export const nodeReadsSchema = z.strictObject({
  /** For people: "the primary", "secondary 1". */
  node: ofKind('member'),
  finds: z.number(),
  window: windowSchema,
});

export type NodeReads = Plain<typeof nodeReadsSchema>;

/** How often an index was built and dropped, by one source. A command that finds the index there already is not recorded (6.0.5). */
export const indexChangesSchema = z.strictObject({
  namespace: ofKind('namespace'),
  index: ofKind('index'),
  source: z.enum(['profiler', 'logFile', 'recentLog']),
  builds: figureSchema,
  /** Builds that failed, each after as many documents as it had read. */
  failed: figureSchema,
  /** Drops of this index or of all. Those in a log are rarely slow enough to be recorded. */
  drops: figureSchema,
  longestMs: figureSchema,
  /** In ms since 1970. */
  from: timeSchema,
  to: timeSchema,
});

export type IndexChanges = Plain<typeof indexChangesSchema>;

/** Recorded entries of clients, change streams and indexes beyond as many as are kept. */
export const entriesLeftOutSchema = z.strictObject({
  connections: figureSchema,
  changeStreams: figureSchema,
  indexChanges: figureSchema,
});

/** Operations of one shape. Sources may have seen the same executions, so their figures are never added. */
export interface Operation {
  readonly shape: OperationShape;
  readonly figures: { readonly [Source in FigureSource]?: OperationFigures };
  /**
   * The lines of the source that comments of its executions name, as "src/orders.ts:42"; null among them if some name none.
   * Absent without source. It is never written to evidence.
   */
  readonly sentFrom?: readonly (string | null)[];
  /** Present if the rest of the workload is production's, and this was recorded in the linted database. */
  readonly recordedHere?: true;
}

/** Transactions; `recordedHere` as of an operation. */
export interface RecordedTransactions extends Transactions {
  readonly recordedHere?: true;
}

/** A view, traced to the collection that its documents come from. */
export const resolvedViewSchema = z.strictObject({
  namespace: ofKind('namespace'),
  base: ofKind('namespace'),
  /** The stages of all views of the chain, the innermost first. */
  pipeline: pipelineShapeSchema,
  collation: ofKind('no name', z.record(z.string(), z.unknown())).exactOptional(),
  source: z.enum(['inventory', 'profiler']),
});

export type ResolvedView = Readonly<z.output<typeof resolvedViewSchema>>;

/** What is known of the operations that run on the cluster. Plain data without a single literal value. */
export interface Workload {
  readonly operations: readonly Operation[];
  /** Every known view, used by an operation or not. */
  readonly views: readonly ResolvedView[];
  readonly sources: { readonly [Source in FigureSource]: Evidence<WorkloadSource> };
  readonly counters: Evidence<ServerCounters>;
  /** Query settings and index filters; absent in files of earlier versions. */
  readonly pinnedPlans?: Evidence<PinnedPlans>;
  /** The transactions that were recorded; absent if none were. */
  readonly transactions?: readonly RecordedTransactions[];
  /** Builds and drops of indexes that were recorded; absent if no build was. */
  readonly indexChanges?: readonly IndexChanges[];
  /** Recorded statements and ends of transactions beyond as many as are put together; absent if there were none. */
  readonly transactionEntriesLeftOut?: number;
  /** Absent if there were none. */
  readonly entriesLeftOut?: Plain<typeof entriesLeftOutSchema>;
  /** The connections that applications opened, by logs; absent if no log has any. */
  readonly connections?: readonly ClientConnections[];
  /** The change streams that logs show to be behind or lost; absent if none are. */
  readonly changeStreams?: readonly ChangeStreams[];
  /** The reads of each member of a replica set if several answered. */
  readonly nodeReads?: readonly NodeReads[];
  /** Operations recorded before were left out, in ms since 1970; absent if all count. */
  readonly since?: number;
  /** The sources of the operations that were recorded in the linted database, if the others are production's. */
  readonly sourcesHere?: Workload['sources'];
}
