import { lstatSync, mkdirSync, readdirSync, rmSync, type Stats } from 'node:fs';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** By others than the owner. */
const WRITABLE_BY_OTHERS = 0o022;
const OWNER_ALONE = 0o700;

/**
 * The folder for the compiled code of a version; that of other versions is removed. Null if there is no folder for caches that
 * nobody else can write to (compiled code is run as it is), or if the environment asks Node for a cache of its own, or none.
 */
export function compiledCodeFolder(env: Environment, home: string, version: string): string | null {
  if (env['NODE_DISABLE_COMPILE_CACHE'] !== undefined || env['NODE_COMPILE_CACHE'] !== undefined) return null;
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
