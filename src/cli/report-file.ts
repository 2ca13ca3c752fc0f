import { constants, open as openDescriptor, type Stats } from 'node:fs';
import { access, open, stat, type FileHandle } from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { fileFault, FileFault, nullIfMissing } from '../files/file-fault.js';
import { linkTarget, PRIVATE_MODE, replaceFileBy } from '../files/file-replacement.js';

/** In ms, without a byte taken. */
const READER_PATIENCE = 30_000;
const NONBLOCKING = constants.O_NONBLOCK ?? 0;
const DESCRIPTOR = /^\/(?:dev\/(?:fd\/|stdout$|stderr$)|proc\/[^/]+\/fd\/)/;

/**
 * Replaces the file as a whole: a collector of metrics finds the old report or the new one, never a part. Pipes and devices
 * such as `/dev/stderr` are written to directly.
 * @param pieces of a text that need not fit into memory, unless it goes to a pipe or a device
 */
export async function writeReportFile(file: string, pieces: AsyncIterable<string> | Iterable<string>): Promise<void> {
  const existing = await existingAt(file);
  if (isReplaced(file, existing)) return replaceFileBy(file, (draft) => writeAll(draft, pieces), PRIVATE_MODE);
  let text = '';
  for await (const piece of pieces) text += piece;
  await (existing?.isFIFO() === true ? writeToPipe(file, text) : append(file, text));
}

async function writeAll(draft: FileHandle, pieces: AsyncIterable<string> | Iterable<string>): Promise<void> {
  for await (const piece of pieces) await draft.writeFile(piece);
}

/** Why a file could not be written, as far as that is known before, or null. */
export async function outputFault(file: string): Promise<string | null> {
  try {
    const existing = await existingAt(file);
    if (existing?.isDirectory() === true) return 'it is a folder';
    if (isReplaced(file, existing)) await access(dirname(await linkTarget(file)), constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return fileFault(error);
  }
}

/** Whether what was written there stays in a file, and did not go to a reader. */
export async function isKept(file: string): Promise<boolean> {
  const existing = await existingAt(file);
  return existing !== null && isReplaced(file, existing);
}

/** @throws FileFault if a link of somebody else leads to it, as to a device */
async function existingAt(file: string): Promise<Stats | null> {
  if (!DESCRIPTOR.test(file)) await linkTarget(file);
  return stat(file).catch(nullIfMissing);
}

function isReplaced(file: string, existing: Stats | null): boolean {
  return existing === null || (existing.isFile() && !DESCRIPTOR.test(file));
}

/** Not blocking: opening a pipe waits for a reader otherwise, and writing waits for one that does not read. */
async function writeToPipe(file: string, text: string): Promise<void> {
  const descriptor = await promisify(openDescriptor)(file, constants.O_WRONLY | NONBLOCKING);
  const socket = new Socket({ fd: descriptor, readable: false, writable: true });
  await new Promise<void>((resolve, reject) => {
    socket.setTimeout(READER_PATIENCE, () => {
      socket.destroy(new FileFault(`its reader took nothing for ${READER_PATIENCE / 1000} s`));
    });
    socket.on('error', reject);
    socket.end(text, resolve);
  });
}

async function append(file: string, text: string): Promise<void> {
  const handle = await open(file, constants.O_WRONLY | constants.O_APPEND | NONBLOCKING);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}
