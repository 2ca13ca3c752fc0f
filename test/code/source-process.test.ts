import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { beginReading } from '../../src/code/source-process.js';
import { faultsOf, HOSTILE_TREES, writeTree } from '../support/code/hostile-trees.js';
import { runBuilt } from '../support/faults/built-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const never = new AbortController().signal;

/** One of each kind; all of them are in the suite of faults. */
const KINDS = new Set([
  '20,000 negations',
  'a name that is not UTF-8',
  'a tsconfig of 600 KB of \\"',
  'objects of twice an object',
  'a helper of 2,150 callers',
]);

/** What the process that reads does when it comes to `hostile.js`. */
const ENDINGS = [
  { what: 'crashes', does: 'process.abort()', why: 'it takes more memory than there is' },
  { what: 'is killed', does: "process.kill(process.pid, 'SIGKILL')", why: 'the process that read it ended (SIGKILL)' },
  { what: 'exits', does: 'process.exit(7)', why: 'the process that read it ended (7)' },
  { what: 'hits a bug', does: 'throw new TypeError()', why: 'a bug in mongolint (TypeError)' },
];

describe('source that somebody made to break its reader', () => {
  it.each(HOSTILE_TREES.filter(({ what }) => KINDS.has(what)))('costs only itself: $what', async (tree) => {
    const folder = await temporaryFolder();
    await writeTree(tree, folder);
    const { code, stdout, stderr } = await runBuilt(['code', folder], { cwd: folder });
    expect({ faults: faultsOf(tree, code, stdout), stderr }).toEqual({ faults: [], stderr: '' });
  });
});

describe('a process that reads source', () => {
  it.each(ENDINGS)('costs the file at which it $what', async ({ does, why }) => {
    const folder = await temporaryFolder();
    const tree = { what: '', files: { 'hostile.js': 'a;', 'other.js': 'b;' } };
    await writeTree(tree, folder);
    const preload = join(folder, 'preload.mjs');
    await writeFile(
      preload,
      `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { openSync } = fs;
fs.openSync = (path, ...others) => {
  if (String(path).endsWith('hostile.js')) ${does};
  return openSync(path, ...others);
};
syncBuiltinESMExports();\n`,
    );
    const { code, stdout } = await runBuilt(['code', folder], {
      cwd: folder,
      env: { NODE_OPTIONS: `--import=${preload}` },
      shell: 'ulimit -c 0',
    });
    expect(faultsOf({ ...tree, counted: 3 }, code, stdout)).toEqual([]);
    expect(stdout).toContain(`hostile.js was not read: ${why}.\n`);
  });

  it('reads several folders, each with its selection', async () => {
    const [one, other] = [await temporaryFolder(), await temporaryFolder()];
    await writeTree({ what: '', files: { 'left-out.js': 'a;' } }, one);
    await writeTree({ what: '', files: {} }, other);
    const folders = [
      { dir: one, name: 'one', exclude: ['left-*'] },
      { dir: other, name: 'other' },
    ];
    const { places, files } = await (await beginReading(folders, never)).code;
    expect(files).toBe(2);
    expect(places.map(({ file }) => file)).toEqual(['one/good.js', 'other/good.js']);
  });

  it('refuses at once what can not be read', async () => {
    const empty = await temporaryFolder();
    await expect(beginReading([{ dir: empty }], never)).rejects.toThrow('No JavaScript or TypeScript lies below');
  });

  it('ends when it is told to', async () => {
    const folder = await temporaryFolder();
    await writeTree({ what: '', files: {} }, folder);
    const { code } = await beginReading([{ dir: folder }], AbortSignal.abort(new Error('it was told to')));
    await expect(code).rejects.toThrow('The source could not be read: it was told to.');
  });
});
