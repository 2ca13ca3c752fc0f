import { isAscii } from 'node:buffer';
import { CLIENT_METADATA } from './connection-drivers.js';
import { beginsLine, SLOW_QUERY, TRANSACTION, writtenAt } from './slow-query.js';

const NEWLINE = '\n';

/** In bytes. Longer lines are not lines of the server, which cuts commands at 10 KB by default. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** Characters that decide whether a line is one of the server. Leaves room for a prefix. */
const LINE_START = 256;

/** What lines hold that are read as a whole. */
const MARKS = [SLOW_QUERY, CLIENT_METADATA, TRANSACTION];

export interface LogLineListener {
  slowQuery(line: string): void;
  transaction(line: string): void;
  clientMetadata(line: string): void;
  /** A line that was truncated, garbled, or written by something else. */
  unreadable(): void;
  /** The time of the first and the last complete line of each chunk, in ms since 1970. */
  covers(at: number): void;
}

interface Lines {
  readonly bytes: Buffer;
  /** One character per byte: many short searches are cheaper in a string than in a buffer. */
  readonly text: string;
  readonly areAscii: boolean;
}

/** Splits a log into lines as its bytes arrive. Of lines that are not about slow operations only both ends are read. */
export class LogLines {
  #rest: Buffer = Buffer.alloc(0);
  #isSkipping = false;

  constructor(private readonly listener: LogLineListener) {}

  add(piece: Buffer): void {
    const chunk = this.#isSkipping ? this.#behindLine(piece) : piece;
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = this.#scan(linesOf(bytes));
    this.#rest = bytes.subarray(end);
    if (this.#rest.length > LONGEST_LINE) {
      this.listener.unreadable();
      this.#isSkipping = true;
      this.#rest = Buffer.alloc(0);
    }
  }

  /** The rest of a piece after the skipped line; nothing if the line goes on. */
  #behindLine(piece: Buffer): Buffer {
    const end = piece.indexOf(NEWLINE);
    this.#isSkipping = end === -1;
    return this.#isSkipping ? piece.subarray(piece.length) : piece.subarray(end + 1);
  }

  /** Takes the rest after the last line break for a line: a log in use ends in the middle of one. */
  end(): void {
    const lines = linesOf(this.#rest);
    const { length } = lines.text;
    if (length > 0)
      this.#takeLine(
        lines,
        0,
        length,
        MARKS.map((mark) => lines.text.includes(mark)),
      );
    this.#rest = Buffer.alloc(0);
  }

  #scan(lines: Lines): number {
    const { text } = lines;
    let start = 0;
    let firstWhole = -1;
    let lastWhole = -1;
    const next = MARKS.map((mark) => text.indexOf(mark));
    for (let end = text.indexOf(NEWLINE); end !== -1; end = text.indexOf(NEWLINE, start)) {
      const marked = next.map((at) => at !== -1 && at < end);
      if (this.#takeLine(lines, start, end, marked)) {
        if (firstWhole === -1) firstWhole = start;
        lastWhole = start;
      }
      start = end + 1;
      for (const [index, mark] of MARKS.entries()) if (marked[index] === true) next[index] = text.indexOf(mark, start);
    }
    for (const line of [firstWhole, lastWhole]) if (line !== -1) this.#covers(text, line);
    return start;
  }

  /** @param marked which of the marks it holds */
  #takeLine(lines: Lines, start: number, lineEnd: number, marked: readonly boolean[]): boolean {
    const [isSlowQuery = false, isMetadata = false, isTransaction = false] = marked;
    const { bytes, text, areAscii } = lines;
    const end = lineEnd > start && text[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd;
    if (end === start) return false;
    if (isSlowQuery) {
      this.listener.slowQuery(areAscii ? text.slice(start, end) : bytes.toString('utf8', start, end));
      return true;
    }
    if (isMetadata) this.listener.clientMetadata(bytes.toString('utf8', start, end));
    if (isTransaction) this.listener.transaction(bytes.toString('utf8', start, end));
    const isWhole = text[end - 1] === '}' && beginsLine(text.slice(start, Math.min(end, start + LINE_START)));
    if (!isWhole) this.listener.unreadable();
    return isWhole;
  }

  #covers(text: string, line: number): void {
    const at = writtenAt(text.slice(line, line + LINE_START));
    if (at !== null) this.listener.covers(at);
  }
}

function linesOf(bytes: Buffer): Lines {
  return { bytes, text: bytes.toString('latin1'), areAscii: isAscii(bytes) };
}
