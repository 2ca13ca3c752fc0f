import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readCode } from '../../../src/code/read-code.js';
import type { UnderstoodCode } from '../../../src/code/understood-code.js';

/** Writes files of source into a folder of their own, uses it, and removes it. */
export async function withSource<Result>(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'mongolint-source-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What is understood of these files, which reports name below `src`. */
export function understood(files: Readonly<Record<string, string>>): Promise<UnderstoodCode> {
  return withSource(files, (folder) => readCode(folder, { name: 'src' }));
}
