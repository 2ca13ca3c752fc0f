import { isAscii } from 'node:buffer';
import { access, constants, open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { matchingFiles } from '../../files/matching-files.js';
import { LintError } from '../../lint-error.js';
import { absent } from '../../presence.js';
import { CHANGE_STREAM_LOST } from '../operations/change-stream-tally.js';
import { CLIENT_METADATA, CONNECTION_ENDED, writtenAt } from './connection-drivers.js';
import { KnownLines, LogsOf, tooManyLines, type Ending, type LinesOfFile } from './logs-of-servers.js';
import { LogContext, slowQueryOf, beginsLine, SLOW_QUERY, TRANSACTION } from './slow-query.js';
import type { ReadSource, SourceReading } from './source.js';

const NEWLINE = '\n';

/** In bytes. Longer lines are not lines of the server, which cuts commands at 10 KB by default. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** Characters that decide whether a line is one of the server. Leaves room for a prefix. */
const LINE_START = 256;

/** What lines hold that are read as a whole. */
const MARKS = [SLOW_QUERY, CLIENT_METADATA, TRANSACTION, CONNECTION_ENDED, CHANGE_STREAM_LOST];

interface LogLineListener {
  slowQuery(line: string): void;
  /** A line about a transaction, or a change stream that was lost. */
  event(line: string): void;
  clientMetadata(line: string): void;
  connectionEnded(line: string): void;
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
    const [isSlowQuery = false, isMetadata = false, isTransaction = false, isEnd = false, isLost = false] = marked;
    const { bytes, text, areAscii } = lines;
    const end = lineEnd > start && text[lineEnd - 1] === '\r' ? lineEnd - 1 : lineEnd;
    if (end === start) return false;
    if (isSlowQuery) {
      this.listener.slowQuery(areAscii ? text.slice(start, end) : bytes.toString('utf8', start, end));
      return true;
    }
    if (isMetadata) this.listener.clientMetadata(bytes.toString('utf8', start, end));
    if (isEnd) this.listener.connectionEnded(bytes.toString('utf8', start, end));
    if (isTransaction || isLost) this.listener.event(bytes.toString('utf8', start, end));
    const isWhole = text[end - 1] === '}' && beginsLine(text.slice(start, Math.min(end, start + LINE_START)));
    if (!isWhole) this.listener.unreadable();
    return isWhole;
  }

  #covers(text: string, line: number): void {
    const at = writtenAt(text.slice(line, line + LINE_START));
    if (at !== null) this.listener.covers(at);
  }
}

/** Larger pieces leave the processor's cache before they are searched, and are slower by a third. Bytes. */
const CHUNK_BYTES = 64 * 1024;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** What given logs hold: those of mongod, and those of mongos, which may be of the same operations. */
export interface ReadLogs {
  readonly logFile: ReadSource;
  readonly routerLog: ReadSource;
}

/** Not a failure, but reported, as every source is. */
export const NO_ROUTER_LOGS = absent('insufficient', 'no log of mongos was given: --log FILE reads it.');

/**
 * Reads structured logs (4.4 and later), plain or gzipped, under any name. What two files hold counts once.
 *
 * @param paths files, or globs
 * @param isOutOfTime asked between pieces; a log that takes longer is read in part, and this is reported.
 * @throws LintError at once if a file is not there or may not be read, or nothing matches: the user named it. What goes
 *   wrong with it later is a gap.
 */
export async function readLogFiles(
  paths: readonly string[],
  isOutOfTime: () => boolean,
  reading: Partial<SourceReading> = {},
): Promise<ReadLogs> {
  const files = await distinctFiles(paths);
  const servers = new LogsOf('the log files', reading.since);
  const routers = new LogsOf('the logs of mongos', reading.since);
  const known = files.length > 1 ? new KnownLines() : null;
  for (const path of files) {
    const name = basename(path);
    const lines = { servers: servers.part(), routers: routers.part(), known };
    const ending = await readLogFile(path, lines, new LogContext(reading), isOutOfTime);
    known?.nextFile();
    const isOfRouter = lines.routers.entries > 0 && lines.servers.entries === 0;
    if (isOfRouter) routers.take(lines.routers, lines.servers, name, ending);
    else servers.take(lines.servers, lines.routers, name, ending);
    // From 8.0 on, a server may be both.
    if (lines.routers.entries > 0 && !isOfRouter) routers.takePart(lines.routers, name);
  }
  if (known?.isFull === true && known.found > 0) servers.gaps.push(tooManyLines());
  return {
    logFile: servers.source(),
    routerLog: routers.isEmpty ? { source: NO_ROUTER_LOGS, operations: [] } : routers.source(),
  };
}

