import { writeFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';

/**
 * Writes a file whole or not at all: who reads it meanwhile finds the old content or the new. A link is followed, and a
 * file that exists keeps its mode.
 *
 * @param newFileMode the mode of a file that does not exist yet
 */
export async function replaceFile(file: string, text: string, newFileMode?: number): Promise<void> {
  await writeFileAtomic(file, '', {
    ...(newFileMode !== undefined && { mode: newFileMode }),
    // Written here: the library writes once, and takes what a full disk had room for as the whole.
    tmpfileCreated: (temporary) => writeFile(temporary, text),
  });
}
