import { ARRAY, OBJECT, scalarBytes } from '../../documents/bson-types.js';

/** Receives the type byte of a value, and the positions of the value and of its name. */
export type FieldVisitor = (type: number, at: number, end: number, nameAt: number, nameEnd: number) => void;

export function nameBytes(name: string): Uint8Array {
  return Buffer.from(name);
}

export class BsonBuffer {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  private readonly names: Buffer;

  constructor(buffer: ArrayBufferLike) {
    this.bytes = new Uint8Array(buffer);
    this.view = new DataView(buffer);
    this.names = Buffer.from(buffer);
  }

  /** @throws RangeError if the bytes are no BSON and lead beyond the object */
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

  isName(name: Uint8Array, start: number, end: number): boolean {
    if (end - start !== name.length) return false;
    for (let index = 0; index < name.length; index += 1) {
      if (this.bytes[start + index] !== name[index]) return false;
    }
    return true;
  }

  text(start: number, end: number): string {
    return this.names.toString('utf8', start, end);
  }

  key(start: number, end: number): string {
    return this.names.toString('latin1', start, end);
  }

  hex(start: number, end: number): string {
    return this.names.toString('hex', start, end);
  }
}
