import { lstatSync, mkdirSync, readdirSync, rmSync, type Stats } from 'node:fs';
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { packageInfo } from '../package-root.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Node 22.1 and later have it. It checks that the code is the same, and that the same Node compiled it. */
const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };

/** By others than the owner. */
const WRITABLE_BY_OTHERS = 0o022;
const OWNER_ALONE = 0o700;

/**
 * Keeps compiled code for the next run, which then starts some 40 ms sooner, if the Node that runs this can and the user has a
 * folder for caches that nobody else can write to: compiled code is run as it is. In any other case, nothing is kept.
 */
export function keepCompiledCode(env: Environment): void {
  if (enableCompileCache === undefined || env['NODE_COMPILE_CACHE'] !== undefined) return;
  const folder = compiledCodeFolder(env, homedir(), packageInfo().version);
  if (folder !== null) enableCompileCache(folder);
}

/**
 * The folder for the compiled code of a version; that of other versions is removed. Null if there is no folder for caches, or
 * none that is safe. Containers usually have none: code that is lost with them would take 90 ms to keep.
 */
export function compiledCodeFolder(env: Environment, home: string, version: string): string | null {
  try {
    const caches = env['XDG_CACHE_HOME'] || join(home, '.cache');
    const own = join(caches, 'mongolint');
    const folder = join(own, version);
    if (!isOwn(lstatSync(caches))) return null;
    mkdirSync(own, { recursive: true, mode: OWNER_ALONE });
    if (!isOwn(lstatSync(own))) return null;
    if (mkdirSync(folder, { recursive: true, mode: OWNER_ALONE }) !== undefined) {
      for (const other of readdirSync(own)) if (other !== version) rmSync(join(own, other), { recursive: true });
    }
    return isOwn(lstatSync(folder)) ? folder : null;
  } catch {
    // A read-only or absent home is as good as any other.
    return null;
  }
}

function isOwn(status: Stats): boolean {
  return status.isDirectory() && status.uid === process.getuid?.() && (status.mode & WRITABLE_BY_OTHERS) === 0;
}
