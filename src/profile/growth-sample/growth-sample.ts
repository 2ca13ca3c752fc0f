import { MS_PER_SECOND } from '../../time-units.js';
import { EMPTY_OBJECT_BYTES, OBJECT_ID, valueEnd } from '../bson-types.js';

const HIGH = 2 ** 32;

const LOW_BITS = 0x1fffff;

/** More documents would sharpen no estimate that matters. */
const MOST_DOCUMENTS = 1_000;

const MOST_LENGTHS = 200_000;

/** `_id` and its terminator, as a little-endian number. */
const ID_NAME = 0x0064_695f;

const ID_NAME_BYTES = 4;

/** The size of the smallest document with an `_id`: a null. */
const LEAST_BYTES_WITH_ID = EMPTY_OBJECT_BYTES + 1 + ID_NAME_BYTES;

/** The elements per array of documents at one path. A document may be there twice, from paths that were merged. */
export class LengthSeries {
  /** Their numbers. */
  documents: number[] = [];
  lengths: number[] = [];

  add(document: number, length: number): void {
    this.documents.push(document);
    this.lengths.push(length);
  }

  merge(other: LengthSeries): void {
    other.documents.forEach((document, index) => this.add(document, other.lengths[index] as number));
    other.documents = [];
    other.lengths = [];
  }

  remove(dropped: ReadonlySet<number>): void {
    const { documents } = this;
    this.lengths = this.lengths.filter((_, index) => !dropped.has(documents[index] as number));
    this.documents = documents.filter((document) => !dropped.has(document));
  }
}

/**
 * The documents of a sample that growth is measured by, in the order in which they came; NaN if something is unknown.
 * Document values, and what is derived from them: never printed or stored.
 */
export interface KeptDocuments {
  /** Among all documents. They rise. */
  readonly numbers: Float64Array;
  /** In bytes. */
  readonly sizes: Float64Array;
  /** The digests of their `_id`s. */
  readonly digests: Float64Array;
  readonly objectIdTimes: Float64Array;
}

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
  };
  private lengths = 0;
  private readonly series: LengthSeries[] = [];

  kept(): KeptDocuments {
    const { numbers, sizes, digests, objectIdTimes } = this.columns;
    return {
      numbers: Float64Array.from(numbers),
      sizes: Float64Array.from(sizes),
      digests: Float64Array.from(digests),
      objectIdTimes: Float64Array.from(objectIdTimes),
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
    const { numbers, sizes, digests, objectIdTimes } = this.columns;
    numbers.push(number);
    sizes.push(size);
    digests.push(digest);
    objectIdTimes.push(type === OBJECT_ID ? view.getUint32(value, false) * MS_PER_SECOND : NaN);
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
    for (const series of this.series) series.remove(dropped);
    this.lengths = this.series.reduce((sum, { documents }) => sum + documents.length, 0);
  }
}

function isKeptBy(mask: number, digest: number, number: number): boolean {
  return ((Number.isNaN(digest) ? number : digest) & mask) === 0;
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

/** @param number of a document that is kept */
export function placeOf(number: number, { numbers }: KeptDocuments): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
