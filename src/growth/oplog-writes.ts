import { BSON, type Document } from 'mongodb';
import { isFigure } from '../connect/answer.js';
import { isIsoTime, MS_PER_SECOND } from '../time-units.js';
import { READING } from './limits.js';

// `length`: the array was written whole, or cut, and has `elements` elements. `set`: the elements from index `from` to
// `elements` − 1 were set, so it has at least so many. Arrays in elements of others are left to ages and the history.
export interface ArrayChange {
  readonly kind: 'length' | 'set';
  /** Dotted; field names as they are in the data. */
  readonly path: string;
  readonly from: number;
  readonly elements: number;
}

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

/** The writes to arrays in entries of the oplog, those of transactions and bulks among them, by the UUID of their collection in hexadecimal. */
export class OplogWrites {
  /** Entries whose updates could not be read. */
  unread = 0;
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
    // A prepared transaction may still be aborted.
    if (leftOut === true || (op === 'u' && !isObject(change)) || (op === 'c' && change?.prepare === true))
      this.unread += 1;
    else if (op === 'c' && Array.isArray(change?.applyOps))
      for (const one of change.applyOps.filter(isObject)) this.operation(one, at);
    if (op !== 'u' || !isObject(change) || !(ui instanceof BSON.Binary) || target?._id === undefined) return;
    const collection = Buffer.from(ui.buffer).toString('hex');
    const document = idText(target._id);
    const writes = this.byCollection.get(collection) ?? [];
    for (const one of arrayChanges(change).slice(0, READING.mostWrites - this.writes)) {
      this.writes += 1;
      writes.push({ ...one, document, at });
      this.byCollection.set(collection, writes);
    }
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
  if (!('$v' in update)) readObject(update, '', changes);
  else if (isObject(update['diff'])) readDiff(update['diff'], '', changes);
  return changes.slice(0, MOST_CHANGES);
}

/**
 * `i` and `u` hold an object's own fields, `s` before a name a diff of that field. A diff of an array holds `a: true`, its new
 * length as `l` if it was cut, and `u7` for what was set at index 7; one of an object has no field `a`.
 */
function readDiff(diff: Document, path: string, changes: ArrayChange[]): void {
  const isArray = diff['a'] === true;
  for (const [name, value] of Object.entries(isArray ? {} : diff)) {
    if (!isObject(value)) continue;
    if (name.startsWith('s')) readDiff(value, fieldAt(path, name.slice(1)), changes);
    else if (name !== 'd') readObject(value, path, changes);
  }
  if (!isArray) return;
  const set = Object.keys(diff).flatMap((name) => (/^u\d+$/.test(name) ? [Number(name.slice(1))] : []));
  const length = diff['l'] as unknown;
  if (isFigure(length)) changes.push({ kind: 'length', path, from: 0, elements: length });
  else if (set.length > 0) changes.push({ kind: 'set', path, from: Math.min(...set), elements: Math.max(...set) + 1 });
}

function readObject(object: Document, path: string, changes: ArrayChange[]): void {
  for (const [name, value] of Object.entries(object)) {
    if (changes.length >= MOST_CHANGES) return;
    const at = fieldAt(path, name);
    if (Array.isArray(value)) changes.push({ kind: 'length', path: at, from: 0, elements: value.length });
    else if (isObject(value)) readObject(value, at, changes);
  }
}

const fieldAt = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

function isObject(value: unknown): value is Document {
  return (
    value !== null && Object.prototype.toString.call(value) === '[object Object]' && !('_bsontype' in (value as object))
  );
}
