import { MS_PER_SECOND } from '../../../time-units.js';
import { BOOL, DATE, OBJECT, OBJECT_ID, TIMESTAMP } from '../../../profile/bson-types.js';
import { BsonBuffer, nameBytes, nameCode } from './bson-fields.js';
import { ArrayChangeReader, type ArrayChange } from './oplog-diff.js';

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

interface IdPlace {
  readonly typeAt: number;
  readonly at: number;
  readonly end: number;
}

/** The document that an operation is about. */
export interface ChangedDocument {
  /** UUID of its collection, in hexadecimal. */
  readonly collection: string;
  /** Its collection, a space, and the field `_id` as BSON, a character a byte: a document value. */
  readonly key: string;
  /** By its ObjectId, in ms since 1970; null if it has another `_id`. */
  readonly createdAt: number | null;
}

export interface OperationVisitor {
  updated(document: ChangedDocument, changes: readonly ArrayChange[], at: number, stretch: number): void;
  inserted?(document: ChangedDocument, at: number): void;
  deleted?(document: ChangedDocument): void;
}

/** Reads the operations of entries, those of transactions and bulks among them. */
export class OplogOperations {
  /** Entries whose updates could not be read. */
  unread = 0;
  /** Time must not run backwards if a clock was set back, or another primary's is behind. */
  private latest = -Infinity;
  private buffer = new BsonBuffer(new ArrayBuffer(0));
  private changes = new ArrayChangeReader(this.buffer);

  /** @param isInOrder whether the entries are given in the order of time */
  constructor(
    private readonly visitor: OperationVisitor,
    private readonly isInOrder: boolean,
  ) {}

  /** @param stretch the part of the oplog: between two of them, entries were left out */
  add(entry: Uint8Array, stretch: number): void {
    if (entry.buffer !== this.buffer.bytes.buffer) {
      this.buffer = new BsonBuffer(entry.buffer);
      this.changes = new ArrayChangeReader(this.buffer);
    }
    try {
      this.operation(entry.byteOffset, 0, stretch);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.unread += 1;
    }
  }

  private operation(start: number, at: number, stretch: number): void {
    const { op, collection, change, identity, at: told, leftOutUpdates } = this.parts(start, at);
    const time = this.isInOrder ? Math.max(told, this.latest) : told;
    this.latest = time;
    if (op === 'c') this.operations(change, time, stretch);
    if (leftOutUpdates || (op === 'u' && change < 0)) this.unread += 1;
    if (collection === '') return;
    const id = this.idAt(op === 'd' ? change : identity);
    if (id === null) return;
    if (op === 'u' && change >= 0) {
      const changes = this.changes.readUpdate(change);
      if (changes.length > 0) this.visitor.updated(this.documentOf(collection, id), changes, time, stretch);
    }
    if (op === 'd') this.visitor.deleted?.(this.documentOf(collection, id));
    if (op === 'i') this.visitor.inserted?.(this.documentOf(collection, id), time);
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
  private operations(command: number, time: number, stretch: number): void {
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
    while (listed.next()) if (listed.type === OBJECT) this.operation(listed.at, time, stretch);
  }

  private idAt(identity: number): IdPlace | null {
    if (identity < 0) return null;
    const fields = this.buffer.fields(identity);
    while (fields.next()) {
      const { nameAt, at, end } = fields;
      if (this.buffer.isName(IDENTITY, fields)) return { typeAt: nameAt - 1, at, end };
    }
    return null;
  }

  private documentOf(collection: string, { typeAt, at, end }: IdPlace): ChangedDocument {
    const { buffer } = this;
    const isObjectId = buffer.bytes[typeAt] === OBJECT_ID;
    return {
      collection,
      key: `${collection} ${buffer.key(typeAt, end)}`,
      createdAt: isObjectId ? buffer.view.getUint32(at, false) * MS_PER_SECOND : null,
    };
  }
}
