import { isSameCollation, isSimpleCollation } from '../inventory/collation.js';
import type { IndexDescription } from '../inventory/collection.js';
import type { PlannedCollection, PlannedQuery } from './access.js';
import type { KeyField } from './bounds.js';
import { coversPath, isWildcard } from './wildcard.js';

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
