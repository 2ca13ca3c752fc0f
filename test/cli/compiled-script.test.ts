import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { CompiledScript } from '../../src/cli/compiled-script.js';
import { spareMemory, spareMemoryNoLonger } from '../../src/cli/v8-settings.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const sourceOf = (factor: number) => `
const { sep } = require('node:path');
exports.multiplied = (value) => value * ${factor};
exports.file = () => __dirname + sep + module.filename.slice(__dirname.length + 1);
`;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder, 'script.cjs');
  await writeFile(file, sourceOf(2));
  await mkdir(join(folder, 'kept'), { mode: 0o700 });
});

/** What requires the module gets, and the script. */
function load(at = 'kept') {
  const script = new CompiledScript(file, join(folder, at));
  const exports = createRequire(import.meta.url)(file) as {
    multiplied: (value: number) => number;
    file: () => string;
  };
  return { exports, wasKept: script.wasKept, keep: () => script.keep() };
}
const keptFile = async () => join(folder, 'kept', (await readdir(join(folder, 'kept')))[0] as string);

describe('a compiled script', () => {
  it('runs from its source first, then from what the first run has compiled', async () => {
    const first = load();
    expect(first.wasKept).toBe(false);
    expect(first.exports.multiplied(4)).toBe(8);
    await first.keep();
    expect(await readdir(join(folder, 'kept'))).toEqual([`script.cjs-${process.version}-${process.arch}`]);
    expect((await stat(await keptFile())).mode & 0o777).toBe(0o600);
    const second = load();
    expect(second.wasKept).toBe(true);
    expect(second.exports.multiplied(5)).toBe(10);
    expect(second.exports.file()).toBe(file);
  });

  it('runs from what a run on many collections has compiled, which spared memory until then', async () => {
    const first = load();
    spareMemory(10_000);
    spareMemoryNoLonger();
    await first.keep();
    expect(load().wasKept).toBe(true);
  });

  it('does not run from what was compiled of another source of the same length', async () => {
    await load().keep();
    await writeFile(file, sourceOf(3));
    const changed = load();
    expect(changed.wasKept).toBe(false);
    expect(changed.exports.multiplied(4)).toBe(12);
    await changed.keep();
    expect(load().wasKept).toBe(true);
    expect(load().exports.multiplied(4)).toBe(12);
  });

  it.each([
    ['empty', (kept: string) => truncate(kept)],
    ['cut off', async (kept: string) => truncate(kept, (await stat(kept)).size - 1)],
    ['shorter than its checksums', (kept: string) => truncate(kept, 7)],
    [
      'changed by a bit',
      async (kept: string) => {
        const bytes = await readFile(kept);
        const place = bytes.length >> 1;
        bytes[place] = (bytes[place] as number) ^ 1;
        await writeFile(kept, bytes);
      },
    ],
    ['of something else', (kept: string) => writeFile(kept, Buffer.alloc(1_000, 'x'))],
  ])('runs from its source if what was kept is %s, and keeps it anew', async (_, spoil) => {
    await load().keep();
    await spoil(await keptFile());
    const script = load();
    expect(script.wasKept).toBe(false);
    expect(script.exports.multiplied(4)).toBe(8);
    await script.keep();
    expect(load().wasKept).toBe(true);
  });

  it('keeps nothing where nothing can be written, and leaves no unfinished file', async () => {
    const script = load('absent');
    expect(script.exports.multiplied(4)).toBe(8);
    await script.keep();
    expect((await readdir(folder)).sort()).toEqual(['kept', 'script.cjs']);
    await mkdir(join(folder, 'taken', `script.cjs-${process.version}-${process.arch}`), { recursive: true });
    await load('taken').keep();
    expect(await readdir(join(folder, 'taken'))).toEqual([`script.cjs-${process.version}-${process.arch}`]);
  });

  it('says which script can’t be read', () => {
    file = join(folder, 'absent.cjs');
    expect(() => load()).toThrow('absent.cjs');
  });
});
