import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** Folders with files in them, by their paths, for cases that run at once: they are removed after the last case of the file. */
export function useCaseFolders(): (files: Readonly<Record<string, string>>) => Promise<string> {
  let all = '';
  beforeAll(async () => {
    all = await mkdtemp(join(tmpdir(), 'mongolint-cases-'));
  });
  afterAll(() => rm(all, { recursive: true, force: true }));
  return async (files) => {
    const folder = await mkdtemp(join(all, 'case-'));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return folder;
  };
}
