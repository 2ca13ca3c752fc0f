import { close, closeSync, constants, fstat, fstatSync, open, openSync, read, readSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { formatBytes } from '../format.js';
import { FileFault } from './file-fault.js';

/** In ms. What writes into a pipe for mongolint does so at once. */
const PIPE_PATIENCE = 10_000;
const CHUNK_BYTES = 1024 * 1024;
const SMALL_CHUNK_BYTES = 1024;

/** Else opening a pipe that nobody writes to waits for ever. */
const NONBLOCKING = constants.O_NONBLOCK ?? 0;
const NO_LINK = constants.O_NOFOLLOW ?? 0;

/** The text of a file, or of a pipe that somebody writes to. @throws FileFault for all else, and if it is larger */
export async function readBounded(file: string, mostBytes: number): Promise<string> {
  const descriptor = await promisify(open)(file, constants.O_RDONLY | NONBLOCKING);
  let isOpen = true;
  try {
    const status = await promisify(fstat)(descriptor);
    if (status.isFIFO()) {
      const first = await firstOfPipe(descriptor);
      isOpen = false;
      return await pipeText(descriptor, first, mostBytes);
    }
    refuseUnbounded(status, mostBytes);
    return await fileText(descriptor, mostBytes);
  } finally {
    if (isOpen) await promisify(close)(descriptor);
  }
}

/** The bytes of a regular file, at once. A link is no such file. @throws FileFault for all else, and if it is larger */
export function readRegular(file: string, mostBytes: number): Buffer {
  const descriptor = openSync(file, constants.O_RDONLY | NONBLOCKING | NO_LINK);
  try {
    const status = fstatSync(descriptor);
    refuseUnbounded(status, mostBytes);
    const chunks: Buffer[] = [];
    for (let total = 0; total <= mostBytes;) {
      // One byte more shows that this is all. Files of the system have no size.
      const chunk = Buffer.allocUnsafe(Math.max(status.size + 1 - total, SMALL_CHUNK_BYTES));
      const bytes = readSync(descriptor, chunk);
      if (bytes === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, bytes));
      total += bytes;
    }
    throw tooLarge(mostBytes);
  } finally {
    closeSync(descriptor);
  }
}

/** For a file that something else reads. @throws FileFault if it is no file, or larger */
export async function assertBounded(file: string, mostBytes: number): Promise<void> {
  const status = await stat(file);
  refuseUnbounded(status, mostBytes);
}

function refuseUnbounded(status: Stats, mostBytes: number): void {
  if (status.isFIFO()) throw new FileFault('it is a pipe');
  if (status.isDirectory()) throw new FileFault('it is a folder');
  if (!status.isFile()) throw new FileFault('it is not a file');
  if (status.size > mostBytes) throw tooLarge(mostBytes);
}

function tooLarge(mostBytes: number): FileFault {
  return new FileFault(`it is larger than ${formatBytes(mostBytes)}`);
}

async function fileText(descriptor: number, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  for (let total = 0; total <= mostBytes;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await promisify(read)(descriptor, chunk, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return Buffer.concat(chunks).toString('utf8');
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
  }
  throw tooLarge(mostBytes);
}

async function pipeText(descriptor: number, first: Buffer, mostBytes: number): Promise<string> {
  const socket = new Socket({ fd: descriptor, readable: true, writable: false });
  socket.setTimeout(PIPE_PATIENCE, () => {
    socket.destroy(new FileFault(`nothing came through this pipe within ${PIPE_PATIENCE / 1000} s`));
  });
  const chunks = [first];
  let total = first.length;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > mostBytes) throw tooLarge(mostBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Empty if what writes is still at work. */
async function firstOfPipe(descriptor: number): Promise<Buffer> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    const { bytesRead } = await promisify(read)(descriptor, chunk, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) throw new FileFault('nobody writes to this pipe');
    return chunk.subarray(0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    return Buffer.alloc(0);
  }
}
