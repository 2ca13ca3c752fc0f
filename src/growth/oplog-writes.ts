import { MS_PER_SECOND } from '../time-units.js';
import { BOOL, DATE, OBJECT, OBJECT_ID, TIMESTAMP } from '../profile/bson-types.js';
import { BsonBuffer, nameBytes, nameCode } from './bson-fields.js';
import { MOST_WRITES } from './limits.js';
import { ArrayChangeReader, type ArrayChange } from './oplog-diff.js';

/** A write to an array that was read from the oplog, and what has become of the array. */
export interface DrawnWrite extends ArrayChange {
  /** UUID of the collection, a space, and the field `_id` as BSON, a character a byte: a document value. */
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

const [APPLY_OPS, IDENTITY, PREPARE] = [nameBytes('applyOps'), nameBytes('_id'), nameBytes('prepare')];
const LEFT_OUT = nameBytes(LEFT_OUT_UPDATES);
const [OP, COLLECTION, CHANGE, DOCUMENT, WALL, TIME] = ['op', 'ui', 'o', 'o2', 'wall', 'ts'].map((name) =>
  nameCode(nameBytes(name), 0, name.length),
) as [number, number, number, number, number, number];

/** Where the parts of one operation lie; -1 if missing. */
interface Operation {
  op: string;
  collection: string;
  change: number;
  identity: number;
  at: number;
  leftOutUpdates: boolean;
}

/** Reads the writes to arrays in entries of the oplog, those of transactions and bulks among them, in any order. */
export class OplogWrites {
  /** Entries whose updates could not be read. */
  unread = 0;
  /** By the UUID of the collection, in hexadecimal. */
  readonly byCollection = new Map<string, UnresolvedWrite[]>();
  private writes = 0;
  private buffer = new BsonBuffer(new ArrayBuffer(0));
  private changes = new ArrayChangeReader(this.buffer);

  add(entry: Uint8Array): void {
    if (entry.buffer !== this.buffer.bytes.buffer) {
      this.buffer = new BsonBuffer(entry.buffer);
      this.changes = new ArrayChangeReader(this.buffer);
    }
    try {
      this.operation(entry.byteOffset, 0);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.unread += 1;
    }
  }

  private operation(start: number, time: number): void {
    const { op, collection, change, identity, at, leftOutUpdates } = this.parts(start, time);
    if (op === 'c') this.operations(change, at);
    if (leftOutUpdates || (op === 'u' && change < 0)) this.unread += 1;
    if (op !== 'u' || change < 0 || identity < 0 || collection === '') return;
    const changes = this.changes.readUpdate(change);
    if (changes.length > 0) this.keep(collection, identity, changes, at);
  }

  private parts(start: number, at: number): Operation {
    const { buffer } = this;
    const { bytes, view } = buffer;
    const found: Operation = { op: '', collection: '', change: -1, identity: -1, at, leftOutUpdates: false };
    const fields = buffer.fields(start);
    while (fields.next()) {
      const { type, at: valueAt } = fields;
      const name = nameCode(bytes, fields.nameAt, fields.nameEnd);
      if (name === OP) found.op = String.fromCharCode(bytes[valueAt + 4] as number);
      else if (name === COLLECTION) found.collection = buffer.hex(valueAt + 5, fields.end);
      else if (type === OBJECT && name === CHANGE) found.change = valueAt;
      else if (type === OBJECT && name === DOCUMENT) found.identity = valueAt;
      else if (type === BOOL && buffer.isName(LEFT_OUT, fields)) found.leftOutUpdates = bytes[valueAt] === 1;
      else if (type === DATE && name === WALL) found.at = Number(view.getBigInt64(valueAt, true));
      else if (type === TIMESTAMP && name === TIME && found.at === 0)
        found.at = view.getUint32(valueAt + 4, true) * MS_PER_SECOND;
    }
    return found;
  }

  /** Of a transaction, or of a bulk that was written as one entry. A prepared one may still be aborted. */
  private operations(command: number, time: number): void {
    if (command < 0) return;
    let list = -1;
    let isPrepared = false;
    const fields = this.buffer.fields(command);
    while (fields.next()) {
      if (this.buffer.isName(APPLY_OPS, fields)) list = fields.at;
      if (this.buffer.isName(PREPARE, fields)) isPrepared = true;
    }
    if (isPrepared) this.unread += 1;
    if (list < 0 || isPrepared) return;
    const listed = this.buffer.fields(list);
    while (listed.next()) if (listed.type === OBJECT) this.operation(listed.at, time);
  }

  private keep(collection: string, identity: number, changes: readonly ArrayChange[], at: number): void {
    const { buffer } = this;
    const fields = buffer.fields(identity);
    while (fields.next()) {
      if (!buffer.isName(IDENTITY, fields)) continue;
      const document = `${collection} ${buffer.key(fields.nameAt - 1, fields.end)}`;
      const createdAt = fields.type === OBJECT_ID ? buffer.view.getUint32(fields.at, false) * MS_PER_SECOND : null;
      const writes = this.byCollection.get(collection) ?? [];
      this.byCollection.set(collection, writes);
      for (const change of changes) {
        if (this.writes >= MOST_WRITES) return;
        this.writes += 1;
        writes.push({ ...change, document, at, createdAt });
      }
      return;
    }
  }
}
