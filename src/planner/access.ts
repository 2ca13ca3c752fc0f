import type { Document } from 'mongodb';
import type { IndexDescription } from '../inventory/collection.js';

export type SortField = readonly [path: string, direction: 1 | -1];

/** What the planner has to know of a collection, whatever is asked of it. */
export interface PlannedCollection {
  /** Whether documents hold an array at a dotted path (not on the way to it); undefined if that is not known. */
  holdsArray(path: string): boolean | undefined;
}

/** What the server does differently from version to version; absent: what is unfavourable is assumed. */
export interface PlannedServer {
  readonly version?: string;
}

/** What is asked of one collection. */
export interface PlannedQuery {
  readonly filter: Document;
  readonly sort: readonly SortField[];
  readonly limit?: number;
  readonly skip?: number;
  /** The paths that are returned, without `_id` unless it is named; null for whole documents. */
  readonly returns: readonly string[] | null;
  /** Null for the simple one. */
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
  readonly because: RefusalReason;
  /** The path of the query or of the key that it hangs on; empty if it is the index as a whole. */
  readonly path: string;
}

/** How the keys of one field are bounded: by single values, by ranges, or not at all. */
export type BoundsKind = 'points' | 'range' | 'all';

export interface PathBounds {
  readonly path: string;
  readonly kind: BoundsKind;
}

/** One walk over an index: of several, each serves a branch of an `$or`. */
export interface IndexScan {
  readonly bounds: readonly PathBounds[];
}

/** What the server does with an index for a query. */
export interface Access {
  readonly index: IndexDescription;
  readonly scans: readonly [IndexScan, ...IndexScan[]];
  /** Whether conditions remain that only the documents can decide. */
  readonly testsDocuments: boolean;
  /** Whether the documents come in the order that is asked for without being sorted in memory; true if none is asked for. */
  readonly givesOrder: boolean;
  /** Whether the keys alone answer, so that no document is read. */
  readonly covered: boolean;
}
