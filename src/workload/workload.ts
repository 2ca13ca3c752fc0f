import type { Document } from 'mongodb';
import type { Absent, Evidence } from '../presence.js';
import type { Burst } from './operations/burst-tally.js';
import type { ClientExecutions } from './operations/clients.js';
import type { ListLengths } from './operations/list-tally.js';
import type { Waiting } from './operations/waiting.js';
import type { Slices } from './shapes/slices.js';
import type { FilterShape, ObjectShape, PipelineShape, Shape } from './shapes/shape.js';

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
export interface OperationShape {
  /** `database.collection` as the client named it; may be a view. */
  readonly namespace: string;
  readonly kind: OperationKind;
  /** The stages of an aggregate itself, without those of a view it runs on. */
  readonly pipeline?: PipelineShape;
  /** For find, count, distinct, update, delete and findAndModify. */
  readonly filter?: FilterShape;
  readonly sort?: ObjectShape;
  readonly projection?: ObjectShape;
  /** For update and findAndModify: operators with the paths they write, or stages; `?object` for a replacement. */
  readonly update?: Shape;
  readonly distinctField?: string;
  /** Present if at most a number of documents is asked for. */
  readonly limited?: true;
  /** Present if an update or delete is for every document that matches. */
  readonly multi?: true;
  /** Locale and strength are settings, not values. */
  readonly collation?: Document;
  /** Present if the source had truncated the command: stages, predicates and options may be missing. */
  readonly truncated?: true;
}

/** Sources that count operations, in order of preference if they know as many executions. `routerLog` is mongos's. */
export const FIGURE_SOURCES = ['profiler', 'queryStats', 'logFile', 'recentLog', 'routerLog'] as const;

export type FigureSource = (typeof FIGURE_SOURCES)[number];

/** A span of time, in ms since 1970. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/**
 * What one source reports about the operations of one shape, added up. A figure is null if the source does not report
 * it, such as documents examined in query stats of 6.0.
 */
export interface OperationFigures {
  /** Operations begun; the batches that `getMore` fetches later belong to theirs. */
  readonly executions: number;
  /** Time on the server in ms, all batches together. */
  readonly milliseconds: number | null;
  readonly slowestMilliseconds: number | null;
  /**
   * Includes joined collections. The server does not count what a `$graphLookup` examines, and counts a `$unionWith`
   * with the last batch (measured on 6.0.5 and 6.0.27).
   */
  readonly documentsExamined: number | null;
  readonly keysExamined: number | null;
  readonly documentsReturned: number | null;
  /** Documents inserted, modified or deleted. */
  readonly documentsWritten: number | null;
  /** Bytes of all replies. */
  readonly responseBytes: number | null;
  /** Bytes of the largest reply. */
  readonly largestResponseBytes: number | null;
  /** Entries by plan summary: `COLLSCAN`, `IXSCAN { a: 1 }`. It describes the outer collection, never a joined one. */
  readonly planSummaries: Readonly<Record<string, number>>;
  /** Null if the source does not report it, and so are those that used the disk. */
  readonly inMemorySorts: number | null;
  readonly diskUses: number | null;
  /**
   * Executions of the slot-based engine. It makes an unindexed `$lookup` by `localField` and `foreignField` a hash join
   * if the foreign collection is small (up to 10,000 documents and 100 MB by default, 6.0).
   */
  readonly slotBasedExecutions: number;
  /** Executions of the classic engine. 6.0 and later report the engine, but not in query stats. */
  readonly classicExecutions: number;
  /** Elements of the longest literal array, such as that of `$in`; null if the source does not report it. */
  readonly longestLiteralArray: number | null;
  /** The widest slices of arrays that were asked for; empty if there were none or the source does not report them. */
  readonly slices: Slices;
  /** Lists of values of `$in`, by path; absent if none was longer than 100 or the source does not report them. */
  readonly lists?: Readonly<Record<string, ListLengths>>;
  /** What `skip` passed over; absent if nothing did or the source does not report it. */
  readonly skips?: Skips;
  /** Executions by the number of shards that mongos sent them to; absent if the source is no log of mongos. */
  readonly shardsContacted?: Readonly<Record<string, number>>;
  /** Who ran them; absent if the source knows nothing of any client. */
  readonly clients?: readonly ClientExecutions[];
  /** Absent below 50 executions, or if the source does not report when each began. */
  readonly busiest?: Burst;
  /** What they waited for; absent if for nothing, or if the source does not tell. */
  readonly waiting?: Waiting;
  readonly window: Window | null;
}

