import type { Operation, ResolvedView, Workload } from '../workload.js';
import { NO_STAGES, viewsByNamespace, type Views } from './scope.js';
import type { Join } from './join.js';
import { joinsOf } from './joins-of.js';

/** The joins of one operation. */
export interface OperationJoins {
  readonly operation: Operation;
  /** Every join that one execution makes, in the order of its stages. */
  readonly joins: readonly Join[];
}

/** A join with what is known to make it. */
export interface JoinUse {
  readonly join: Join;
  /** Null where only a view's definition tells of the join. */
  readonly operation: Operation | null;
  /** The view whose definition tells of it, where no operation does. */
  readonly view: ResolvedView | null;
}

/** One field of a collection that joins search by, whatever sources tell of them. */
export interface JoinedField {
  readonly namespace: string;
  readonly path: string;
  readonly uses: readonly JoinUse[];
}

/** The joins of each operation that makes any. */
export function joinsOfOperations({ operations, views }: Workload): OperationJoins[] {
  const known = viewsByNamespace(views);
  return operations.flatMap((operation) => {
    const joins = joinsOfOperation(operation, known);
    return joins.length === 0 ? [] : [{ operation, joins }];
  });
}

/** The joins that one execution makes; a `find` on a view makes those of the view. */
export function joinsOfOperation({ shape }: Operation, views: Views): Join[] {
  const { namespace, pipeline = NO_STAGES, collation } = shape;
  return joinsOf(pipeline, { namespace, views, ...(collation !== undefined && { collation }) });
}

/** Every join that is known: those of operations, and those of views that no operation was seen to use. */
export function joinUses(workload: Workload): JoinUse[] {
  const views = viewsByNamespace(workload.views);
  const used = new Set(workload.operations.map(({ shape }) => shape.namespace));
  const ofOperations = joinsOfOperations(workload).flatMap(({ operation, joins }) =>
    joins.map((join): JoinUse => ({ join, operation, view: null })),
  );
  const ofViews = workload.views
    .filter(({ namespace }) => !used.has(namespace))
    .flatMap((view) => {
      const { namespace, collation } = view;
      const joins = joinsOf(NO_STAGES, { namespace, views, ...(collation !== undefined && { collation }) });
      return joins.map((join): JoinUse => ({ join, operation: null, view }));
    });
  return [...ofOperations, ...ofViews];
}

/**
 * The uses by the field that an index would have to lead with: one entry per collection and path, however many operations
 * and sources tell of it. A join with several keys is in the entry of each; keys that no index can serve are in none.
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
