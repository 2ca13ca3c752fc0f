import { MS_PER_SECOND } from '../../time-units.js';
import { BOOL, DATE, OBJECT, OBJECT_ID, TIMESTAMP } from '../documents/bson-types.js';
import { ArrayActivity } from './array-activity.js';
import { BsonBuffer, nameBytes } from './bson-fields.js';
import { ArrayChangeReader } from './oplog-diff.js';

/** The field of an entry whose content was too large that says whether it held updates. */
export const LEFT_OUT_UPDATES = 'leftOutUpdates';

const MOST_ARRAYS = 50_000;

/** Milliseconds by which an ObjectId's time may differ from that of the insert to be as good. */
const CLOCK_DIFFERENCE = 10_000;

const [APPLY_OPS, IDENTITY, PREPARE] = [nameBytes('applyOps'), nameBytes('_id'), nameBytes('prepare')];
const [OP, COLLECTION, CHANGE, DOCUMENT, WALL, TIME, LEFT_OUT] = [
  'op',
  'ui',
  'o',
  'o2',
  'wall',
  'ts',
  LEFT_OUT_UPDATES,
].map(nameBytes) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];

/** Where the parts of one operation lie; -1 if missing. */
interface Operation {
  op: string;
  collection: string;
  change: number;
  identity: number;
  at: number;
  leftOutUpdates: boolean;
}

interface DocumentId {
  readonly typeAt: number;
  readonly at: number;
  readonly end: number;
}

/** Keeps what happened to each array of each document, and no value beyond that. */
export class OplogActivities {
  unread = 0;
  /** By the UUID of the collection; there by document and place. */
  private readonly collections = new Map<string, Map<string, ArrayActivity>>();
  /** By collection and `_id`: when documents were inserted whose ObjectId does not show it, and which were deleted. */
  private readonly created = new Map<string, number>();
  private readonly deleted = new Set<string>();
  private arrays = 0;
  /** Time must not run backwards if a clock was set back, or another primary's is behind. */
  private latest = -Infinity;
  private buffer = new BsonBuffer(new ArrayBuffer(0));
  private changes = new ArrayChangeReader(this.buffer);

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

  /** By the UUID of their collection, in hexadecimal, without arrays of deleted documents. */
  byCollection(): Map<string, ArrayActivity[]> {
    const left = (activities: ReadonlyMap<string, ArrayActivity>) =>
      [...activities.values()].filter(({ document }) => !this.deleted.has(document));
    return new Map([...this.collections].map(([collection, activities]) => [collection, left(activities)]));
  }

  private operation(start: number, at: number, stretch: number): void {
    const { op, collection, change, identity, at: told, leftOutUpdates } = this.parts(start, at);
    const time = Math.max(told, this.latest);
    this.latest = time;
    if (op === 'c') this.operations(change, time, stretch);
    if (leftOutUpdates || (op === 'u' && change < 0)) this.unread += 1;
    if (collection === '') return;
    const id = this.idAt(op === 'd' ? change : identity);
    if (id === null) return;
    if (op === 'u' && change >= 0) this.update(collection, id, change, time, stretch);
    if (op === 'd') this.deleted.add(this.keyOf(collection, id));
    if (op === 'i' && Math.abs(this.objectIdTime(id) - time) > CLOCK_DIFFERENCE)
      this.created.set(this.keyOf(collection, id), time);
  }

  private parts(start: number, at: number): Operation {
    const { buffer } = this;
    const { bytes, view } = buffer;
    const found: Operation = { op: '', collection: '', change: -1, identity: -1, at, leftOutUpdates: false };
    buffer.forEachField(start, (type, valueAt, end, nameAt, nameEnd) => {
      const is = (name: Uint8Array) => buffer.isName(name, nameAt, nameEnd);
      if (is(OP)) found.op = String.fromCharCode(bytes[valueAt + 4] as number);
      else if (is(COLLECTION)) found.collection = buffer.hex(valueAt + 5, end);
      else if (type === OBJECT && is(CHANGE)) found.change = valueAt;
      else if (type === OBJECT && is(DOCUMENT)) found.identity = valueAt;
      else if (type === BOOL && is(LEFT_OUT)) found.leftOutUpdates = bytes[valueAt] === 1;
      else if (type === DATE && is(WALL)) found.at = Number(view.getBigInt64(valueAt, true));
      else if (type === TIMESTAMP && is(TIME) && found.at === 0)
        found.at = view.getUint32(valueAt + 4, true) * MS_PER_SECOND;
    });
    return found;
  }

  /** Of a transaction, or of a bulk that was written as one entry. A prepared one may still be aborted. */
  private operations(command: number, time: number, stretch: number): void {
    if (command < 0) return;
    let list = -1;
    let isPrepared = false;
    this.buffer.forEachField(command, (_, valueAt, __, nameAt, nameEnd) => {
      if (this.buffer.isName(APPLY_OPS, nameAt, nameEnd)) list = valueAt;
      if (this.buffer.isName(PREPARE, nameAt, nameEnd)) isPrepared = true;
    });
    if (isPrepared) this.unread += 1;
    if (list < 0 || isPrepared) return;
    this.buffer.forEachField(list, (type, valueAt) => {
      if (type === OBJECT) this.operation(valueAt, time, stretch);
    });
  }

  private idAt(identity: number): DocumentId | null {
    if (identity < 0) return null;
    let id = null as DocumentId | null;
    this.buffer.forEachField(identity, (_, at, end, nameAt, nameEnd) => {
      if (this.buffer.isName(IDENTITY, nameAt, nameEnd)) id = { typeAt: nameAt - 1, at, end };
    });
    return id;
  }

  private update(collection: string, id: DocumentId, change: number, time: number, stretch: number): void {
    const changes = this.changes.readUpdate(change);
    if (changes.length === 0) return;
    const key = this.keyOf(collection, id);
    const activities = this.collections.get(collection) ?? new Map<string, ArrayActivity>();
    this.collections.set(collection, activities);
    for (const one of changes) {
      const place = `${key} ${one.place}`;
      const known = activities.get(place);
      if (known !== undefined) {
        known.change(one, time, stretch);
      } else if (this.arrays < MOST_ARRAYS) {
        this.arrays += 1;
        activities.set(place, new ArrayActivity(one.path, key, this.createdAt(key, id), one, time, stretch));
      }
    }
  }

  private keyOf(collection: string, { typeAt, end }: DocumentId): string {
    return `${collection} ${this.buffer.key(typeAt, end)}`;
  }

  private createdAt(key: string, id: DocumentId): number | null {
    const seen = this.created.get(key);
    if (seen !== undefined) return seen;
    const told = this.objectIdTime(id);
    return told === -Infinity ? null : told;
  }

  private objectIdTime({ typeAt, at }: DocumentId): number {
    return this.buffer.bytes[typeAt] === OBJECT_ID ? this.buffer.view.getUint32(at, false) * MS_PER_SECOND : -Infinity;
  }
}
