import { isSameCollation } from '../../../inventory/collation.js';
import type { Collection, IndexDescription } from '../../../inventory/collection.js';
import { isCollatable } from '../../../inventory/filter-values.js';
import { ownValue } from '../../../plain.js';
import {
  CLASSIC_OBSTACLES,
  type Condition,
  conditionsOf,
  equalities,
  localeOf,
  seeksForExpr,
} from './classic-obstacles.js';
import { joinObstacle } from './join-indexability.js';
import { type EqualityJoin, isClassic, type JoinedIndex, type JoinServer, type Obstacle } from './joined-index.js';
import { coversPath, isCompoundWildcard, isWildcard } from './wildcard.js';

/** Measured on 6.0.5 and 6.0.27: these kinds serve no equality on a field before them either. */
const SPECIAL_KINDS: Readonly<Record<string, string>> = {
  text: 'it is a text index, which serves $text only',
  '2d': 'it is a geospatial index, which serves geospatial operators only',
  '2dsphere': 'it is a geospatial index, which serves geospatial operators only',
  '2dsphere_bucket': 'it is a geospatial index, which serves geospatial operators only',
  geoHaystack: 'it is a geospatial index, which serves geospatial operators only',
};

const INDEX_OBSTACLES: readonly Obstacle[] = [hidden, beingBuilt, specialKind, wildcardFields, fields];
const ENGINE = 'the engine that runs a $lookup without a pipeline';

/**
 * What keeps the slot-based engine from using an index, as measured on 6.0.5, and on 6.0.27 with
 * `internalQueryForceClassicEngine: false`. It plans once, before it knows a local value, so it takes only indexes that
 * can serve any.
 */
const SLOT_BASED_OBSTACLES: readonly Obstacle[] = [clustered, incomplete, hashedBehind, collation];

/**
 * Why the server can't use an index for the equality of a join, for every local value that the join may have: a clause that
 * follows the name of the index, such as "it is hidden, …". Null if it can.
 *
 * As measured on 6.0.5 and 6.0.27. What depends on other versions, or is not known of the join, counts as unfavourable.
 *
 * @param index of the foreign collection; of a time-series collection, not of its buckets
 * @param foreign for a view, the collection behind it, with the path traced back to that
 */
export function indexObstacle(
  index: IndexDescription,
  join: EqualityJoin,
  foreign: Collection,
  server: JoinServer = {},
): string | null {
  const ofJoin = joinObstacle(join, foreign);
  if (ofJoin !== null) return `no index can serve this join: ${ofJoin}`;
  const joined = { index, join, foreign, server };
  const obstacles = [...INDEX_OBSTACLES, ...(isClassic(joined) ? CLASSIC_OBSTACLES : SLOT_BASED_OBSTACLES)];
  for (const obstacle of obstacles) {
    const because = obstacle(joined);
    if (because !== null) return because;
  }
  return null;
}

/**
 * Why nobody can say yet whether the server uses an index for a join: it is being built, or that depends on the version
 * in a way that is not known. Null if `indexObstacle` is certain.
 */
export function undecidedUse(
  index: IndexDescription,
  join: EqualityJoin,
  foreign: Collection,
  server: JoinServer = {},
): string | null {
  const { building, ...built } = index;
  if (indexObstacle(index, join, foreign, server) === null) return null;
  if (indexObstacle(built, join, foreign, { ...server, isFavourable: true }) !== null) return null;
  if (building === true) return 'it is still being built. Run again when it is done';
  if (seeksForExpr(server) !== null || server.version === undefined) return null;
  return `it is not known whether MongoDB ${server.version} finds by the order of a clustered collection for $expr. explain("executionStats") of the pipeline shows it: it examines few documents, or all`;
}

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

function hidden({ index }: JoinedIndex): string | null {
  return index.hidden ? 'it is hidden, and the server plans as if it did not exist' : null;
}

function beingBuilt({ index }: JoinedIndex): string | null {
  return index.building === true ? 'it is still being built' : null;
}

function specialKind({ index }: JoinedIndex): string | null {
  const kind = Object.values(index.key).find((value) => typeof value === 'string' && value !== 'hashed');
  if (kind === undefined) return null;
  return ownValue(SPECIAL_KINDS, String(kind)) ?? `it is of the kind "${kind}", which serves no equality`;
}

function wildcardFields({ index, join }: JoinedIndex): string | null {
  if (!isWildcard(index)) return null;
  if (isCompoundWildcard(index)) return 'it is a compound wildcard index, which is not known to serve joins';
  return coversPath(index, join.foreignField) ? null : `its wildcard does not cover "${join.foreignField}"`;
}

/**
 * An index serves an equality on its first field, or on a later one if the join sets the fields before it equal. With a
 * range on them, the index is walked over the whole range.
 */
function fields(joined: JoinedIndex): string | null {
  const { index, join } = joined;
  if (isWildcard(index)) return null;
  const names = Object.keys(index.key);
  const position = names.indexOf(join.foreignField);
  if (position === -1) return `it does not hold the field "${join.foreignField}"`;
  // A JavaScript object lists such names first, wherever they are in the key pattern.
  if (names.length > 1 && names.some((name) => /^\d+$/.test(name))) {
    return 'mongolint cannot see the order of its fields, as one of them is named by a number';
  }
  const open = names.slice(0, position).find((name) => !isPinned(joined, name));
  if (open === undefined) return null;
  return `"${join.foreignField}" comes after "${open}", for which the join gives no value to look up`;
}

function isPinned({ index, join }: JoinedIndex, field: string): boolean {
  // Bounds on two fields below one array cannot be combined, as they may mean different elements.
  if (join.foreignArrays === true && rootOf(field) === rootOf(join.foreignField)) return false;
  const sameCollation = isSameCollation(index.collation, join.collation);
  return conditionsOf(join.filter ?? {}).some(
    (condition) => condition.path === field && isLookedUp(condition, sameCollation),
  );
}

function isLookedUp(condition: Condition, sameCollation: boolean): boolean {
  const values = equalities(condition);
  if (values === null || values.length === 0) return false;
  return values.every((value) => value !== null && value !== undefined && (sameCollation || !isCollatable(value)));
}

function rootOf(path: string): string {
  return path.split('.', 1)[0] ?? path;
}
