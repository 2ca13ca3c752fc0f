import type { OperationKind } from '../workload/workload.js';
import type { FilterShape, ObjectShape } from '../workload/shapes/shape.js';

/** What a file is for: findings are about the application alone. */
export type FileRole = 'application' | 'test' | 'migration' | 'script' | 'client';

/** A filter as the source writes it. */
export interface CodeFilter {
  readonly shape: FilterShape;
  /** Whether all its paths are known. */
  readonly closed: boolean;
  /** Paths that are only sometimes there. */
  readonly sometimes: ReadonlySet<string>;
}

/** One way in which an operation can come out. What is absent is not known; null is known not to be there. */
export interface CodeShape {
  readonly filter?: CodeFilter;
  readonly sort?: ObjectShape | null;
  readonly limited?: boolean;
  /** Operators of an update with their paths, or `replacement`. */
  readonly update?: ObjectShape | 'replacement';
  readonly stages?: readonly CodeStage[];
}

export interface CodeStage {
  readonly name: string;
  readonly filter?: CodeFilter;
  /** Of a join: the collection and its fields, as far as they are known. */
  readonly join?: {
    readonly from: string | null;
    readonly localField: string | null;
    readonly foreignField: string | null;
  };
  readonly line: number;
}

/** A call in the source that sends an operation. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly role: FileRole;
  readonly method: string;
  readonly kinds: readonly OperationKind[];
  /** Null if it is not known. */
  readonly collection: string | null;
  readonly database: string | null;
  readonly library: 'driver' | 'mongoose' | 'meteor';
  /** The ways in which it can come out; null if nothing is known of what it asks for. */
  readonly shapes: readonly CodeShape[] | null;
  /** Whether each way is known completely. */
  readonly complete: boolean;
  /** Why not all of it is known. */
  readonly because?: 'collection' | 'arguments';
  /** The call within a wrapper that sends it, if the place is a call of the wrapper. */
  readonly through?: { readonly file: string; readonly line: number };
}
