import { beginsLine, SLOW_QUERY, writtenAt } from './slow-query.js';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const CLOSING_BRACE = 0x7d;

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
    const rest = this.#rest;
    if (rest.length > 0 && !this.#isSkipping) this.#takeLine(rest, 0, rest.length, rest.includes(SLOW_QUERY_BYTES));
    this.#rest = Buffer.alloc(0);
  }

  /** Takes every complete line, and returns where the first incomplete one begins. */
  #scan(bytes: Buffer): number {
    let start = 0;
    let firstWhole = -1;
    let lastWhole = -1;
    let nextSlowQuery = bytes.indexOf(SLOW_QUERY_BYTES);
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const isSlowQuery = nextSlowQuery !== -1 && nextSlowQuery < end;
      if (this.#isSkipping) this.#isSkipping = false;
      else if (this.#takeLine(bytes, start, end, isSlowQuery)) {
        if (firstWhole === -1) firstWhole = start;
        lastWhole = start;
      }
      start = end + 1;
      if (isSlowQuery) nextSlowQuery = bytes.indexOf(SLOW_QUERY_BYTES, start);
    }
    for (const line of [firstWhole, lastWhole]) if (line !== -1) this.#covers(bytes, line);
    return start;
  }

  /** Takes the line between two positions. Returns whether it is a whole one. */
  #takeLine(bytes: Buffer, start: number, lineEnd: number, isSlowQuery: boolean): boolean {
    const end = lineEnd > start && bytes[lineEnd - 1] === CARRIAGE_RETURN ? lineEnd - 1 : lineEnd;
    if (end === start) return false;
    if (isSlowQuery) {
      this.listener.slowQuery(bytes.toString('utf8', start, end));
      return true;
    }
    const isWhole = bytes[end - 1] === CLOSING_BRACE && beginsLine(startOf(bytes, start, end));
    if (!isWhole) this.listener.unreadable();
    return isWhole;
  }

  #covers(bytes: Buffer, line: number): void {
    const at = writtenAt(startOf(bytes, line, bytes.length));
    if (at !== null) this.listener.covers(at);
  }
}

function startOf(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, Math.min(end, start + LINE_START_BYTES));
}
