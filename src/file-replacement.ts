import { writeFile } from 'node:fs/promises';
import writeFileAtomic, { type Options } from 'write-file-atomic';

// The library's types lack what its README documents.
const KEEPING_NO_OWNER = { chown: false } as unknown as Pick<Options, 'chown'>;

/**
 * Writes a file whole or not at all: who reads it meanwhile finds the old content or the new. A link is followed, and a
 * file that exists keeps its mode, and its owner where the process may give it away.
 *
 * @param newFileMode the mode of a file that does not exist yet
 */
export async function replaceFile(file: string, text: string, newFileMode?: number): Promise<void> {
  try {
    await replace(file, text, newFileMode, {});
  } catch (error) {
    if (!isOwnerRefused(error)) throw error;
    await replace(file, text, newFileMode, KEEPING_NO_OWNER);
  }
}

/** Root without the capability, on a file system that maps it to another user, or in a user namespace. */
function isOwnerRefused(error: unknown): boolean {
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall === 'chown' && (code === 'EPERM' || code === 'EINVAL');
}

async function replace(
  file: string,
  text: string,
  newFileMode: number | undefined,
  owner: Pick<Options, 'chown'>,
): Promise<void> {
  await writeFileAtomic(file, '', {
    ...owner,
    ...(newFileMode !== undefined && { mode: newFileMode }),
    // Written here: the library writes once, and takes what a full disk had room for as the whole.
    tmpfileCreated: (temporary) => writeFile(temporary, text),
  });
}
