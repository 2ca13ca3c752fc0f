import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsOf, HOSTILE_TREES, writeTree } from '../support/code/hostile-trees.js';
import { runBuilt } from '../support/faults/built-command.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { SHORT_LIMITS } from '../support/faults/linter-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const faulty = useFaultyShop();

const [negations] = HOSTILE_TREES;
if (negations === undefined) throw new Error('There are no trees.');

const EVERYTHING = ['shop.orders', 'shop.threads'];

/** In the process that reads alone, before anything else. */
const IN_READER = 'if (process.env.MONGOLINT_READS_SOURCE_FOR === String(process.ppid))';

/** A module to load before the command. */
async function preload(folder: string, code: string): Promise<Record<string, string>> {
  const file = join(folder, 'preload.mjs');
  await writeFile(file, `${code}\n`);
  return { NODE_OPTIONS: `--import=${file}` };
}

describe('source that somebody made to break its reader', () => {
  it.each(HOSTILE_TREES)('costs only itself: $what', async (tree) => {
    const folder = await temporaryFolder();
    await writeTree(tree, folder);
    const { code, stdout, stderr } = await runBuilt(['code', folder], { cwd: folder });
    expect({ faults: faultsOf(tree, code, stdout), stderr }).toEqual({ faults: [], stderr: '' });
  });

  it('costs only itself: 130,000 files in a folder', async () => {
    const folder = await temporaryFolder();
    const names = Array.from({ length: 130_000 }, (_, index) => `h${index}.js`);
    const tree = { what: '', files: {}, counted: names.length };
    await writeTree(tree, folder);
    for (const name of names) await writeFile(join(folder, name), '');
    const { code, stdout } = await runBuilt(['code', folder], { cwd: folder });
    expect(faultsOf(tree, code, stdout)).toEqual([]);
  });

  it('costs only itself: a file and a tsconfig that may not be read', async () => {
    const folder = await temporaryFolder();
    const tree = { what: '', files: { 'hostile.js': 'a;', 'tsconfig.json': '{}' }, counted: 2 };
    await writeTree(tree, folder);
    const { code, stdout } = await runBuilt(['code', folder], {
      cwd: folder,
      shell: `chmod 755 . && chmod 0 hostile.js tsconfig.json && exec setpriv --reuid=65534 --clear-groups -- "$0" "$@"`,
    });
    expect(faultsOf(tree, code, stdout)).toEqual([]);
    expect(stdout).toContain(
      'hostile.js was not read: permission is denied.\ntsconfig.json was not read: permission is denied.',
    );
  });

  it('costs only itself: a file that keeps the reader for ever', async () => {
    const folder = await temporaryFolder();
    const tree = { what: '', files: { 'hostile.js': 'a;', 'other.js': 'b;' }, counted: 3 };
    await writeTree(tree, folder);
    const env = await preload(
      folder,
      `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { openSync } = fs;
fs.openSync = (path, ...others) => {
  while (String(path).endsWith('hostile.js'));
  return openSync(path, ...others);
};
syncBuiltinESMExports();`,
    );
    const { code, stdout } = await runBuilt(['code', folder], { cwd: folder, env });
    expect(faultsOf(tree, code, stdout)).toEqual([]);
    expect(stdout).toContain('hostile.js was not read: it took longer than 60 s.');
  });

  it('costs only itself: more files than the memory holds', async () => {
    const folder = await temporaryFolder();
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`h${i}.js`, 'a(b, c);'.repeat(4_000)]));
    await writeTree({ what: '', files }, folder);
    const env = { NODE_OPTIONS: '--max-old-space-size=160' };
    const { code, stdout } = await runBuilt(['code', folder], { cwd: folder, env });
    expect(faultsOf({ what: '', files }, code, stdout)).toEqual([]);
    expect(stdout).toContain('was not read: the other files fill the memory.');
  });
});

describe('a run on a cluster', () => {
  it('does not fall with a file of the source', async () => {
    const cwd = await temporaryFolder();
    await writeTree(negations, cwd);
    const report = await faulty.lint({ exit: [1], report: true, keeps: EVERYTHING }, { cwd, args: ['--code', '.'] });
    expect(report?.code).toMatchObject({ files: 1, unreadFiles: 1, places: 1 });
  });

  it('does not fall with the process that reads the source', async () => {
    const cwd = await temporaryFolder();
    await writeTree(negations, cwd);
    const env = await preload(cwd, `${IN_READER} process.abort();`);
    const report = await faulty.lint(
      { exit: [2], report: true, keeps: EVERYTHING },
      { cwd, env, args: ['--code', '.'] },
    );
    expect(report?.skipped.map(({ check }) => check)).toContain('unindexed-query');
  });

  it('does not wait for the source until its own time is over', async () => {
    const cwd = await temporaryFolder();
    await writeTree(negations, cwd);
    const env = await preload(cwd, `${IN_READER} for (;;);`);
    const report = await faulty.lint(
      { exit: [2], report: true, keeps: EVERYTHING },
      { cwd, env, args: ['--code', '.'], limits: SHORT_LIMITS },
    );
    expect(report?.skipped).toContainEqual(expect.objectContaining({ check: 'unindexed-query', reason: 'max-time' }));
  });

  it('leaves no reader behind, even one that is stuck', async () => {
    const cwd = await temporaryFolder();
    await writeTree(negations, cwd);
    const env = await preload(
      cwd,
      `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { openSync } = fs;
fs.openSync = (path, ...others) => {
  if (String(path).endsWith('hostile.js')) {
    fs.writeFileSync('reader', process.pid + ' ' + process.ppid);
    for (;;);
  }
  return openSync(path, ...others);
};
syncBuiltinESMExports();`,
    );
    let reader = 0;
    await runBuilt(['code', cwd], {
      cwd,
      env,
      meanwhile: async () => {
        await expect.poll(() => readFile(join(cwd, 'reader'), 'utf8').catch(() => '')).toMatch(/^\d+ \d+$/);
        const [pid, parent] = (await readFile(join(cwd, 'reader'), 'utf8')).split(' ').map(Number) as [number, number];
        reader = pid;
        process.kill(parent, 'SIGKILL');
      },
    });
    // A zombie has ended.
    const state = async () => /\) (\w)/.exec(await readFile(`/proc/${reader}/stat`, 'utf8').catch(() => ') Z'))?.[1];
    await expect.poll(state).toBe('Z');
  });
});
