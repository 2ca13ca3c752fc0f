import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.js';

/** A folder for the running test with these files, by their paths inside it; removed after the test. */
export async function folderWith(
  files: Readonly<Record<string, string>>,
  finished?: typeof onTestFinished,
): Promise<string> {
  const folder = await temporaryFolder(finished);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}
