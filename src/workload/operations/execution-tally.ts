import type { Accumulator, Batch } from './accumulator.js';

/** Cursors remembered per shape. Beyond that, batches whose beginning was not seen are not counted as executions. */
export const MOST_CURSORS = 10_000;

/** Counts executions by their first batches. A slow batch may be recorded although the fast first one was not. */
export class ExecutionTally implements Accumulator<1, number> {
  #begun = 0;
  #unfinished = 0;
  readonly #begunCursors = new Set<string>();
  readonly #continuedCursors = new Set<string>();

  add(_: 1, { cursor, isContinuation, isUnfinished }: Batch): void {
    if (isUnfinished) {
      this.#unfinished += 1;
      return;
    }
    const cursors = isContinuation ? this.#continuedCursors : this.#begunCursors;
    if (!isContinuation) this.#begun += 1;
    if (cursor !== null && cursors.size < MOST_CURSORS) cursors.add(cursor);
  }

  figure(): number {
    const unseenBeginnings = [...this.#continuedCursors].filter((cursor) => !this.#begunCursors.has(cursor)).length;
    const ended = this.#begun + unseenBeginnings;
    return ended > 0 ? ended : this.#unfinished;
  }
}

/** Adds up the time of what ended, or else of what was still running: what it examined is unknown before it ends. */
export class TimeTally implements Accumulator<number, number> {
  #ended: number | undefined;
  #unfinished: number | undefined;

  add(milliseconds: number, { isUnfinished }: Batch): void {
    if (isUnfinished) this.#unfinished = (this.#unfinished ?? 0) + milliseconds;
    else this.#ended = (this.#ended ?? 0) + milliseconds;
  }

  figure(): number | undefined {
    return this.#ended ?? this.#unfinished;
  }
}
