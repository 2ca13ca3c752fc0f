import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { LintError } from '../../lint-error.js';
import { absent, type Absent } from '../../presence.js';
import { KnownShapes } from '../operations/known-shapes.js';
import { LogLines } from './log-lines.js';
import { OperationTally, PartTally } from '../operations/operation-tally.js';
import { LogContext, slowQueryOf } from './slow-query.js';
import { readSource, type ReadSource } from './source.js';
import type { Coverage, SourcePart } from '../workload.js';

/** Larger pieces leave the processor's cache before they are searched, and are slower by a third. Bytes. */
const CHUNK_BYTES = 64 * 1024;

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/** The threshold may have changed while the log was written. */
const COVERAGE: Coverage = { operations: 'slow', slowMilliseconds: null, sampleRate: null };

/**
 * Reads structured logs of mongod or mongos (4.4 and later), plain or gzipped, under any name.
 *
 * @param isOutOfTime asked between pieces; a log that takes longer is read in part, and this is reported.
 * @throws LintError if a file can't be opened: the user named it, so it must be read.
 */
export async function readLogFiles(
  paths: readonly string[],
  isOutOfTime: () => boolean,
  { showValues = false }: { readonly showValues?: boolean } = {},
): Promise<ReadSource> {
  const tally = new OperationTally();
  const shapes = new KnownShapes();
  const parts: SourcePart[] = [];
  const gaps: Absent[] = [];
  for (const path of await distinctFiles(paths)) {
    const part = new PartTally(tally);
    const context = new LogContext(shapes, showValues);
    const ending = await readLogFile(path, part, context, isOutOfTime);
    const name = basename(path);
    part.bounded = ending !== 'complete';
    if (ending === 'out of time')
      gaps.push(
        absent(
          'timeout',
          `reading ${name}: the run's time was over before the end of the file; allow more with --max-time.`,
        ),
      );
    if (ending === 'damaged')
      gaps.push(
        absent(
          'malformed',
          `reading ${name}: its gzip data is truncated or damaged; only the part before the damage was read.`,
        ),
      );
    if (part.entries + part.ignored === 0) gaps.push(nothingIn(name, part));
    parts.push(part.part({ file: name }, COVERAGE));
  }
  return readSource(parts, gaps, tally, 'the log files');
}

/** Not a failure, but reported, as every source is. */
export function noLogFiles(): ReadSource {
  const source = absent(
    'insufficient',
    "no log files were given: --log FILE reads the slow operations from mongod's logs.",
  );
  return { source, operations: [] };
}

async function distinctFiles(paths: readonly string[]): Promise<string[]> {
  return [...new Set(await Promise.all(paths.map(realFile)))];
}

/** Refuses pipes and devices: a pipe without a writer would block the run for ever, a device has no end. */
async function realFile(path: string): Promise<string> {
  const status = await stat(path).catch((error: unknown) => unopenable(path, error));
  if (!status.isFile()) {
    throw new LintError(
      `The log ${path} is not a file: write the log to a file, gzipped or not, and give that to --log.`,
    );
  }
  return realpath(path).catch((error: unknown) => unopenable(path, error));
}

type Ending = 'complete' | 'out of time' | 'damaged';

async function readLogFile(
  path: string,
  part: PartTally,
  context: LogContext,
  isOutOfTime: () => boolean,
): Promise<Ending> {
  const file = await open(path).catch((error: unknown) => unopenable(path, error));
  try {
    const isGzip = await beginsWith(file, GZIP_MAGIC, path);
    const lines = new LogLines(listenerOf(part, context));
    let ending: Ending = 'complete';
    const consume = async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        lines.add(chunk);
        if (!isOutOfTime()) continue;
        ending = 'out of time';
        break;
      }
    };
    const bytes = file.createReadStream({ start: 0, highWaterMark: CHUNK_BYTES, autoClose: false });
    try {
      if (isGzip) await pipeline(bytes, createGunzip({ chunkSize: CHUNK_BYTES }), consume);
      else await pipeline(bytes, consume);
    } catch (error) {
      if (!isDamage(error)) throw error;
      ending = 'damaged';
    }
    lines.end();
    return ending;
  } finally {
    await file.close();
  }
}

function listenerOf(part: PartTally, context: LogContext): ConstructorParameters<typeof LogLines>[0] {
  return {
    slowQuery: (line) => {
      const { execution } = slowQueryOf(line, context);
      part.add(execution === 'other' ? 'ignored' : execution);
    },
    clientMetadata: (line) => context.drivers.add(line),
    unreadable: () => part.add('unreadable'),
    covers: (at) => part.covers(at),
  };
}

async function beginsWith(file: FileHandle, magic: Buffer, path: string): Promise<boolean> {
  const start = Buffer.alloc(magic.length);
  const { bytesRead } = await file.read(start, 0, magic.length, 0).catch((error: unknown) => unopenable(path, error));
  return bytesRead === magic.length && start.equals(magic);
}

function isDamage(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.startsWith('Z_');
}

function nothingIn(name: string, { unreadable }: PartTally): Absent {
  return unreadable > 0
    ? absent(
        'malformed',
        `reading ${name}: it holds no readable line about an operation. Only the structured logs of mongod 4.4 and later can be read.`,
      )
    : absent(
        'insufficient',
        `reading ${name}: it holds no slow operation. db.setProfilingLevel(0, {slowms: 20}) makes the server log more operations.`,
      );
}

function unopenable(path: string, error: unknown): never {
  const { code } = error as { code?: unknown };
  throw new LintError(
    `The log ${path} can't be read${typeof code === 'string' ? ` (${code})` : ''}: give --log a file that exists and that you may read.`,
    {
      cause: error,
    },
  );
}
