import { MS_PER_SECOND } from '../../time-units.js';
import { DATE, DOUBLE, EMPTY_OBJECT_BYTES, INT, LONG, OBJECT_ID, valueEnd } from '../bson-types.js';
import { type KeptColumns, LengthSeries } from './kept-documents.js';
import { longAt } from '../value-facts.js';

/** Of documents with more dates, the first ones. */
const MOST_FIELDS = 8;
const HIGH = 2 ** 32;
const LOW_BITS = 0x1fffff;

/** More documents would sharpen no estimate that matters. */
const MOST_DOCUMENTS = 1_000;
const FIRST_CAPACITY = 64;
const MOST_LENGTHS = 200_000;

/** If ObjectIds show the ages, dates are read only in one of so many documents, to check them. */
const DATES_EVERY = 16;

/** `_id` and its terminator, as a little-endian number. */
const ID_NAME = 0x0064_695f;
const ID_NAME_BYTES = 4;

/** Of the smallest document with an `_id`: a null. */
const LEAST_BYTES_WITH_ID = EMPTY_OBJECT_BYTES + 1 + ID_NAME_BYTES;

// If there are too many documents, half of them are dropped, and so on: by their `_id`s, so that later runs keep the same
// ones. Every document passes here: it does little.
export class GrowthSample {
  isKept = false;
  private number = -1;
  /** Documents are kept whose `_id`'s digest has none of these bits. */
  private mask = 0;
  private count = 0;
  // In columns: an object for each document would cost more than all the rest.
  private numbers = new Float64Array(FIRST_CAPACITY);
  private sizes = new Float64Array(FIRST_CAPACITY);
  private digests = new Float64Array(FIRST_CAPACITY);
  private objectIdTimes = new Float64Array(FIRST_CAPACITY);
  private numericIds = new Float64Array(FIRST_CAPACITY);
  private readonly datesOf = new Map<number, readonly (number | undefined)[]>();
  private lengths = 0;
  private readonly series: LengthSeries[] = [];
  private readonly dates = new TopLevelDates();

  columns(): KeptColumns {
    const kept = (column: Float64Array) => column.subarray(0, this.count);
    return {
      numbers: kept(this.numbers),
      sizes: kept(this.sizes),
      digests: kept(this.digests),
      objectIdTimes: kept(this.objectIdTimes),
      numericIds: kept(this.numericIds),
      dates: new Map(this.dates.fields.map((name, field) => [name, this.datesAt(field)])),
      datesRead: this.datesOf.size,
    };
  }

  private datesAt(field: number): Float64Array {
    const column = new Float64Array(this.count).fill(NaN);
    let index = 0;
    // Both rise with the documents' numbers.
    for (const [number, dates] of this.datesOf) {
      while (this.numbers[index] !== number) index += 1;
      column[index] = dates[field] ?? NaN;
    }
    return column;
  }

  begin(bytes: Uint8Array, view: DataView, start: number, size: number): void {
    const number = this.number + 1;
    this.number = number;
    const at = start + 4;
    // The server stores `_id` first.
    const type = size >= LEAST_BYTES_WITH_ID && view.getInt32(at + 1, true) === ID_NAME ? (bytes[at] as number) : 0;
    const value = at + 1 + ID_NAME_BYTES;
    const digest = type === 0 ? NaN : idDigest(bytes, at, valueEnd(view, bytes, type, value));
    this.isKept = isKeptBy(this.mask, digest, number);
    if (!this.isKept) return;
    if (this.count >= MOST_DOCUMENTS || this.lengths >= MOST_LENGTHS) {
      this.thin();
      this.isKept = isKeptBy(this.mask, digest, number) && this.count < MOST_DOCUMENTS && this.lengths < MOST_LENGTHS;
      if (!this.isKept) return;
    }
    if (this.count === this.numbers.length) this.makeRoom();
    const index = this.count;
    this.numbers[index] = number;
    this.sizes[index] = size;
    this.digests[index] = digest;
    this.objectIdTimes[index] = type === OBJECT_ID ? view.getUint32(value, false) * MS_PER_SECOND : NaN;
    this.numericIds[index] = type === OBJECT_ID ? NaN : numberAt(view, type, value);
    if (type !== 0 && (type !== OBJECT_ID || number % DATES_EVERY === 0))
      this.datesOf.set(number, this.dates.read(bytes, view, start));
    this.count += 1;
  }

  add(series: LengthSeries | null, elements: number, arrays: number): LengthSeries {
    const added = series ?? this.newSeries();
    added.add(this.number, arrays === 1 ? elements : elements / arrays);
    this.lengths += 1;
    return added;
  }

  private newSeries(): LengthSeries {
    const series = new LengthSeries();
    this.series.push(series);
    return series;
  }

  private makeRoom(): void {
    this.numbers = larger(this.numbers);
    this.sizes = larger(this.sizes);
    this.digests = larger(this.digests);
    this.objectIdTimes = larger(this.objectIdTimes);
    this.numericIds = larger(this.numericIds);
  }

  private thin(): void {
    this.mask = 2 * this.mask + 1;
    const dropped = new Set<number>();
    let kept = 0;
    for (let index = 0; index < this.count; index += 1) {
      const number = this.numbers[index] as number;
      if (!isKeptBy(this.mask, this.digests[index] as number, number)) {
        this.datesOf.delete(number);
        dropped.add(number);
        continue;
      }
      for (const column of [this.numbers, this.sizes, this.digests, this.objectIdTimes, this.numericIds])
        column[kept] = column[index] as number;
      kept += 1;
    }
    this.count = kept;
    for (const series of this.series) series.remove(dropped);
    this.lengths = this.series.reduce((sum, { size }) => sum + size, 0);
  }
}

function isKeptBy(mask: number, digest: number, number: number): boolean {
  return ((Number.isNaN(digest) ? number : digest) & mask) === 0;
}

function larger(column: Float64Array): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(Math.min(2 * column.length, MOST_DOCUMENTS));
  copy.set(column);
  return copy;
}

function numberAt(view: DataView, type: number, at: number): number {
  if (type === INT) return view.getInt32(at, true);
  if (type === LONG) return Number(view.getBigInt64(at, true));
  return type === DOUBLE ? view.getFloat64(at, true) : NaN;
}

/**
 * A number of 53 bits that stands for an `_id`: quick, and even in its lowest bits. Not one-way: never printed or stored.
 * Source: `cyrb53` by bryc, public domain.
 *
 * @param start the type byte of the element `_id`
 */
function idDigest(bytes: Uint8Array, start: number, end: number): number {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    one = Math.imul(one ^ byte, 0x9e3779b1);
    other = Math.imul(other ^ byte, 0x5f356495);
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  return HIGH * (other & LOW_BITS) + (one >>> 0);
}

class TopLevelDates {
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
