import type { Document } from 'mongodb';
import { isSameCollation, isSimpleCollation } from '../inventory/collation.js';
import type { IndexDescription } from '../inventory/collection.js';
import type { PlannedCollection, PlannedQuery } from './access.js';
import type { KeyField } from './bounds.js';

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

/** The arrays at a path and on the way to it. What is not known counts as none. */
export function arraysOf(path: string, collection: PlannedCollection): string[] {
  const names = path.split('.');
  return names
    .map((_, end) => names.slice(0, end + 1).join('.'))
    .filter((each) => collection.holdsArray(each) === true);
}

/**
 * The fields of an index, in its order. A wildcard index is one for each path that it covers: of those that a query asks for, each
 * is a list of its own.
 */
export function keyFieldsOf(
  index: IndexDescription,
  collection: PlannedCollection,
  query: PlannedQuery,
  asked: Iterable<string>,
): KeyField[][] {
  const isMultikey = (path: string) => arraysOf(path, collection).length > 0;
  const fieldOf = (path: string, kind: KeyField['kind'], position: number, others: readonly string[]): KeyField => ({
    path,
    kind,
    position,
    sparse: !index.sparse ? null : others.length === 1 ? 'alone' : 'beside others',
    isSameCollation: isSameCollation(index.collation, query.collation),
    isCollated: !isSimpleCollation(index.collation),
    isMultikey: isMultikey(path),
    isOfMultikeyIndex: others.some((other) => isMultikey(other)),
    isPosition: namesPosition(path, collection),
  });
  if (isWildcard(index)) {
    const paths = new Set([...asked].filter((path) => coversPath(index, path)));
    return [...paths].map((path) => [fieldOf(path, 'wildcard', 0, [path])]);
  }
  const paths = Object.keys(index.key);
  return [
    paths.map((path, position) => fieldOf(path, index.key[path] === 'hashed' ? 'hashed' : 'ordered', position, paths)),
  ];
}

/** Whether a path names an element of an array by its position. */
function namesPosition(path: string, collection: PlannedCollection): boolean {
  const names = path.split('.');
  return names.some((name, at) => /^\d+$/.test(name) && collection.holdsArray(names.slice(0, at).join('.')) === true);
}
