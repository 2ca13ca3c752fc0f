import { localeOf } from './classic-obstacles.js';
import { isSameCollation } from '../../../inventory/collation.js';
import type { JoinedIndex, Obstacle } from './joined-index.js';
import { isWildcard } from './wildcard.js';

const ENGINE = 'the engine that runs a $lookup without a pipeline';

/**
 * What keeps the slot-based engine from using an index, as measured on 6.0.5, and on 6.0.27 with
 * `internalQueryForceClassicEngine: false`. It plans once, before it knows a local value, so it takes only indexes that
 * can serve any.
 */
export const SLOT_BASED_OBSTACLES: readonly Obstacle[] = [clustered, incomplete, hashedBehind, collation];

function clustered({ index }: JoinedIndex): string | null {
  if (!index.clustered) return null;
  return `it is the order of a clustered collection, which ${ENGINE} does not use; an empty pipeline makes the server use it`;
}

function incomplete({ index }: JoinedIndex): string | null {
  const kinds = {
    wildcard: isWildcard(index),
    sparse: index.sparse,
    partial: index.partialFilterExpression !== undefined,
  };
  const kind = Object.entries(kinds).find(([, applies]) => applies)?.[0];
  return kind === undefined ? null : `it is a ${kind} index, and ${ENGINE} uses only indexes that hold every document`;
}

/**
 * SERVER-92668, not fixed in 6.0: the engine takes such an index and hashes the value of its first field, so the join
 * finds nothing. It prefers an index with fewer fields, which makes the results right.
 */
function hashedBehind({ index, join }: JoinedIndex): string | null {
  if (index.key[join.foreignField] === 'hashed' || !Object.values(index.key).includes('hashed')) return null;
  return `it has a hashed field behind "${join.foreignField}", with which ${ENGINE} finds nothing (SERVER-92668)`;
}

/** Unlike the classic engine, it requires the same collation even if no local value is a string. */
function collation({ index, join }: JoinedIndex): string | null {
  if (isSameCollation(index.collation, join.collation)) return null;
  return `its collation (${localeOf(index.collation)}) is not the join's (${localeOf(join.collation)}), and ${ENGINE} requires the same`;
}
