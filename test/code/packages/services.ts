import { cp, mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { transformWithOxc } from 'vite';
import { packageRoot } from '../../../src/files/package-root.js';
import type { InstalledPackages } from '../../applications/installed-application.js';

/** A service of `services/`, driven by the program of its name. */
export interface ServiceCase extends InstalledPackages {
  /** Folders that stand for packages of its workspace, by their names. */
  readonly workspace?: Readonly<Record<string, string>>;
  /** Whether it is TypeScript, and what runs is compiled. */
  readonly isTyped?: boolean;
  /** Shapes whose line is certain. The first run had as many; those of the others may be sent by what nobody is seen to call. */
  readonly certain: number;
}

export const SERVICES: readonly ServiceCase[] = [
  {
    name: 'shared-models',
    packages: { mongoose: '8.24.10' },
    workspace: { '@shop/models': 'packages/models' },
    certain: 16,
  },
  {
    name: 'injected',
    packages: { mongodb: '6.22.0' },
    isTyped: true,
    certain: 11,
  },
];

/** Copies a service beside the programs. @returns the folder of its source */
export async function placed({ name, workspace = {}, isTyped = false }: ServiceCase, folder: string): Promise<string> {
  const source = join(folder, 'service');
  await rm(source, { recursive: true, force: true });
  await cp(join(packageRoot(), 'test', 'code', 'packages', 'services', name), source, { recursive: true });
  for (const [called, path] of Object.entries(workspace)) {
    const link = join(folder, 'node_modules', called);
    await mkdir(dirname(link), { recursive: true });
    await rm(link, { force: true });
    await symlink(join(source, path), link);
  }
  if (isTyped) await compile(source, join(folder, 'compiled'));
  return realpath(source);
}

/** With source maps, so that stacks name the lines of the source. */
async function compile(source: string, into: string): Promise<void> {
  for (const file of await readdir(source, { recursive: true })) {
    if (!file.endsWith('.ts')) continue;
    const path = join(source, file);
    const { code, map } = await transformWithOxc(await readFile(path, 'utf8'), path);
    const to = join(into, file.replace(/ts$/, 'js'));
    await mkdir(dirname(to), { recursive: true });
    const inline = Buffer.from(JSON.stringify({ ...map, sources: [path] })).toString('base64');
    await writeFile(to, `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}\n`);
  }
  await writeFile(join(into, 'package.json'), '{ "type": "module" }');
}
