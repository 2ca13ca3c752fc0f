import { hash } from 'node:crypto';
import { LINE_START } from './log-line.js';

/** Lines remembered of all files. Each takes some 40 bytes. */
export const MOST_KNOWN_LINES = 1_000_000;

/** Of a hash. Of a million lines, two in 500 runs would be taken for one. */
const HASH_BYTES = 6;

/**
 * Recognises what an earlier file held already: a rotated log and its copy, downloads whose hours overlap. Lines of different
 * servers or connections are never the same, and what one file has twice happened twice.
 */
export class KnownLines {
  readonly #earlier = new Set<number>();
  #here = new Set<number>();

  /** Whether there were more lines than are remembered. */
  isFull = false;

  /** Lines that an earlier file held. */
  found = 0;

  nextFile(): void {
    for (const line of this.#here) this.#earlier.add(line);
    this.#here = new Set();
  }

  isKnown(line: string): boolean {
    const digest = hash('sha1', line.slice(Math.max(0, line.indexOf(LINE_START))), 'buffer').readUIntBE(0, HASH_BYTES);
    if (this.#earlier.has(digest)) {
      this.found += 1;
      return true;
    }
    if (this.#earlier.size + this.#here.size < MOST_KNOWN_LINES) this.#here.add(digest);
    else this.isFull = true;
    return false;
  }
}
