import type { Join } from './join.js';

/** A field by which the documents of one collection belong to those of another. */
export interface ChildRelation {
  readonly parent: string;
  readonly child: string;
  /** Dotted path in the child's documents, without arrays on the way. */
  readonly path: string;
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
