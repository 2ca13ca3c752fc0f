import { lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strangerIn } from '../files/file-owner.js';

const PRIVATE_FOLDER_MODE = 0o700;

/**
 * Has this thread keep compiled code for later runs, where Node can (22.1 and later), and name the sources in stack traces
 * if the arguments ask for those. It holds for modules that are imported later.
 */
export function prepareLoading(argv: readonly string[]): void {
  if (argv.includes('--verbose')) process.setSourceMapsEnabled(true);
  const { enableCompileCache } = module as { readonly enableCompileCache?: () => void };
  // Node's default. What lies there is run, so nobody else may have made it.
  if (enableCompileCache !== undefined && isOwn(join(tmpdir(), 'node-compile-cache'))) enableCompileCache();
}

/** True for a folder that nobody but this user and root can write to; one that is missing is made first, before somebody else does. */
function isOwn(folder: string): boolean {
  try {
    mkdirSync(folder, PRIVATE_FOLDER_MODE);
  } catch {
    // What is there is looked at.
  }
  const status = lstatSync(folder, { throwIfNoEntry: false });
  return status?.isDirectory() === true && strangerIn(status) === null;
}
