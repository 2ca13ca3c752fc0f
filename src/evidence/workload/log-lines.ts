import { isWholeLine, SLOW_QUERY, writtenAt } from './slow-query.js';

const NEWLINE = 0x0a;

/** A line that is longer is no line: the server cuts commands at 10 KB unless told otherwise. Bytes. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** Bytes at either end of a line from which it is told whether the line is whole. The start leaves room for a prefix. */
const LINE_START_BYTES = 256;

const SLOW_QUERY_BYTES = Buffer.from(SLOW_QUERY);

/** What the lines of a log are given to. */
export interface LogLineListener {
  /** A line about a slow operation, whole or not. */
  slowQuery(line: string): void;
  /** A line that was cut, garbled, or written by something else. */
  unreadable(): void;
  /** The first and the last whole line of each chunk tell what time the log covers, in ms since 1970. */
  covers(at: number): void;
}

/**
 * Splits a log into lines as its bytes arrive. Only lines about slow operations are decoded; of the others no more than
 * both ends are looked at. Holds one line at most.
 */
export class LogLines {
  #rest: Buffer = Buffer.alloc(0);
  /** True while the rest of a line that was too long goes by. */
  #isSkipping = false;

  constructor(private readonly listener: LogLineListener) {}

  add(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = this.#scan(bytes);
    this.#rest = bytes.subarray(end);
    if (this.#rest.length > LONGEST_LINE) {
      if (!this.#isSkipping) this.listener.unreadable();
      this.#isSkipping = true;
      this.#rest = Buffer.alloc(0);
    }
  }

  /** Takes what follows the last line break for a line: a log that is being written ends in the middle of one. */
  end(): void {
    if (this.#rest.length > 0 && !this.#isSkipping) this.#takeLine(this.#rest, this.#rest.includes(SLOW_QUERY_BYTES));
    this.#rest = Buffer.alloc(0);
  }

  /** Takes every complete line, and returns where the first incomplete one begins. */
  #scan(bytes: Buffer): number {
    let start = 0;
    let lastLine: Buffer | null = null;
    let nextSlowQuery = bytes.indexOf(SLOW_QUERY_BYTES);
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const line = bytes.subarray(start, end);
      const isSlowQuery = nextSlowQuery !== -1 && nextSlowQuery < end;
      if (this.#isSkipping) this.#isSkipping = false;
      else if (line.length > 0) {
        const isWhole = this.#takeLine(line, isSlowQuery);
        if (isWhole && lastLine === null) this.#covers(line);
        if (isWhole) lastLine = line;
      }
      start = end + 1;
      if (isSlowQuery) nextSlowQuery = bytes.indexOf(SLOW_QUERY_BYTES, start);
    }
    if (lastLine !== null) this.#covers(lastLine);
    return start;
  }

  /** Returns whether the line is whole. */
  #takeLine(line: Buffer, isSlowQuery: boolean): boolean {
    const length = line.at(-1) === 0x0d ? line.length - 1 : line.length;
    if (isSlowQuery) {
      this.listener.slowQuery(line.toString('utf8', 0, length));
      return true;
    }
    const isWhole = line[length - 1] === 0x7d && isWholeLine(`${line.toString('latin1', 0, LINE_START_BYTES)}}`);
    if (!isWhole) this.listener.unreadable();
    return isWhole;
  }

  #covers(line: Buffer): void {
    const at = writtenAt(line.toString('latin1', 0, LINE_START_BYTES));
    if (at !== null) this.listener.covers(at);
  }
}
