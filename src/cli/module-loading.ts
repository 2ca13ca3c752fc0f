import { lstatSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** By others than the owner. */
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Has this thread keep compiled code for later runs, where Node can (22.1 and later), and name the sources in stack traces
 * if the arguments ask for those. It holds for modules that are imported later.
 */
export function prepareLoading(argv: readonly string[]): void {
  if (argv.includes('--verbose')) process.setSourceMapsEnabled(true);
  const { enableCompileCache } = module as { readonly enableCompileCache?: () => void };
  // Node's default. What lies there is run, so nobody else may have made it.
  if (isOwnOrAbsent(join(tmpdir(), 'node-compile-cache'))) enableCompileCache?.();
}

/** True for a folder that nobody but this user can write to, and for none. */
export function isOwnOrAbsent(folder: string): boolean {
  const status = lstatSync(folder, { throwIfNoEntry: false });
  if (status === undefined || process.getuid === undefined) return true;
  return status.isDirectory() && status.uid === process.getuid() && (status.mode & WRITABLE_BY_OTHERS) === 0;
}
