import { hash } from 'node:crypto';
import { LINE_START } from './log-line.js';

/** Lines remembered of all files. Each takes some 40 bytes. */
export const MOST_KNOWN_LINES = 1_000_000;

/** Of a hash: of a million lines, two are taken for one in every 500th run. */
const HASH_BYTES = 6;

/** Recognises lines of an earlier file. Those of other servers or connections differ, and what one file has twice happened twice. */
export class KnownLines {
  readonly #earlier = new Set<number>();
  #here = new Set<number>();

  isFull = false;

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
