import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compiledCodeFolder } from '../../src/cli/compiled-code-folder.js';

let home: string;
let caches: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'mongolint-home-'));
  caches = join(home, '.cache');
});
afterEach(() => rm(home, { recursive: true, force: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

it('is a folder of the version that its owner alone can read, below the folder for caches', async () => {
  await mkdir(caches);
  await chmod(caches, 0o755);
  expect(compiledCodeFolder({}, home, '1.2.3')).toBe(join(caches, 'mongolint', '1.2.3'));
  expect(await modeOf(join(caches, 'mongolint', '1.2.3'))).toBe(0o700);
  expect(compiledCodeFolder({}, home, '1.2.3')).toBe(join(caches, 'mongolint', '1.2.3'));
});

it('is where XDG_CACHE_HOME says', async () => {
  const elsewhere = join(home, 'elsewhere');
  await mkdir(elsewhere, { mode: 0o700 });
  expect(compiledCodeFolder({ XDG_CACHE_HOME: elsewhere }, home, '1.2.3')).toBe(join(elsewhere, 'mongolint', '1.2.3'));
});

it('takes the place of that of another version', async () => {
  await mkdir(caches, { mode: 0o700 });
  await writeFile(join(compiledCodeFolder({}, home, '1.2.3') as string, 'code'), '');
  compiledCodeFolder({}, home, '1.2.4');
  expect(await readdir(join(caches, 'mongolint'))).toEqual(['1.2.4']);
});

it('is none if there is no folder for caches, as in a container', async () => {
  expect(compiledCodeFolder({}, home, '1.2.3')).toBeNull();
  expect(await readdir(home)).toEqual([]);
});

it.each([
  ['the folder for caches', []],
  ['the folder of mongolint', ['mongolint']],
  ['the folder of the version', ['mongolint', '1.2.3']],
])('is none if others can write to %s', async (_, path) => {
  await mkdir(caches, { mode: 0o700 });
  compiledCodeFolder({}, home, '1.2.3');
  await chmod(join(caches, ...path), 0o777);
  expect(compiledCodeFolder({}, home, '1.2.3')).toBeNull();
});

it.each([['mongolint'], ['mongolint/1.2.3']])('is none if %s is a link or a file', async (path) => {
  const target = join(home, 'target');
  await mkdir(join(caches, path, '..'), { recursive: true, mode: 0o700 });
  await mkdir(target, { mode: 0o700 });
  await symlink(target, join(caches, path));
  expect(compiledCodeFolder({}, home, '1.2.3')).toBeNull();
  await rm(join(caches, path));
  await writeFile(join(caches, path), '');
  expect(compiledCodeFolder({}, home, '1.2.3')).toBeNull();
  expect(await readdir(target)).toEqual([]);
});
