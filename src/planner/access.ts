import type { Document } from 'mongodb';
import type { IndexDescription } from '../inventory/collection.js';
import type { Condition, Predicate } from './predicate.js';

export type SortField = readonly [path: string, direction: 1 | -1];

/** What the planner has to know of a collection, whatever is asked of it. */
export interface PlannedCollection {
  /** Whether documents hold an array at a dotted path itself, not on the way to it; undefined if that is not known. */
  holdsArray(path: string): boolean | undefined;
}

/** What the server does differently from version to version; without a version, what is unfavourable is assumed. */
export interface PlannedServer {
  readonly version?: string;
}

/** What is asked of one collection. */
export interface PlannedQuery {
  readonly filter: Predicate;
  readonly sort: readonly SortField[];
  /** The paths that are returned; null for whole documents. `_id` is among them unless it is left out. */
  readonly returns: readonly string[] | null;
  /** What strings are compared by; null for the simple collation. */
  readonly collation: Document | null;
}

export type RefusalReason =
  | 'hidden'
  | 'building'
  | 'other field'
  | 'partial filter'
  | 'collation'
  | 'sparse'
  | 'wildcard'
  | 'hashed'
  | 'special'
  | 'array'
  | 'operator'
  | 'array position';

/** Why the server does not use an index for a query. */
export interface Refusal {
  readonly index: IndexDescription;
  readonly because: RefusalReason;
  /** The path of the query or of the key that it hangs on; empty if it is the index as a whole. */
  readonly path: string;
}

/**
 * How the keys of one field are bounded: by single values, by ranges, by the type alone (a pattern without a beginning), or not
 * at all.
 */
export type BoundsKind = 'points' | 'range' | 'type' | 'all';

export interface PathBounds {
  readonly path: string;
  readonly kind: BoundsKind;
  /** How many values it is, of points; null if that is not known. */
  readonly points: number | null;
  /** The conditions that bound it. */
  readonly by: readonly Condition[];
}

/** One walk over an index: of several, each serves a branch of an `$or`. */
export interface IndexScan {
  /** The bounds of each field of the key, in its order. */
  readonly bounds: readonly PathBounds[];
  /** The conditions that its keys decide, so that no document that fails them is read. */
  readonly decides: readonly Condition[];
}

/** What the server does with an index for a query. */
export interface Access {
  readonly index: IndexDescription;
  readonly scans: readonly [IndexScan, ...IndexScan[]];
  /** Whether conditions remain that only the documents can decide. */
  readonly testsDocuments: boolean;
  /** Whether documents come in the order that is asked for without a sort in memory; so they do without an order. */
  readonly givesOrder: boolean;
  /** Whether the keys alone answer, so that no document is read. */
  readonly covered: boolean;
  /** True if the values of the query decide whether a partial index holds what it asks for, and only their types are known. */
  readonly hangsOnValues?: true;
}

export function isRefused(answer: Access | Refusal): answer is Refusal {
  return 'because' in answer;
}
