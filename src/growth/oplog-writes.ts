import { BSON, type Document } from 'mongodb';
import { isIsoTime, MS_PER_SECOND } from '../time-units.js';
import { READING } from './limits.js';
import { arrayChanges, isObject, type ArrayChange } from './oplog-diff.js';

/** A write to an array that was read from the oplog, and what has become of the array. */
export interface DrawnWrite extends ArrayChange {
  /** The `_id` of the document, as text: a document value. */
  readonly document: string;
  /** In ms since 1970. */
  readonly at: number;
  /** By the document's ObjectId, in ms since 1970; null if it has another `_id`. */
  readonly createdAt: number | null;
  /** The array's length when it was looked up; null if the document is gone. */
  readonly now: number | null;
}
export type UnresolvedWrite = Omit<DrawnWrite, 'now'>;

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
    const createdAt = id instanceof BSON.ObjectId ? id.getTimestamp().getTime() : null;
    const writes = this.byCollection.get(collection) ?? [];
    this.byCollection.set(collection, writes);
    for (const one of changes) {
      if (this.writes >= READING.mostWrites) return;
      this.writes += 1;
      writes.push({ ...one, document, at, createdAt });
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
