import type { Document } from 'mongodb';
import type { Shape } from '../shapes/shape.js';

/**
 * How a join is written.
 *
 * - `fields`: `localField` and `foreignField`.
 * - `fields-and-pipeline`: both, with a sub-pipeline after them (the concise correlated form, 5.0 and later).
 * - `expression`: `let` with a sub-pipeline that compares in `$expr`.
 * - `graph`: `$graphLookup`.
 * - `uncorrelated`: a sub-pipeline that knows nothing of the outer document; it runs once and its result is kept.
 */
export type JoinForm = 'fields' | 'fields-and-pipeline' | 'expression' | 'graph' | 'uncorrelated';

/** Why a field cannot be traced back to a collection. */
export type NotTraced =
  /** An expression makes it, of more than one field or of none. */
  | 'computed'
  /** The field is not there any more at this point, so it never equals anything but null. */
  | 'removed'
  /** It is a value of the command, not of a document. */
  | 'constant'
  /** A stage before makes new documents in a way that is not followed. */
  | 'opaque-stage'
  /** A name on the path is data, such as an id, and was not kept. */
  | 'name-is-data';

/** Where the values of a field come from. */
export type Origin =
  | {
      readonly traced: true;
      /** The collection, never a view. */
      readonly namespace: string;
      /** Dotted path in its documents, without marks for arrays on the way. */
      readonly path: string;
      /** The operator that converts the value on its way, such as `$toObjectId`; null where it stays what it is. */
      readonly conversion: string | null;
    }
  | { readonly traced: false; readonly because: NotTraced; readonly stage: string | null };

/** What keeps an index of the foreign collection from serving a key, whatever indexes there are. Measured on 6.0.5 and 6.0.27. */
export type Hindrance =
  /** `$expr` with `$in`, in either direction. */
  | 'membership'
  /** The foreign field is converted, as by `$toString`, before it is compared. */
  | 'converted-foreign-field'
  /** The foreign side is computed from its document. */
  | 'computed-foreign-field'
  /** The comparison lies within another operator, such as `$cond`, `$not`, `$let` or an object. */
  | 'wrapped-comparison'
  /** `$ne`. */
  | 'inequality'
  /** An `$or` with a branch that compares nothing with the outer document. */
  | 'alternatives'
  /** A stage stands before the comparison that it cannot be moved ahead of, such as `$limit` or `$group`. */
  | 'stage-before'
  /** A stage before renames the field from a nested path, which the server does not see through. */
  | 'nested-rename';

/** How to write the join so that an index can serve it. */
export type Rewrite =
  /** `localField` and `foreignField` compare with each element of an array by themselves. */
  | 'use-local-and-foreign-field'
  /** One `$eq` for each of several foreign fields, under `$or`. */
  | 'compare-each-field'
  /** Convert the outer document's side in `let`, or store both keys as one type. */
  | 'convert-local-side'
  /** Store the computed value in a field of its own and compare with that. */
  | 'store-computed-field'
  /** Compare a field with a variable directly: `{$eq: ['$field', '$$variable']}`. */
  | 'compare-field-with-variable'
  /** Two joins, or a `$match` of the first alternative alone. */
  | 'split-alternatives'
  /** Move the comparison ahead of the stage, or join the collection in place of its view. */
  | 'match-before-stage'
  /** Compare with the stored path in place of the new name. */
  | 'compare-stored-path';

/** Whether an index can serve a key. */
export type Indexability =
  | {
      readonly possible: true;
      /** The collection that the index must be on, never a view. */
      readonly namespace: string;
      /** The path that the index must lead with. */
      readonly path: string;
    }
  | {
      readonly possible: false;
      readonly because: Hindrance;
      /** The stage in the way, such as `$limit`; null where none is. */
      readonly stage: string | null;
      readonly rewrite: Rewrite | null;
    }
  | {
      /** Not judgeable. */
      readonly possible: null;
      readonly because: NotTraced;
      readonly stage: string | null;
    };

/** One comparison between the two sides. */
export interface JoinKey {
  /** As seen from the foreign field: `$gte` for foreign ≥ local. `$eq` for every other form than `expression`. */
  readonly operator: '$eq' | '$gt' | '$gte' | '$lt' | '$lte' | '$ne' | '$in';
  readonly local: {
    /** As the pipeline has it: `customerId`, `$$order.customerId`; an expression is null. */
    readonly written: string | null;
    readonly origin: Origin;
  };
  readonly foreign: {
    /** A path, as the pipeline has it; null for an expression. */
    readonly written: string | null;
    readonly origin: Origin;
  };
  readonly index: Indexability;
  /** Keys of an `$or` carry the number of their branch: only where every branch has an index is any used. Null otherwise. */
  readonly branch: number | null;
}

/** A predicate on the foreign documents that does not depend on the outer one. */
export interface JoinCondition {
  /** Path in the foreign collection; null where it could not be traced. */
  readonly path: string | null;
  readonly operator: string;
  /** Placeholder of the operand: `?string`. */
  readonly operand: Shape;
  /** True where it holds before any stage that it cannot be moved ahead of, so that an index can serve it. */
  readonly isIndexable: boolean;
}

/** Where a join stands among the stages of its pipeline. */
export interface JoinPosition {
  /** Joins that it lies within. */
  readonly depth: number;
  /** A `$match` stands before it. */
  readonly afterMatch: boolean;
  /** A `$limit`, `$sample` or `$group` before it keeps the outer documents few. */
  readonly afterLimit: boolean;
  readonly afterGroup: boolean;
  /** Paths unwound before it: each element is joined by itself. */
  readonly afterUnwind: readonly string[];
  /** An `$unwind` of the joined documents follows. */
  readonly unwound: boolean;
  /** A `$match` on the joined documents follows: the join is done for documents that are then thrown away. */
  readonly matchedAfter: boolean;
  /** A `$match` follows that needs nothing of the joined documents. */
  readonly sourceMatchedAfter: boolean;
  /** A `$limit` follows that the join need not have waited for: between them no stage changes which or how many. */
  readonly limitedAfter: boolean;
}

/** One join of a pipeline. */
export interface Join {
  readonly form: JoinForm;
  readonly stage: '$lookup' | '$graphLookup';
  /** Way to the stage: `1`, `view.0`, `2.$facet.byRegion.0`, `1.$lookup.0`, `0.$unionWith.3`. */
  readonly at: string;
  readonly source: {
    /** What the pipeline around the stage runs on, as written; may be a view. */
    readonly namespace: string;
    /** The collection its documents come from. */
    readonly base: string;
  };
  readonly foreign: {
    /** As written; may be a view. */
    readonly namespace: string;
    readonly base: string;
  };
  /** Field that the joined documents are put into. */
  readonly as: string | null;
  /** All comparisons. An index that serves one of them serves the join; empty for `uncorrelated`, or where variables are used otherwise. */
  readonly keys: readonly JoinKey[];
  readonly conditions: readonly JoinCondition[];
  readonly position: JoinPosition;
  /** Collation of the operation or view; joins compare by it. */
  readonly collation?: Document;
}
