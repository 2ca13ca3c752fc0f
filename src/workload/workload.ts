import type { Document } from 'mongodb';
import type { Absent, Evidence } from '../presence.js';
import type { Slices } from './shapes/slices.js';
import type { FilterShape, ObjectShape, PipelineShape, Shape } from './shapes/shape.js';

/** The commands whose operations are counted. `findAndModify` also under its other name, `findandmodify`. */
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

/** What operations of one kind have in common once literal values, `comment` and client are taken away. */
export interface OperationShape {
  /** `database.collection` as the client named it; may be a view. */
  readonly namespace: string;
  readonly kind: OperationKind;
  /** Of an aggregate: its own stages; those of a view it runs on are not among them. */
  readonly pipeline?: PipelineShape;
  /** Of find, count, distinct, update, delete and findAndModify. */
  readonly filter?: FilterShape;
  readonly sort?: ObjectShape;
  readonly projection?: ObjectShape;
  /** Of update and findAndModify: operators with the paths they write, or stages; `?object` for a replacement. */
  readonly update?: Shape;
  /** Of distinct. */
  readonly distinctField?: string;
  /** True where at most so many documents are asked for. */
  readonly limited?: true;
  /** True where an update or delete is for every document that matches. */
  readonly multi?: true;
  /** Locale and strength are settings, not values. */
  readonly collation?: Document;
  /**
   * True where the source had cut the command: what the shape shows was there, but stages, predicates and options may
   * be missing.
   */
  readonly truncated?: true;
}

/** Sources that count operations, in order of preference where they know the same number of executions. */
export const FIGURE_SOURCES = ['profiler', 'queryStats', 'logFile', 'recentLog'] as const;

export type FigureSource = (typeof FIGURE_SOURCES)[number];

/** A span of time, in ms since 1970. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/**
 * What one source says of the operations of one shape, added up. A figure is null where the source does not tell it:
 * query stats of 6.0 tell of no documents examined, mongos of none either.
 */
export interface OperationFigures {
  /** Operations begun; the batches that `getMore` fetches later belong to theirs. */
  readonly executions: number;
  /** Time on the server in ms, all batches together. */
  readonly milliseconds: number | null;
  /** The longest that one entry took, in ms. */
  readonly slowestMilliseconds: number | null;
  /**
   * Documents examined, those of joined collections among them. What a `$graphLookup` examines the server does not count;
   * what a `$unionWith` examines it counts with the last batch (measured on 6.0.5 and 6.0.27).
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
  /** Entries by plan summary: `COLLSCAN`, `IXSCAN { a: 1 }`. It tells of the outer collection, never of a joined one. */
  readonly planSummaries: Readonly<Record<string, number>>;
  /** Executions that sorted in memory, without an index. */
  readonly inMemorySorts: number;
  /** Executions that spilled to disk. */
  readonly diskUses: number;
  /**
   * Executions of the slot-based engine. Its unindexed `$lookup` by `localField` and `foreignField` is a hash join where the
   * foreign collection is small (up to 10,000 documents and 100 MB by default, 6.0), not a scan per document.
   */
  readonly slotBasedExecutions: number;
  /** Executions of the classic engine. The engine is told by 6.0 and later, and not by query stats. */
  readonly classicExecutions: number;
  /** The most elements that a literal array had, such as the one of `$in`; null where the source does not tell. */
  readonly longestLiteralArray: number | null;
  /** The widest slices of arrays that were asked for; empty where there were none or the source does not tell. */
  readonly slices: Slices;
  readonly window: Window | null;
}

/** Operations of one shape. Sources may have seen the same executions, so their figures are kept apart and never added. */
export interface Operation {
  readonly shape: OperationShape;
  readonly figures: { readonly [Source in FigureSource]?: OperationFigures };
}

/** What of the operations that ran a source can hold. */
export interface Coverage {
  /**
   * - `all`: every operation.
   * - `slow`: those that took longer than `slowMilliseconds`.
   * - `none`: the source is off; what it holds is left from earlier.
   * - `unknown`: the source does not say.
   */
  readonly operations: 'all' | 'slow' | 'none' | 'unknown';
  readonly slowMilliseconds: number | null;
  /** Share of those operations that is kept, 0 to 1; null where unknown. */
  readonly sampleRate: number | null;
}

/** Where a part of a source was read. */
export interface SourcePlace {
  /** The database, of a profiler; absent for a source that holds the operations of all databases. */
  readonly database?: string;
  /** The member of the replica set, for people: "the primary"; absent for a log file. */
  readonly member?: string;
  /** Base name of the log file. */
  readonly file?: string;
}

/** One place that a source was read at: a database's profiler on one member, a log file. */
export interface SourcePart extends SourcePlace {
  readonly coverage: Coverage;
  /** The time that what was read spans; null where nothing was. */
  readonly window: Window | null;
  /** Entries counted. */
  readonly entries: number;
  /** Entries of mongolint itself, of the server's own work and tools, and of commands that are no operations on data. */
  readonly ignored: number;
  /** Entries or lines that could not be read: cut, interleaved, binary, foreign. Each costs itself and nothing else. */
  readonly unreadable: number;
  /** True where a bound on entries, bytes or time left some out: the oldest, or those that took the least time. */
  readonly bounded: boolean;
}

/** A source that was read. */
export interface WorkloadSource {
  readonly parts: readonly SourcePart[];
  /** What could not be read, or says too little to judge by: each becomes a `skipped` entry. */
  readonly gaps: readonly Absent[];
}

/** A view, traced to the collection that its documents come from. */
export interface ResolvedView {
  readonly namespace: string;
  /** Namespace of the collection at the end of the chain of views. */
  readonly base: string;
  /** The stages of all views of the chain, the innermost first. */
  readonly pipeline: PipelineShape;
  readonly collation?: Document;
  /** Where its definition was found. */
  readonly source: 'inventory' | 'profiler';
}

/** Counters of `serverStatus` since the server started, of the node that was asked. mongolint's own few commands count in. */
export interface ServerCounters {
  readonly window: Window;
  /** Executions by aggregation stage, of stages that were executed at all. */
  readonly stages: Readonly<Record<string, number>>;
  /** Operations by kind: query, insert, update, delete, getmore, command. */
  readonly operations: Readonly<Record<string, number>>;
  /** Joins by the strategy of the slot-based engine; null where the server has no such counters. */
  readonly joins: { readonly hash: number; readonly indexedLoop: number; readonly nestedLoop: number } | null;
  /** Collection scans; null where not counted. */
  readonly collectionScans: number | null;
  /** Sorts in memory; null where not counted. */
  readonly inMemorySorts: number | null;
  /** Queries that query stats left out because of their rate limit; null where the server has no query stats. */
  readonly queriesNotInQueryStats: number | null;
}

/** What is known of the operations that run on the cluster. Plain data without a single literal value. */
export interface Workload {
  readonly operations: readonly Operation[];
  /** Every view that is known, whether an operation used it or not. */
  readonly views: readonly ResolvedView[];
  readonly sources: { readonly [Source in FigureSource]: Evidence<WorkloadSource> };
  readonly counters: Evidence<ServerCounters>;
}
