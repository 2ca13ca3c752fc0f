import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

interface PackageInfo {
  readonly name: string;
  readonly version: string;
}

/** Defined by the build for the script that runs in mongosh: it has no package.json beside it. */
declare const TOOL_IN_SHELL: PackageInfo | undefined;

export function packageInfo(): PackageInfo {
  if (typeof TOOL_IN_SHELL !== 'undefined') return TOOL_IN_SHELL;
  const { name, version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return { name, version };
}

/** Undefined while package.json names no address. */
export function packageHomepage(): string | undefined {
  const { homepage } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
  return homepage;
}
