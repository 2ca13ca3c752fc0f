import { type Condition, conditionsOf, equalities } from './filter-conditions.js';
import { isCollatable } from '../../../inventory/filter-values.js';
import { isSameCollation } from '../../../inventory/collation.js';
import type { JoinedIndex, Obstacle } from './joined-index.js';
import { coversPath, isCompoundWildcard, isWildcard } from './wildcard.js';

/** Measured on 6.0.5 and 6.0.27: these kinds serve no equality on a field before them either. */
const SPECIAL_KINDS: Readonly<Record<string, string>> = {
  text: 'it is a text index, which serves $text only',
  '2d': 'it is a geospatial index, which serves geospatial operators only',
  '2dsphere': 'it is a geospatial index, which serves geospatial operators only',
  '2dsphere_bucket': 'it is a geospatial index, which serves geospatial operators only',
  geoHaystack: 'it is a geospatial index, which serves geospatial operators only',
};

export const INDEX_OBSTACLES: readonly Obstacle[] = [hidden, building, specialKind, wildcardFields, fields];

function hidden({ index }: JoinedIndex): string | null {
  return index.hidden ? 'it is hidden, and the server plans as if it did not exist' : null;
}

function building({ index }: JoinedIndex): string | null {
  return index.building === true ? 'it is still being built' : null;
}

function specialKind({ index }: JoinedIndex): string | null {
  const kind = Object.values(index.key).find((value) => typeof value === 'string' && value !== 'hashed');
  if (kind === undefined) return null;
  return SPECIAL_KINDS[kind] ?? `it is of the kind "${kind}", which serves no equality`;
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
