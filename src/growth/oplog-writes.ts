import { BSON, type Document } from 'mongodb';
import { isFigure } from '../connect/answer.js';
import { isIsoTime, MS_PER_SECOND } from '../time-units.js';
import { READING } from './limits.js';

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

/** A write to an array that was read from the oplog, and what has become of the array. */
export interface SampledWrite extends ArrayChange {
  /** The `_id` of the document, as text: a document value. */
  readonly document: string;
  /** In ms since 1970. */
  readonly at: number;
  /** The array's length when it was looked up; null if the document is gone. */
  readonly now: number | null;
}
export type UnresolvedWrite = Omit<SampledWrite, 'now'>;

/** The field of an entry whose content was too large that says whether it held updates. */
export const LEFT_OUT_UPDATES = 'leftOutUpdates';

const AS_STORED: BSON.DeserializeOptions = { bsonRegExp: true, validation: { utf8: false } };

/** An entry of the oplog, or an `_id` with lengths. @throws BSON.BSONError if the bytes are no BSON */
export function decoded(bytes: Uint8Array): Document {
  return BSON.deserialize(bytes, AS_STORED);
}

/** The same for equal `_id`s, whatever type their numbers have. */
export function idText(id: unknown): string {
  return BSON.EJSON.stringify({ id });
}

export function idOf(document: string): unknown {
  return (BSON.EJSON.parse(document) as Document)['id'];
}

/** Reads the writes to arrays in entries of the oplog, those of transactions and bulks among them, in any order. */
export class OplogWrites {
  /** Entries whose updates could not be read. */
  unread = 0;
  /** By the UUID of the collection, in hexadecimal. */
  readonly byCollection = new Map<string, UnresolvedWrite[]>();
  private writes = 0;

  add(entry: Uint8Array): void {
    try {
      const operation = decoded(entry);
      this.operation(operation, timeIn(operation));
    } catch (error) {
      if (!BSON.BSONError.isBSONError(error)) throw error;
      this.unread += 1;
    }
  }

  private operation({ op, ui, o: change, o2: target, [LEFT_OUT_UPDATES]: leftOut }: Document, at: number): void {
    if (leftOut === true || (op === 'u' && !isObject(change))) this.unread += 1;
    if (!isObject(change)) return;
    if (op === 'c') this.operations(change, at);
    if (op !== 'u' || !(ui instanceof BSON.Binary) || !isObject(target) || target['_id'] === undefined) return;
    const changes = arrayChanges(change);
    if (changes.length === 0) return;
    const collection = Buffer.from(ui.buffer).toString('hex');
    const id: unknown = target['_id'];
    const document = idText(id);
    const writes = this.byCollection.get(collection) ?? [];
    this.byCollection.set(collection, writes);
    for (const one of changes) {
      if (this.writes >= READING.mostWrites) return;
      this.writes += 1;
      writes.push({ ...one, document, at });
    }
  }

  /** Of a transaction, or of a bulk that was written as one entry. A prepared one may still be aborted. */
  private operations({ applyOps, prepare }: Document, at: number): void {
    if (prepare === true) this.unread += 1;
    else if (Array.isArray(applyOps)) for (const one of applyOps.filter(isObject)) this.operation(one, at);
  }
}

/** In ms since 1970. */
export function timeIn({ wall, ts }: Document): number {
  if (wall instanceof Date && isIsoTime(wall.getTime())) return wall.getTime();
  return ts instanceof BSON.Timestamp ? ts.t * MS_PER_SECOND : 0;
}

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

function isObject(value: unknown): value is Document {
  return (
    value !== null && Object.prototype.toString.call(value) === '[object Object]' && !('_bsontype' in (value as object))
  );
}
