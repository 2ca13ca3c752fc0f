import { ARRAY, OBJECT } from '../profile/bson-types.js';
import { nameBytes, type BsonBuffer } from './bson-fields.js';

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

interface Place {
  readonly path: string;
  readonly place: string;
}

const ROOT: Place = { path: '', place: '' };

/** A document with more arrays in one entry is not followed further. */
const MOST_CHANGES = 200;
/** The server allows 100 levels of nesting in a document. */
const MOST_LEVELS = 100;

const VERSION = nameBytes('$v');
const DIFF = nameBytes('diff');
const [LETTER_A, LETTER_I, LETTER_L, LETTER_S, LETTER_U] = [...nameBytes('ailsu')] as [
  number,
  number,
  number,
  number,
  number,
];

export class ArrayChangeReader {
  private changes: ArrayChange[] = [];

  constructor(private readonly buffer: BsonBuffer) {}

  /** `{$v: 2, diff}` as servers from 5.0 on write it, or a whole document. */
  readUpdate(at: number): readonly ArrayChange[] {
    this.changes = [];
    let diff = -1;
    let isDiff = false;
    const fields = this.buffer.fields(at);
    while (fields.next()) {
      if (this.buffer.isName(VERSION, fields)) isDiff = true;
      if (this.buffer.isName(DIFF, fields)) diff = fields.at;
    }
    if (!isDiff) this.readObject(at, ROOT, 0);
    else if (diff >= 0) this.readObjectDiff(diff, ROOT, 0);
    return this.changes;
  }

  /** `i`, `u` and `d` hold an object's own fields, `s` before a name a diff of that field. */
  private readObjectDiff(at: number, place: Place, level: number): void {
    if (level > MOST_LEVELS) return;
    const fields = this.buffer.fields(at);
    while (fields.next()) {
      if (fields.type !== OBJECT) continue;
      const letter = this.buffer.bytes[fields.nameAt];
      if (letter === LETTER_S)
        this.readSubDiff(fields.at, this.field(place, fields.nameAt + 1, fields.nameEnd), level + 1);
      else if (letter === LETTER_U || letter === LETTER_I) this.readObject(fields.at, place, level + 1);
    }
  }

  private readSubDiff(at: number, place: Place, level: number): void {
    if (this.isArrayDiff(at)) this.readArrayDiff(at, place, level);
    else this.readObjectDiff(at, place, level);
  }

  /** A diff of an array begins with `a: true`; a field of an object's diff has one of the section names, never `a`. */
  private isArrayDiff(at: number): boolean {
    return this.buffer.bytes[at + 5] === LETTER_A && this.buffer.bytes[at + 6] === 0;
  }

  /** `l` is the array's new length if it was cut, `u7` sets index 7, `s7` is a diff of element 7. */
  private readArrayDiff(at: number, place: Place, level: number): void {
    if (level > MOST_LEVELS) return;
    let length = -1;
    let from = Infinity;
    let last = -1;
    const fields = this.buffer.fields(at);
    while (fields.next()) {
      const letter = this.buffer.bytes[fields.nameAt];
      if (letter === LETTER_L) length = this.buffer.view.getInt32(fields.at, true);
      if (letter !== LETTER_S && letter !== LETTER_U) continue;
      const index = Number(this.buffer.text(fields.nameAt + 1, fields.nameEnd));
      if (letter === LETTER_S) {
        this.readSubDiff(fields.at, element(place, index), level + 1);
        continue;
      }
      from = Math.min(from, index);
      last = Math.max(last, index);
      this.readValue(fields.type, fields.at, place, index, level + 1);
    }
    if (length >= 0) this.add({ kind: 'length', ...place, from: 0, elements: length });
    else if (last >= 0) this.add({ kind: 'set', ...place, from, elements: last + 1 });
  }

  private readObject(at: number, place: Place, level: number): void {
    if (level > MOST_LEVELS) return;
    const fields = this.buffer.fields(at);
    while (fields.next()) {
      if (fields.type !== OBJECT && fields.type !== ARRAY) continue;
      const field = this.field(place, fields.nameAt, fields.nameEnd);
      if (fields.type === OBJECT) this.readObject(fields.at, field, level + 1);
      else this.readArray(fields.at, field, level + 1);
    }
  }

  private readValue(type: number, at: number, array: Place, index: number, level: number): void {
    if (this.changes.length >= MOST_CHANGES) return;
    if (type === OBJECT) this.readObject(at, element(array, index), level);
    else if (type === ARRAY) this.readArray(at, element(array, index), level);
  }

  private readArray(at: number, place: Place, level: number): void {
    if (level > MOST_LEVELS) return;
    let elements = 0;
    const isNested = this.mayHoldArrays(at);
    const fields = this.buffer.fields(at);
    while (fields.next()) {
      if (isNested) this.readValue(fields.type, fields.at, place, elements, level + 1);
      elements += 1;
    }
    this.add({ kind: 'length', ...place, from: 0, elements });
  }

  private mayHoldArrays(at: number): boolean {
    const type = this.buffer.bytes[at + 4];
    return type === OBJECT || type === ARRAY;
  }

  private field({ path, place }: Place, nameAt: number, nameEnd: number): Place {
    const name = this.buffer.text(nameAt, nameEnd);
    return path === '' ? { path: name, place: name } : { path: `${path}.${name}`, place: `${place}.${name}` };
  }

  private add(change: ArrayChange): void {
    if (this.changes.length < MOST_CHANGES) this.changes.push(change);
  }
}

function element(place: Place, index: number): Place {
  return { path: `${place.path}[]`, place: `${place.place}.${index}` };
}
