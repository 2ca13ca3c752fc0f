import { lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DryMongoBinary } from 'mongodb-memory-server-core';
import { nullIfMissing } from '../../file-fault.js';
import { LintError } from '../../lint-error.js';

const WRITABLE_BY_OTHERS = 0o022;

/**
 * Prepares the folder in which mongodb-memory-server keeps what it downloads, and runs. It writes through links, and waits
 * for pipes without end: what is neither a file nor a folder is removed.
 *
 * @throws LintError if others may write there
 */
export async function prepareDownloads(library: typeof DryMongoBinary): Promise<void> {
  if (process.env['MONGOMS_SYSTEM_BINARY']) return;
  const [, binary] = await library.generateDownloadPath(await library.generateOptions());
  const folder = dirname(binary);
  const status = await lstat(folder).catch(nullIfMissing);
  if (status === null) return;
  const isOwn = process.getuid === undefined || [0, process.getuid()].includes(status.uid);
  if (!status.isDirectory() || !isOwn || (process.getuid !== undefined && (status.mode & WRITABLE_BY_OTHERS) !== 0))
    throw new LintError(
      `The demo would run a MongoDB from ${folder}, which others may write to: set MONGOMS_DOWNLOAD_DIR to a folder of your own.`,
    );
  const entries = await readdir(folder, { withFileTypes: true });
  const unusable = entries.filter((entry) => !entry.isFile() && !entry.isDirectory());
  await Promise.all(unusable.map(({ name }) => rm(join(folder, name), { force: true })));
}
