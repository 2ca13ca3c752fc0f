import type { Operation, ResolvedView } from '../workload.js';
import type { Join } from './join.js';

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

/** One field of a collection that joins search by, whichever sources show them. */
export interface JoinedField {
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
