import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { LintError } from '../lint-error.js';
import { compareTexts } from '../text/compare-texts.js';
import { globMatcher, isGlob } from '../text/glob.js';
import { fileFault } from './file-fault.js';

/**
 * The files that globs match, each once and sorted, relative to the folder as they are named. A file that exists is itself,
 * whatever its name holds.
 *
 * @throws LintError for a glob that matches nothing: a report that is missing must not go unseen
 */
export async function matchingFiles(globs: readonly string[], folder: string): Promise<string[]> {
  const found = await Promise.all(globs.map((glob) => filesOf(glob, folder)));
  return [...new Set(found.flat())].sort(compareTexts);
}

async function filesOf(glob: string, folder: string): Promise<string[]> {
  if ((await stat(resolve(folder, glob)).catch(() => null))?.isFile() === true) return [glob];
  const parts = glob.split('/');
  const named = parts.findIndex(isGlob);
  const base = parts.slice(0, named === -1 ? -1 : named).join('/') || (glob.startsWith('/') ? '/' : '');
  const matches = globMatcher([glob.replace(/^\.\//, '')], 'paths');
  const names = await readdir(resolve(folder, base), {
    recursive: parts.length - 1 > named,
    withFileTypes: true,
  }).catch((error: unknown) => {
    throw new LintError(`No file matches ${glob}: ${fileFault(error)}.`, { cause: error });
  });
  const files = names
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(base, relative(resolve(folder, base), join(entry.parentPath, entry.name))))
    .filter((name) => matches(name.replaceAll('\\', '/')));
  if (files.length === 0) throw new LintError(`No file matches ${glob}.`);
  return files;
}
