import { createHash, type Hash } from 'node:crypto';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FileFault } from '../files/file-fault.js';
import { formatBytes } from '../format.js';

const MB = 1024 * 1024;
/** Far more than a collection's profile, whose size is bounded. */
const LONGEST_LINE = 64 * MB;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const LINE_FEED = 0x0a;

export interface FileLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** The hash of the lines before, with their ends. */
  readonly hashBefore: Hash;
}

/** A file that can't be read from some line on. */
export class LineFault extends Error {
  override readonly name = 'LineFault';

  /** @param message half a sentence whose subject is the line */
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** The lines of a file, gzipped or not. @throws LineFault; FileFault if it is no file; errors of the system */
export async function* fileLines(file: string): AsyncGenerator<FileLine> {
  const hash = createHash('sha256');
  let number = 1;
  let rest: Buffer[] = [];
  let restBytes = 0;
  const lineOf = (bytes: Buffer): FileLine => ({ number, text: bytes.toString('utf8'), hashBefore: hash });
  try {
    for await (const chunk of (await opened(file)) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
        const line = Buffer.concat([...rest, chunk.subarray(from, end)]);
        yield lineOf(line);
        hash.update(line).update('\n');
        number += 1;
        rest = [];
        restBytes = 0;
        from = end + 1;
      }
      rest.push(chunk.subarray(from));
      restBytes += chunk.length - from;
      if (restBytes > LONGEST_LINE) throw new LineFault(number, `is longer than ${formatBytes(LONGEST_LINE)}`);
    }
  } catch (error) {
    if (/^(?:Z_|ERR_)/.test((error as NodeJS.ErrnoException).code ?? ''))
      throw new LineFault(number, unzippingFault(error));
    throw error;
  }
  if (restBytes > 0) yield lineOf(Buffer.concat(rest));
}

function unzippingFault(error: unknown): string {
  return (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR' ? 'is cut off' : 'is damaged: it can not be unzipped';
}

/** Pipes are not waited for. */
async function opened(file: string): Promise<Readable> {
  const status = await stat(file);
  if (status.isDirectory()) throw new FileFault('it is a folder');
  if (!status.isFile()) throw new FileFault('it is not a file');
  const handle = await open(file);
  const isGzipped = await beginsWith(handle, GZIP_MAGIC).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  const bytes = handle.createReadStream({ start: 0 });
  return isGzipped ? pipeline(bytes, createGunzip(), () => {}) : bytes;
}

async function beginsWith(handle: FileHandle, magic: Buffer): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0);
  return bytesRead === magic.length && buffer.equals(magic);
}
