import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lineText } from '../../src/code/source-line.js';
import { beginReading, SourceReader } from '../../src/code/source-process.js';
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

  it('reads again what has changed, and keeps what it knew of a file that does not parse', async () => {
    const folder = await temporaryFolder();
    const query = "import { MongoClient } from 'mongodb';\nnew MongoClient('').db().collection('a').find({});\n";
    await writeTree({ what: '', files: { 'one.js': query, 'other.js': 'b;' } }, folder);
    const reader = new SourceReader(never);
    onTestFinished(() => reader.end());
    const linesWith = async (text: string | null) => {
      const texts = new Map(text === null ? [] : [[join(folder, 'one.js'), text]]);
      const { places, files, unread } = await reader.read([{ dir: folder, exclude: ['good.js'] }], texts);
      return { lines: places.map(lineText), files, unread };
    };
    const whole = { files: 2, unread: [] };
    expect(await linesWith(null)).toEqual({ ...whole, lines: ['one.js:2'] });
    expect(await linesWith(`\n${query}`)).toEqual({ ...whole, lines: ['one.js:3'] });
    expect(await linesWith(`\n\n${query}{{`)).toEqual({ ...whole, lines: ['one.js:3'] });
    const why = 'its expressions are nested too deeply for the parser';
    const deep = `${'(\n'.repeat(60_000)}a${')\n'.repeat(60_000)}`;
    expect(await linesWith(deep)).toEqual({ files: 1, lines: [], unread: [{ file: 'one.js', why }] });
    expect(await linesWith(query)).toMatchObject({ files: 1 });
    reader.retry(join(folder, 'one.js'));
    expect(await linesWith(query)).toEqual({ ...whole, lines: ['one.js:2'] });
    await rm(join(folder, 'other.js'));
    expect(await linesWith(null)).toEqual({ ...whole, files: 1, lines: ['one.js:2'] });
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
