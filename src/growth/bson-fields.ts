import { valueEnd } from '../profile/bson-types.js';

const LONGEST_CODED = 4;
const BITS_PER_BYTE = 8;

export function nameBytes(name: string): Uint8Array {
  return Buffer.from(name);
}

/** The fields of an object, one after the other: the type byte of a value, and the positions of the value and of its name. */
export class BsonFields {
  type = 0;
  at = 0;
  end = 0;
  nameAt = 0;
  nameEnd = 0;
  private readonly last: number;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly view: DataView,
    start: number,
  ) {
    this.end = start + 4;
    this.last = start + view.getInt32(start, true) - 1;
    if (this.last >= bytes.length) throw new RangeError('not BSON');
  }

  /** False after the last one. @throws RangeError if the bytes are no BSON and lead beyond the object */
  next(): boolean {
    const { bytes, view, last } = this;
    const start = this.end;
    if (start >= last) return false;
    const type = bytes[start] as number;
    let nameEnd = start + 1;
    while (nameEnd < last && bytes[nameEnd] !== 0) nameEnd += 1;
    const at = nameEnd + 1;
    const end = valueEnd(view, bytes, type, at);
    if (end < at || end > last) throw new RangeError('not BSON');
    this.type = type;
    this.at = at;
    this.end = end;
    this.nameAt = start + 1;
    this.nameEnd = nameEnd;
    return true;
  }
}

/** Tells names of at most four bytes apart. */
export function nameCode(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > LONGEST_CODED) return 0;
  let code = 0;
  for (let at = start; at < end; at += 1) code = (code << BITS_PER_BYTE) | (bytes[at] as number);
  return code;
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

  fields(start: number): BsonFields {
    return new BsonFields(this.bytes, this.view, start);
  }

  isName(name: Uint8Array, { nameAt, nameEnd }: BsonFields): boolean {
    if (nameEnd - nameAt !== name.length) return false;
    for (let index = 0; index < name.length; index += 1) {
      if (this.bytes[nameAt + index] !== name[index]) return false;
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
