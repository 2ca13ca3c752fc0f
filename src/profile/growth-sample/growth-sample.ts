import { MS_PER_SECOND } from '../../time-units.js';
import { DATE, DOUBLE, EMPTY_OBJECT_BYTES, INT, LONG, OBJECT_ID, valueEnd } from '../bson-types.js';
import { afterName, nameText } from '../field-name.js';
import { longAt } from '../value-facts.js';
import { type KeptDocuments, LengthSeries } from './kept-documents.js';

/** Of documents with more dates, the first ones. */
const MOST_FIELDS = 8;
const HIGH = 2 ** 32;
const LOW_BITS = 0x1fffff;

/** More documents would sharpen no estimate that matters. */
const MOST_DOCUMENTS = 1_000;
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
  // In columns: an object for each document would cost more than all the rest.
  private readonly columns = {
    numbers: [] as number[],
    sizes: [] as number[],
    digests: [] as number[],
    objectIdTimes: [] as number[],
    numericIds: [] as number[],
  };
  /** By the documents' numbers, and by field. */
  private readonly datesOf = new Map<number, ReadonlyMap<string, number>>();
  private readonly dateFields = new Set<string>();
  private lengths = 0;
  private readonly series: LengthSeries[] = [];

  kept(): KeptDocuments {
    const { numbers, sizes, digests, objectIdTimes, numericIds } = this.columns;
    const datesAt = (field: string) =>
      Float64Array.from(numbers, (number) => this.datesOf.get(number)?.get(field) ?? NaN);
    return {
      numbers: Float64Array.from(numbers),
      sizes: Float64Array.from(sizes),
      digests: Float64Array.from(digests),
      objectIdTimes: Float64Array.from(objectIdTimes),
      numericIds: Float64Array.from(numericIds),
      dates: new Map([...this.dateFields].map((field) => [field, datesAt(field)])),
      datesRead: this.datesOf.size,
    };
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
    if (this.isFull()) {
      this.thin();
      this.isKept = isKeptBy(this.mask, digest, number) && !this.isFull();
      if (!this.isKept) return;
    }
    const { numbers, sizes, digests, objectIdTimes, numericIds } = this.columns;
    numbers.push(number);
    sizes.push(size);
    digests.push(digest);
    objectIdTimes.push(type === OBJECT_ID ? view.getUint32(value, false) * MS_PER_SECOND : NaN);
    numericIds.push(numberAt(view, type, value));
    if (type !== 0 && (type !== OBJECT_ID || number % DATES_EVERY === 0))
      this.datesOf.set(number, this.datesIn(bytes, view, start));
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

  private isFull(): boolean {
    return this.columns.numbers.length >= MOST_DOCUMENTS || this.lengths >= MOST_LENGTHS;
  }

  private thin(): void {
    this.mask = 2 * this.mask + 1;
    const { numbers, digests } = this.columns;
    const isKept = numbers.map((number, index) => isKeptBy(this.mask, digests[index] as number, number));
    const dropped = new Set(numbers.filter((_, index) => !isKept[index]));
    for (const column of Object.values(this.columns))
      column.splice(0, column.length, ...column.filter((_, index) => isKept[index]));
    for (const number of dropped) this.datesOf.delete(number);
    for (const series of this.series) series.remove(dropped);
    this.lengths = this.series.reduce((sum, { documents }) => sum + documents.length, 0);
  }

  /** The top-level dates of a document. */
  private datesIn(bytes: Uint8Array, view: DataView, start: number): Map<string, number> {
    const dates = new Map<string, number>();
    for (let at = start + 4; bytes[at] !== 0;) {
      const type = bytes[at] as number;
      const value = afterName(view, bytes, at + 1);
      if (type === DATE) {
        const field = nameText(bytes, at + 1, value);
        if (this.dateFields.size < MOST_FIELDS) this.dateFields.add(field);
        if (this.dateFields.has(field)) dates.set(field, longAt(view, value));
      }
      at = valueEnd(view, bytes, type, value);
    }
    return dates;
  }
}

function isKeptBy(mask: number, digest: number, number: number): boolean {
  return ((Number.isNaN(digest) ? number : digest) & mask) === 0;
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
