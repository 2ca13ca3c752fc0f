import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, open, readdir, readlink, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { MS_PER_HOUR } from '../time-units.js';
import { FileFault, nullIfMissing } from './file-fault.js';

/** Readable by its owner only: reports and histories name collections and fields. */
export const PRIVATE_MODE = 0o600;
const SHARED_MODE = 0o666;
const MODE_BITS = 0o777;
/** Everybody may create files, and remove only those of his own, as in /tmp. */
const SHARED_FOLDER = 0o1002;

const MOST_LINKS = 40;
const DRAFT = /^\.mongolint-[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;
const DRAFT_ABANDONED_AFTER = MS_PER_HOUR;

/**
 * Writes a file whole or not at all: who reads it meanwhile finds the old content or the new. A file that exists keeps its
 * mode, and its owner where the process may give it away. The user's own links are followed.
 *
 * @param newFileMode the mode of a file that does not exist yet
 * @throws FileFault if somebody else may have planted the file or a link; errors of the system
 */
export function replaceFile(file: string, text: string, newFileMode = SHARED_MODE): Promise<void> {
  return replaceFileBy(file, (draft) => draft.writeFile(text), newFileMode);
}

/** As {@link replaceFile}, for what is too large to be held as a whole. @param write fills the draft, and leaves it open */
export async function replaceFileBy<Result>(
  file: string,
  write: (draft: FileHandle) => Promise<Result>,
  newFileMode = SHARED_MODE,
): Promise<Result> {
  const target = await linkTarget(file);
  const before = await lstat(target).catch(nullIfMissing);
  if (before !== null) await refusePlanted(target, before);
  const folder = dirname(target);
  const draft = join(folder, `.mongolint-${randomUUID()}`);
  // Exclusively, so that nothing that lies there already is written to, nor what a link leads to.
  const handle = await open(draft, 'wx', before === null ? newFileMode : PRIVATE_MODE);
  const result = await fill(handle, write, before)
    .then(async (filled) => {
      await rename(draft, target);
      return filled;
    })
    .catch(async (error: unknown) => {
      await rm(draft, { force: true });
      throw error;
    });
  await removeAbandonedDrafts(folder);
  return result;
}

/** Where a file lies, behind links. @throws FileFault if a link belongs to another user: it may lead anywhere */
export async function linkTarget(file: string): Promise<string> {
  let path = resolve(file);
  for (let links = 0; links < MOST_LINKS; links += 1) {
    const status = await lstat(path).catch(nullIfMissing);
    if (status?.isSymbolicLink() !== true) return join(await realpath(dirname(path)), basename(path));
    if (isForeign(status)) throw new FileFault('it is a link that belongs to another user');
    path = resolve(await realpath(dirname(path)), await readlink(path));
  }
  throw new FileFault('its links lead in a circle');
}

function isForeign({ uid }: Stats): boolean {
  const own = process.geteuid?.();
  return own !== undefined && uid !== own && uid !== 0;
}

/** In a folder for everybody, a file under the name of a report may have been put there by somebody who wants to read it. */
async function refusePlanted(target: string, status: Stats): Promise<void> {
  if (!isForeign(status)) return;
  const { mode } = await stat(dirname(target));
  if ((mode & SHARED_FOLDER) === SHARED_FOLDER)
    throw new FileFault('it belongs to another user, in a folder that everybody may write to');
}

async function fill<Result>(
  handle: FileHandle,
  write: (draft: FileHandle) => Promise<Result>,
  before: Stats | null,
): Promise<Result> {
  try {
    const result = await write(handle);
    if (before !== null) {
      await handle.chown(before.uid, before.gid).catch(ignoreRefusal);
      await handle.chmod(before.mode & MODE_BITS);
    }
    await handle.sync();
    return result;
  } finally {
    await handle.close();
  }
}

/** Only root may give files away, and not on each file system. */
function ignoreRefusal(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPERM' && error.code !== 'EINVAL') throw error;
}

/** What killed processes left. */
async function removeAbandonedDrafts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => DRAFT.test(each))) {
    const path = join(folder, name);
    const status = await lstat(path).catch(() => null);
    if (status === null || isForeign(status) || Date.now() - status.mtimeMs < DRAFT_ABANDONED_AFTER) continue;
    await rm(path, { force: true }).catch(() => undefined);
  }
}
