import { ARRAY, OBJECT, scalarBytes } from '../documents/bson-types.js';

/** Hears of one field: the type byte of its value, where the value begins and ends, and where its name does. */
export type FieldVisitor = (type: number, at: number, end: number, nameAt: number, nameEnd: number) => void;

/** A name to compare with, as its bytes. */
export function nameBytes(name: string): Uint8Array {
  return Buffer.from(name);
}

/** Raw BSON in a buffer, and a view on the same bytes. Positions are those in the buffer. */
export class BsonBuffer {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  private readonly names: Buffer;

  constructor(buffer: ArrayBufferLike) {
    this.bytes = new Uint8Array(buffer);
    this.view = new DataView(buffer);
    this.names = Buffer.from(buffer);
  }

  /**
   * Calls back for each field of an object, or element of an array, that begins at a position.
   *
   * @throws RangeError where the bytes are no BSON and lead beyond the object
   */
  forEachField(start: number, visit: FieldVisitor): void {
    const { bytes, view } = this;
    const last = start + view.getInt32(start, true) - 1;
    for (let at = start + 4; at < last;) {
      const type = bytes[at] as number;
      const nameEnd = bytes.indexOf(0, at + 1);
      const valueAt = nameEnd + 1;
      const isNested = type === OBJECT || type === ARRAY;
      const end = valueAt + (isNested ? view.getInt32(valueAt, true) : scalarBytes(view, bytes, type, valueAt));
      if (nameEnd < 0 || end < valueAt || end > last) throw new RangeError('not BSON');
      visit(type, valueAt, end, at + 1, nameEnd);
      at = end;
    }
  }

  /** Whether the name between two positions is this one. */
  isName(name: Uint8Array, start: number, end: number): boolean {
    if (end - start !== name.length) return false;
    for (let index = 0; index < name.length; index += 1) {
      if (this.bytes[start + index] !== name[index]) return false;
    }
    return true;
  }

  /** A name or string in UTF-8. */
  text(start: number, end: number): string {
    return this.names.toString('utf8', start, end);
  }

  /** Bytes as they are, as a key to tell values apart by. */
  key(start: number, end: number): string {
    return this.names.toString('latin1', start, end);
  }

  /** Bytes in hexadecimal. */
  hex(start: number, end: number): string {
    return this.names.toString('hex', start, end);
  }
}
