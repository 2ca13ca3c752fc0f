import type { Document } from 'mongodb';
import { isFigure } from '../connect/answer.js';

// `length`: the array was written whole, or cut, and has `elements` elements. `set`: the elements from index `from` to
// `elements` − 1 were set, so it has at least so many.
export interface ArrayChange {
  readonly kind: 'length' | 'set';
  /** Dotted, with `[]` for elements of arrays on the way; field names as they are in the data. */
  readonly path: string;
  /** The same with the elements' indexes: which array of the document it is. */
  readonly place: string;
  readonly from: number;
  readonly elements: number;
}

type Place = Pick<ArrayChange, 'path' | 'place'>;

/** A document with more arrays in one entry is not followed further. */
const MOST_CHANGES = 200;

/** What an update did to arrays: `{$v: 2, diff}` as servers from 5.0 on write it, or a whole document. */
export function arrayChanges(update: Document): readonly ArrayChange[] {
  const changes: ArrayChange[] = [];
  const root = { path: '', place: '' };
  if (!('$v' in update)) readObject(update, root, changes);
  else if (isObject(update['diff'])) readObjectDiff(update['diff'], root, changes);
  return changes.slice(0, MOST_CHANGES);
}

/** `i`, `u` and `d` hold an object's own fields, `s` before a name a diff of that field. */
function readObjectDiff(diff: Document, place: Place, changes: ArrayChange[]): void {
  for (const [name, value] of Object.entries(diff)) {
    if (!isObject(value)) continue;
    if (name.startsWith('s')) readDiff(value, fieldAt(place, name.slice(1)), changes);
    else if (name !== 'd') readObject(value, place, changes);
  }
}

/** A diff of an array holds `a: true`; a field of an object's diff has one of the section names, never `a`. */
function readDiff(diff: Document, place: Place, changes: ArrayChange[]): void {
  if (diff['a'] === true) readArrayDiff(diff, place, changes);
  else readObjectDiff(diff, place, changes);
}

/** `l` is the array's new length if it was cut, `u7` sets index 7, `s7` is a diff of element 7. */
function readArrayDiff(diff: Document, place: Place, changes: ArrayChange[]): void {
  const set: number[] = [];
  for (const [name, value] of Object.entries(diff)) {
    const index = Number(name.slice(1));
    if (!isFigure(index)) continue;
    if (name.startsWith('s') && isObject(value)) readDiff(value, elementAt(place, index), changes);
    if (!name.startsWith('u')) continue;
    set.push(index);
    readValue(value, elementAt(place, index), changes);
  }
  const length = diff['l'] as unknown;
  if (isFigure(length)) changes.push({ kind: 'length', ...place, from: 0, elements: length });
  else if (set.length > 0)
    changes.push({ kind: 'set', ...place, from: Math.min(...set), elements: Math.max(...set) + 1 });
}

function readObject(object: Document, place: Place, changes: ArrayChange[]): void {
  for (const [name, value] of Object.entries(object)) readValue(value, fieldAt(place, name), changes);
}

function readValue(value: unknown, place: Place, changes: ArrayChange[]): void {
  if (changes.length >= MOST_CHANGES) return;
  if (isObject(value)) readObject(value, place, changes);
  if (!Array.isArray(value)) return;
  // Most arrays hold no others.
  if (typeof value[0] === 'object')
    for (const [index, element] of value.entries()) readValue(element, elementAt(place, index), changes);
  changes.push({ kind: 'length', ...place, from: 0, elements: value.length });
}

function fieldAt({ path, place }: Place, name: string): Place {
  return path === '' ? { path: name, place: name } : { path: `${path}.${name}`, place: `${place}.${name}` };
}

function elementAt({ path, place }: Place, index: number): Place {
  return { path: `${path}[]`, place: `${place}.${index}` };
}

export function isObject(value: unknown): value is Document {
  return (
    value !== null && Object.prototype.toString.call(value) === '[object Object]' && !('_bsontype' in (value as object))
  );
}
