import { DATE, valueEnd } from '../bson-types.js';
import { longAt } from '../value-facts.js';

/** Of documents with more dates, the first ones. */
const MOST_FIELDS = 8;

export class TopLevelDates {
  private readonly names: Uint8Array[] = [];

  get fields(): string[] {
    return this.names.map((name) => Buffer.from(name).toString('utf8'));
  }

  /** In ms since 1970, in the order of `fields`; with holes and a shorter list if the document has fewer. */
  read(bytes: Uint8Array, view: DataView, start: number): number[] {
    const dates: number[] = [];
    for (let at = start + 4; bytes[at] !== 0;) {
      const type = bytes[at] as number;
      let nameEnd = at + 1;
      while (bytes[nameEnd] !== 0) nameEnd += 1;
      const value = nameEnd + 1;
      if (type === DATE) {
        const field = this.fieldAt(bytes, at + 1, nameEnd);
        if (field >= 0) dates[field] = longAt(view, value);
      }
      at = valueEnd(view, bytes, type, value);
    }
    return dates;
  }

  private fieldAt(bytes: Uint8Array, start: number, end: number): number {
    const { names } = this;
    const length = end - start;
    for (let field = 0; field < names.length; field += 1) {
      const name = names[field] as Uint8Array;
      if (name.length !== length) continue;
      let index = 0;
      while (index < length && name[index] === bytes[start + index]) index += 1;
      if (index === length) return field;
    }
    return names.length < MOST_FIELDS ? names.push(bytes.slice(start, end)) - 1 : -1;
  }
}
