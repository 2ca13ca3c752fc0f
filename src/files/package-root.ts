import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRegular } from './bounded-file.js';

/** The largest size of a file of the package. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The folder of mongolint's package.json, from the sources as well as from the build. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error('mongolint is not installed whole: its package.json is missing.');
    folder = above;
  }
  return folder;
}

/** True for mongolint's own files, and for those of the packages that it depends on. */
export function isOwnFile(path: string): boolean {
  if (isExecutable()) return path === process.execPath;
  if (path.startsWith(join(packageRoot(), '/'))) return true;
  const { dependencies = {}, peerDependencies = {} } = packageJson();
  return Object.keys({ ...dependencies, ...peerDependencies }).some((name) => path.includes(`/node_modules/${name}/`));
}

/**
 * A file of the package: from its folder, or from what was built into the executable; null if there is none.
 * @param path from the root, with "/"
 */
export function packageFile(path: string): Buffer | null {
  const executable = executableAssets();
  if (executable === null) {
    const file = join(packageRoot(), path);
    return existsSync(file) ? readRegular(realpathSync(file), MOST_BYTES) : null;
  }
  try {
    return Buffer.from(executable.getAsset(path));
  } catch {
    return null;
  }
}

/** True in the single file that `npm run build:executable` makes: Node itself, with mongolint in it. */
export function isExecutable(): boolean {
  return executableAssets() !== null;
}

/** Asked for in this way, since a shell that runs `collect --script` may have a Node without it. */
function executableAssets(): { getAsset(path: string): ArrayBuffer } | null {
  const sea = process.getBuiltinModule?.('node:sea') as
    | { isSea(): boolean; getAsset(path: string): ArrayBuffer }
    | undefined;
  return sea?.isSea() === true ? sea : null;
}

interface PackageInfo {
  readonly name: string;
  readonly version: string;
}

/** Defined by the build for the script that runs in mongosh: it has no package.json beside it. */
declare const TOOL_IN_SHELL: PackageInfo | undefined;

export function packageInfo(): PackageInfo {
  if (typeof TOOL_IN_SHELL !== 'undefined') return TOOL_IN_SHELL;
  const { name, version } = packageJson();
  return { name, version };
}

/** Undefined while package.json names no address. */
export function packageHomepage(): string | undefined {
  return packageJson().homepage;
}

type Packages = Readonly<Record<string, string>>;

function packageJson(): PackageInfo & {
  readonly homepage?: string;
  readonly dependencies?: Packages;
  readonly peerDependencies?: Packages;
} {
  return JSON.parse(String(packageFile('package.json')));
}
