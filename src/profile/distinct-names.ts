/** 8 KB, and up to 65,536 names told apart. */
const MAP_BITS = 1 << 16;
const BITS_PER_WORD = 32;

/** Knuth's multiplicative hashing: spreads a hash over all of its bits, of which the upper half is used. */
const GOLDEN_RATIO_32 = 0x9e3779b1;

// Counts bits set by the names' hashes: a lower bound in bounded memory that keeps no name. Close below a tenth of the
// bits, then more and more too low.
export class DistinctNames {
  atLeast = 0;
  private readonly words = new Uint32Array(MAP_BITS / BITS_PER_WORD);

  add(hash: number): void {
    const bit = Math.imul(hash ^ (hash >>> 15), GOLDEN_RATIO_32) >>> 16;
    const mask = 1 << (bit % BITS_PER_WORD);
    const index = Math.floor(bit / BITS_PER_WORD);
    const word = this.words[index] as number;
    if ((word & mask) !== 0) return;
    this.words[index] = word | mask;
    this.atLeast += 1;
  }

  merge(other: DistinctNames): void {
    for (let index = 0; index < this.words.length; index += 1) {
      const word = this.words[index] as number;
      const added = (other.words[index] as number) & ~word;
      if (added === 0) continue;
      this.words[index] = word | added;
      this.atLeast += bitsSet(added);
    }
  }
}

function bitsSet(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
