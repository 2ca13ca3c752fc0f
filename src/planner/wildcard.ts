import type { Document } from 'mongodb';
import type { IndexDescription } from '../inventory/collection.js';

const WILDCARD = '$**';

/** On the whole document or on a subtree, alone or compound. */
export function isWildcard({ key }: Pick<IndexDescription, 'key'>): boolean {
  return Object.keys(key).some(isWildcardKey);
}

/** From MongoDB 7.0 on. */
export function isCompoundWildcard(index: IndexDescription): boolean {
  return isWildcard(index) && Object.keys(index.key).length > 1;
}

export function coversPath(index: Pick<IndexDescription, 'key' | 'wildcardProjection'>, path: string): boolean {
  const [field = ''] = Object.keys(index.key);
  if (field !== WILDCARD) return isAtOrBelow(path, field.slice(0, -`.${WILDCARD}`.length));
  const projection = flatten(index.wildcardProjection ?? {});
  // `_id` is not covered unless the projection asks for it.
  if (isAtOrBelow(path, '_id')) return projection.get('_id') === true;
  const fields = [...projection].filter(([name]) => name !== '_id');
  const including = fields.some(([, included]) => included);
  const isNamed = fields.some(([name]) => isAtOrBelow(path, name));
  return including || (fields.length === 0 && projection.get('_id') === true) ? isNamed : !isNamed;
}

function isWildcardKey(field: string): boolean {
  return field === WILDCARD || field.endsWith(`.${WILDCARD}`);
}

function isAtOrBelow(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}.`);
}

/** Nested documents mean the same as dots. */
function flatten(projection: Document, prefix = '', paths = new Map<string, boolean>()): ReadonlyMap<string, boolean> {
  for (const [name, value] of Object.entries(projection)) {
    const isNested = typeof value === 'object' && value !== null && !('_bsontype' in value);
    if (isNested) flatten(value, `${prefix}${name}.`, paths);
    else paths.set(prefix + name, Number(value) !== 0);
  }
  return paths;
}