export function noLogFiles(): ReadLogs {
  const source = absent(
    'insufficient',
    "no log files were given: --log FILE reads the slow operations from mongod's logs.",
  );
  return { logFile: { source, operations: [] }, routerLog: { source: NO_ROUTER_LOGS, operations: [] } };
}

async function distinctFiles(paths: readonly string[]): Promise<string[]> {
  const named = await Promise.all(paths.map(filesNamed));
  return [...new Set(await Promise.all(named.flat().map(realFile)))];
}

/** What a glob matches; a file that exists is itself, whatever its name holds. */
async function filesNamed(path: string): Promise<string[]> {
  const isGlob = /[*?[{]/.test(path) && (await stat(path).catch(() => null)) === null;
  return isGlob ? matchingFiles([path], '.') : [path];
}

/** Refuses pipes and devices: a pipe without a writer would block the run for ever, a device has no end. */
async function realFile(path: string): Promise<string> {
  const status = await stat(path).catch((error: unknown) => unopenable(path, error));
  if (!status.isFile()) {
    throw new LintError(
      `The log ${path} is not a file: write the log to a file, gzipped or not, and give that to --log.`,
    );
  }
  return access(path, constants.R_OK)
    .then(() => realpath(path))
    .catch((error: unknown) => unopenable(path, error));
}

async function readLogFile(
  path: string,
  of: LinesOfFile,
  context: LogContext,
  isOutOfTime: () => boolean,
): Promise<Ending> {
  const lines = new LogLines(listenerOf(of, context));
  let file: FileHandle | null = null;
  let ending: Ending = 'complete';
  try {
    file = await open(path);
    for await (const chunk of await contentOf(file)) {
      lines.add(chunk);
      if (!isOutOfTime()) continue;
      ending = 'out of time';
      break;
    }
  } catch (error) {
    ending = endingBy(error);
  } finally {
    await file?.close();
  }
  lines.end();
  for (const { execution, isOfRouter } of context.unfinished()) (isOfRouter ? of.routers : of.servers).add(execution);
  return ending;
}

/** Unzipped if need be. Whoever stops reading ends the unzipping too, which is no failure. */
async function contentOf(file: FileHandle): Promise<AsyncIterable<Buffer>> {
  const isGzip = await beginsWith(file, GZIP_MAGIC);
  const bytes = file.createReadStream({ start: 0, highWaterMark: CHUNK_BYTES, autoClose: false });
  return isGzip ? pipeline(bytes, createGunzip({ chunkSize: CHUNK_BYTES }), () => {}) : bytes;
}

function listenerOf({ servers, routers, known }: LinesOfFile, context: LogContext): LogLineListener {
  return {
    slowQuery: (line) => {
      if (known?.isKnown(line) === true) return servers.add('ignored');
      const { execution, others = [], isOfRouter } = slowQueryOf(line, context);
      const part = isOfRouter === true ? routers : servers;
      if (execution !== 'later') part.add(execution === 'other' ? 'ignored' : execution);
      for (const other of others) part.add(other);
    },
    event: (line) => {
      if (known?.isKnown(line) !== true) slowQueryOf(line, context);
    },
    clientMetadata: (line) => context.drivers.add(line, known?.isKnown(line) !== true),
    connectionEnded: (line) => context.drivers.ended(line),
    unreadable: () => servers.add('unreadable'),
    covers: (at) => [servers, routers].forEach((part) => part.covers(at)),
  };
}

async function beginsWith(file: FileHandle, magic: Buffer): Promise<boolean> {
  const start = Buffer.alloc(magic.length);
  const { bytesRead } = await file.read(start, 0, magic.length, 0);
  return bytesRead === magic.length && start.equals(magic);
}

/** @throws what is no fault of the file */
function endingBy(error: unknown): Ending {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code?.startsWith('Z_') === true) return 'damaged';
  if (code === undefined || syscall === undefined) throw error;
  return { failed: code };
}

function unopenable(path: string, error: unknown): never {
  const { code } = error as { code?: unknown };
  throw new LintError(
    `The log ${path} can't be read${typeof code === 'string' ? ` (${code})` : ''}: give --log a file that exists and that you may read.`,
    { cause: error },
  );
}

function linesOf(bytes: Buffer): Lines {
  return { bytes, text: bytes.toString('latin1'), areAscii: isAscii(bytes) };
}