/** Documents that executions passed over by `skip` before they returned the first. */
export interface Skips {
  /** Executions that skipped any. */
  readonly executions: number;
  readonly documents: number;
  readonly deepest: number;
}

/** Operations of one shape. Sources may have seen the same executions, so their figures are never added. */
export interface Operation {
  readonly shape: OperationShape;
  readonly figures: { readonly [Source in FigureSource]?: OperationFigures };
  /** Present if the rest of the workload is production's, and this was recorded in the linted database. */
  readonly recordedHere?: true;
}

/** Which of the operations that ran a source can hold. */
export interface Coverage {
  /**
   * - `all`: every operation.
   * - `slow`: those that took longer than `slowMilliseconds`.
   * - `part`: some of them, because the source samples, was full, or differs from member to member.
   * - `none`: the source is off; it may hold older operations.
   * - `unknown`: the source does not say.
   */
  readonly operations: 'all' | 'slow' | 'part' | 'none' | 'unknown';
  /** Faster operations are not recorded; null if they are, or if it is unknown. */
  readonly slowMilliseconds: number | null;
  /** Share of those operations that is kept, 0 to 1; null if unknown. */
  readonly sampleRate: number | null;
}

export interface SourcePlace {
  /** The database whose profiler it is; absent for a source that holds the operations of all databases. */
  readonly database?: string;
  /** The member of the replica set, for people: "the primary"; absent for a log file. */
  readonly member?: string;
  /** Base name of the log file. */
  readonly file?: string;
}

/** One place that a source was read at: a database's profiler on one member, a log file. */
export interface SourcePart extends SourcePlace {
  readonly coverage: Coverage;
  /** The time span of what was read; null if nothing was. */
  readonly window: Window | null;
  readonly entries: number;
  /** Of mongolint itself, of the server's work and tools, of commands other than operations on data; lines of an earlier log. */
  readonly ignored: number;
  /** Entries or lines that could not be read: truncated, interleaved, binary, foreign. */
  readonly unreadable: number;
  /** Whether a limit on entries, bytes or time left some out: the oldest, or the fastest. */
  readonly bounded: boolean;
}

export interface WorkloadSource {
  readonly parts: readonly SourcePart[];
  /** What could not be read, or says too little to judge by: each becomes a `skipped` entry. */
  readonly gaps: readonly Absent[];
}

/** A view, traced to the collection that its documents come from. */
export interface ResolvedView {
  readonly namespace: string;
  readonly base: string;
  /** The stages of all views of the chain, the innermost first. */
  readonly pipeline: PipelineShape;
  readonly collation?: Document;
  readonly source: 'inventory' | 'profiler';
}

/** Counters of `serverStatus` of one node since the server started. mongolint's own few commands are included. */
export interface ServerCounters {
  readonly window: Window;
  readonly stages: Readonly<Record<string, number>>;
  /** Operations by kind: query, insert, update, delete, getmore, command. */
  readonly operations: Readonly<Record<string, number>>;
  /** Joins by the strategy of the slot-based engine; null if the server has no such counters. */
  readonly joins: { readonly hash: number; readonly indexedLoop: number; readonly nestedLoop: number } | null;
  /** Null if not counted. */
  readonly collectionScans: number | null;
  /** Null if not counted. */
  readonly inMemorySorts: number | null;
  /** What query stats left out; null if the server has none. */
  readonly queryStats: {
    /** By the rate limit or the sample rate. */
    readonly limited: number;
    /** Entries that had to go as the store was full, or could not be written. */
    readonly lost: number | null;
  } | null;
  /** What the profilers of all databases left out under load; null before 8.3, which drops nothing. */
  readonly profiler: { readonly dropped: number; readonly switchedOff: number } | null;
}

/** Finds that a member of a replica set has answered since it started, by its counters; aggregations are not among them. */
export interface NodeReads {
  /** For people: "the primary", "secondary 1". */
  readonly node: string;
  readonly finds: number;
  readonly window: Window;
}

/** What is known of the operations that run on the cluster. Plain data without a single literal value. */
export interface Workload {
  readonly operations: readonly Operation[];
  /** Every known view, used by an operation or not. */
  readonly views: readonly ResolvedView[];
  readonly sources: { readonly [Source in FigureSource]: Evidence<WorkloadSource> };
  readonly counters: Evidence<ServerCounters>;
  /** Of a replica set of which several members told theirs. */
  readonly nodeReads?: readonly NodeReads[];
  /** The sources of the operations that were recorded in the linted database, if the others are production's. */
  readonly sourcesHere?: Workload['sources'];
}
