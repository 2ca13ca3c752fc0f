import { constants, type Stats } from 'node:fs';
import { access, lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const BY_GROUP = 0o020;
const BY_EVERYBODY = 0o002;

/** Who but this user and root may have written something, as the end of a sentence about it; null if nobody. */
export function strangerIn({ uid, gid, mode }: Pick<Stats, 'uid' | 'gid' | 'mode'>): string | null {
  const own = process.geteuid?.();
  // Windows has no such owners.
  if (own === undefined) return null;
  if (uid !== own && uid !== 0) return 'belongs to another user';
  // Most systems give each user a group of his own, with the same number.
  const isShared = gid !== uid && gid !== 0;
  return (mode & BY_EVERYBODY) !== 0 || (isShared && (mode & BY_GROUP) !== 0) ? 'can be written by others' : null;
}

/**
 * As {@link strangerIn}, for a file and its folder, wherever links lead.
 * @throws an error of the system if there is none
 */
export async function strangerAt(path: string): Promise<string | null> {
  for (const place of new Set([path, await realpath(path)])) {
    const status = await lstat(place);
    const own = status.isSymbolicLink() ? strangerIn({ ...status, mode: 0 }) : await writerOf(place, status);
    const ofFolder = await writerOf(dirname(place), await stat(dirname(place)));
    const stranger = own === null ? ofFolder && `lies in a folder that ${ofFolder}` : own;
    if (stranger !== null) return stranger;
  }
  return null;
}

/** Nobody writes to a file system that is mounted to be read only, whatever its modes say. */
async function writerOf(path: string, status: Stats): Promise<string | null> {
  const stranger = strangerIn(status);
  if (stranger === null || strangerIn({ ...status, mode: 0 }) !== null) return stranger;
  const refusal = await access(path, constants.W_OK).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  );
  return refusal === 'EROFS' ? null : stranger;
}
