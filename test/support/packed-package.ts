import { execFile } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTemporaryFolder } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { packageRoot } from '../../src/files/package-root.js';

export const run = promisify(execFile);

/** The package as it is published, of the last build: a file in an otherwise empty project, which the caller removes. */
export async function packed(): Promise<{ folder: string; file: string; remove(): Promise<void> }> {
  const { path: folder, remove } = await createTemporaryFolder(tmpdir());
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: packageRoot(),
  });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  return { folder, file: join(folder, filename), remove };
}

/** What the files of a folder hold. */
export function bytesOf(path: string): number {
  const status = lstatSync(path);
  if (!status.isDirectory()) return status.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}
