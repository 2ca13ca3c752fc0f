import type { Document } from 'mongodb';
import type { Shape } from '../shapes/shape.js';
import type { Operation, ResolvedView } from '../workload.js';

/** A field by which the documents of one collection belong to those of another. */
export interface ChildRelation {
  readonly parent: string;
  readonly child: string;
  /** Dotted path in the child's documents, without arrays on the way. */
  readonly path: string;
}

/** A join with what is known to make it. */
export interface JoinUse {
  readonly join: Join;
  /** Null if only a view's definition shows the join. */
  readonly operation: Operation | null;
  /** The view whose definition shows it, if no operation does. */
  readonly view: ResolvedView | null;
}

/**
 * How a join is written.
 *
 * - `fields`: `localField` and `foreignField`.
 * - `fields-and-pipeline`: both, followed by a sub-pipeline (the concise correlated form, 5.0 and later).
 * - `expression`: `let` with a sub-pipeline that compares in `$expr`.
 * - `graph`: `$graphLookup`.
 * - `uncorrelated`: a sub-pipeline independent of the outer document; it runs once, and its result is kept.
 */
export type JoinForm = 'fields' | 'fields-and-pipeline' | 'expression' | 'graph' | 'uncorrelated';

/** Why a field cannot be traced back to a collection. */
export type NotTraced =
  /** An expression of several fields or of none. */
  | 'computed'
  /** The field no longer exists at this point, so it never equals anything but null. */
  | 'removed'
  /** A value of the command, not of a document. */
  | 'constant'
  /** A stage before makes new documents in a way that is not followed. */
  | 'opaque-stage'
  /** A name on the path is data, such as an id, and was not kept. */
  | 'name-is-data';

export type Origin =
  | {
      readonly traced: true;
      /** The collection, never a view. */
      readonly namespace: string;
      /** Dotted, without marks for arrays on the way. */
      readonly path: string;
      /** The operator that converts the value on its way, such as `$toObjectId`; null if none does. */
      readonly conversion: string | null;
    }
  | { readonly traced: false; readonly because: NotTraced; readonly stage: string | null };

/** What keeps every index of the foreign collection from serving a key. Measured on 6.0.5 and 6.0.27. */
export type Hindrance =
  /** `$expr` with `$in`, in either direction. */
  | 'membership'
  | 'converted-foreign-field'
  | 'computed-foreign-field'
  /** Within another operator, such as `$cond`, `$not`, `$let` or an object. */
  | 'wrapped-comparison'
  | 'inequality'
  /** An `$or` with a branch that compares nothing with the outer document. */
  | 'alternatives'
  /** A stage before the comparison that it cannot be moved ahead of, such as `$limit` or `$group`. */
  | 'stage-before'
  /** A stage before renames the field from a nested path, which the server does not follow. */
  | 'nested-rename';

export type Indexability =
  | {
      readonly possible: true;
      readonly namespace: string;
      /** The path that the index must lead with. */
      readonly path: string;
    }
  | {
      readonly possible: false;
      readonly because: Hindrance;
      /** The stage in the way, such as `$limit`; null if there is none. */
      readonly stage: string | null;
    }
  | {
      /** Not judgeable. */
      readonly possible: null;
      readonly because: NotTraced;
      readonly stage: string | null;
    };

/** One comparison between the two sides. */
export interface JoinKey {
  /** As seen from the foreign field: `$gte` for foreign ≥ local. `$eq` in every form but `expression`. */
  readonly operator: '$eq' | '$gt' | '$gte' | '$lt' | '$lte' | '$ne' | '$in';
  readonly local: {
    /** As in the pipeline: `customerId`, `$$order.customerId`; null for an expression. */
    readonly written: string | null;
    readonly origin: Origin;
  };
  readonly foreign: {
    /** As in the pipeline; null for an expression. */
    readonly written: string | null;
    readonly origin: Origin;
  };
  readonly index: Indexability;
  /** The number of the `$or` branch: indexes are used only if every branch has one. Null outside an `$or`. */
  readonly branch: number | null;
}

/** A predicate on the foreign documents that does not depend on the outer one. */
export interface JoinCondition {
  /** Path in the foreign collection; null if it could not be traced. */
  readonly path: string | null;
  readonly operator: string;
  /** Placeholder of the operand: `?string`. */
  readonly operand: Shape;
  /** Whether it can be moved ahead of all stages before it, so that an index can serve it. */
  readonly isIndexable: boolean;
}

export interface JoinPosition {
  /** Paths unwound before it: each element is joined by itself. */
  readonly afterUnwind: readonly string[];
  /**
   * A `$match` on the joined documents follows, and no `$match`, `$limit`, `$sample` or `$group` before it keeps the outer documents
   * few: the join is made for documents that are then discarded.
   */
  readonly filteredAfter: boolean;
}

/** One join of a pipeline. */
export interface Join {
  readonly form: JoinForm;
  readonly stage: '$lookup' | '$graphLookup';
  /** Path to the stage: `1`, `view.0`, `2.$facet.byRegion.0`, `1.$lookup.0`, `0.$unionWith.3`. */
  readonly at: string;
  readonly source: {
    /** What the pipeline around the stage runs on, as written; may be a view. */
    readonly namespace: string;
    readonly base: string;
  };
  readonly foreign: {
    /** As written; may be a view. */
    readonly namespace: string;
    readonly base: string;
  };
  readonly as: string | null;
  /** All comparisons: an index that serves one of them serves the join. Empty for `uncorrelated`. */
  readonly keys: readonly JoinKey[];
  readonly conditions: readonly JoinCondition[];
  readonly position: JoinPosition;
  readonly collation?: Document;
}

/** One field of a collection that joins search by, whichever sources show them. */
interface JoinedField {
  readonly namespace: string;
  readonly path: string;
  readonly uses: readonly JoinUse[];
}

/**
 * The uses by the field that an index would have to lead with: one entry per collection and path, however many operations
 * and sources show it. A join with several keys is in the entry of each; a key that no index can serve is in no entry.
 */
export function joinedFields(uses: readonly JoinUse[]): JoinedField[] {
  const fields = new Map<string, { namespace: string; path: string; uses: JoinUse[] }>();
  for (const use of uses) {
    for (const { index } of use.join.keys) {
      if (index.possible !== true) continue;
      const { namespace, path } = index;
      const name = JSON.stringify([namespace, path]);
      const field = fields.get(name) ?? { namespace, path, uses: [] };
      if (!field.uses.includes(use)) field.uses.push(use);
      fields.set(name, field);
    }
  }
  return [...fields.values()];
}

/** Null if the join is not one from parents to their children. */
export function childRelation({ stage, keys, foreign }: Join): ChildRelation | null {
  const [key, ...others] = keys;
  if (stage !== '$lookup' || key === undefined || others.length > 0 || key.operator !== '$eq') return null;
  const [local, joined] = [key.local.origin, key.foreign.origin];
  if (!local.traced || !joined.traced || local.conversion !== null || joined.conversion !== null) return null;
  const isOfChildren =
    local.path === '_id' &&
    joined.path !== '_id' &&
    joined.namespace === foreign.base &&
    local.namespace !== foreign.base;
  return isOfChildren ? { parent: local.namespace, child: foreign.base, path: joined.path } : null;
}
