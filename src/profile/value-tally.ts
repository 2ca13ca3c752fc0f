import { z } from 'zod';
import type { Plain } from '../plain.js';

/** How the values of a field are spread. No value is kept: they are told apart by hashes of 32 bits. */
export const valueSpreadSchema = z.strictObject({
  /** Values that were compared: at most 2,048, spread evenly over all. */
  compared: z.number(),
  distinct: z.number(),
  /** Share of the commonest value, 0 to 1. */
  commonest: z.number(),
  /** Chance that two of them are equal, 0 to 1 (Simpson 1949, "Measurement of Diversity"): whatever the sample's size. */
  alike: z.number(),
});

export type ValueSpread = Plain<typeof valueSpreadSchema>;

const MOST_COMPARED = 2_048;
const FIRST_COMPARED = 16;
/** Long values are compared by their beginning and their end. */
const BYTES_AT_EACH_END = 32;

/** A hash table of open addresses, twice as large as what is compared; sorting took 3 % of a run's processor time. */
const SLOTS = 2 * MOST_COMPARED;
const LAST_SLOT = SLOTS - 1;
const COUNTED = new Int32Array(SLOTS);
const COUNTS = new Int32Array(SLOTS);

/** FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

/** Tells the values of one path apart, in 8 KB at most. */
export class ValueTally {
  #hashes = new Int32Array(FIRST_COMPARED);
  #kept = 0;
  #seen = 0;
  /** One in so many of the values seen is kept: of each block of that many, one at a scattered place, since data has rhythms. */
  #stride = 1;

  add(bytes: Uint8Array, type: number, from: number, to: number): void {
    const place = this.#seen % this.#stride;
    const isKept = place === scattered(this.#seen - place) % this.#stride;
    this.#seen += 1;
    if (isKept) this.#keep(hashOf(bytes, type, from, to));
  }

  merge(other: ValueTally): void {
    for (let index = 0; index < other.#kept; index += 1) this.#keep(other.#hashes[index] as number);
    this.#seen += other.#seen;
  }

  spread(): ValueSpread {
    COUNTS.fill(0);
    const compared = this.#kept;
    let [distinct, most, pairs] = [0, 0, 0];
    for (let index = 0; index < compared; index += 1) {
      const hash = this.#hashes[index] as number;
      let slot = hash & LAST_SLOT;
      while (COUNTS[slot] !== 0 && COUNTED[slot] !== hash) slot = (slot + 1) & LAST_SLOT;
      const before = COUNTS[slot] as number;
      COUNTED[slot] = hash;
      COUNTS[slot] = before + 1;
      if (before === 0) distinct += 1;
      pairs += before;
      if (before >= most) most = before + 1;
    }
    const allPairs = (compared * (compared - 1)) / 2;
    return { compared, distinct, commonest: most / compared, alike: allPairs === 0 ? 0 : pairs / allPairs };
  }

  #keep(hash: number): void {
    if (this.#kept === MOST_COMPARED) this.#thin();
    if (this.#kept === this.#hashes.length) {
      const longer = new Int32Array(2 * this.#kept);
      longer.set(this.#hashes);
      this.#hashes = longer;
    }
    this.#hashes[this.#kept] = hash;
    this.#kept += 1;
  }

  #thin(): void {
    this.#kept = MOST_COMPARED / 2;
    for (let index = 0; index < this.#kept; index += 1)
      this.#hashes[index] = this.#hashes[2 * index + (scattered(this.#seen + index) % 2)] as number;
    this.#stride *= 2;
  }
}

/** The same whole number for the same one, without the rhythm of the numbers: the finalizer of MurmurHash3, 31 bits. */
function scattered(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 1;
}

/** The hash of a value, with its type: 32 bits. */
export function hashOf(bytes: Uint8Array, type: number, from: number, to: number): number {
  let hash = Math.imul(FNV_OFFSET ^ type, FNV_PRIME);
  const isLong = to - from > 2 * BYTES_AT_EACH_END;
  const end = isLong ? from + BYTES_AT_EACH_END : to;
  for (let at = from; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), FNV_PRIME);
  if (isLong)
    for (let at = to - BYTES_AT_EACH_END; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), FNV_PRIME);
  return hash;
}
