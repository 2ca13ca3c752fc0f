import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  lchown,
  open,
  readdir,
  readFile,
  stat,
  symlink,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { replaceFile } from '../../src/files/file-replacement.js';
import { packageRoot } from '../../src/files/package-root.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const BUILT_MODULE = join(packageRoot(), 'dist/src/files/file-replacement.js');

describe('replaceFile', () => {
  it('writes a new file with the mode that is asked for, and nothing beside it', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'history.jsonl');
    await replaceFile(file, 'new\n', 0o600);
    expect(await readFile(file, 'utf8')).toBe('new\n');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['history.jsonl']);
  });

  it('keeps the mode of a file, and follows a link to it', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'real');
    await writeFile(file, 'old');
    await chmod(file, 0o640);
    await symlink(file, join(folder, 'link'));
    await replaceFile(join(folder, 'link'), 'new');
    expect(await readFile(file, 'utf8')).toBe('new');
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect(await readdir(folder)).toEqual(['link', 'real']);
  });

  it.each(['EPERM', 'EINVAL'])('replaces a file whose owner root may not set: %s', async (code) => {
    const folder = await temporaryFolder();
    const file = join(folder, 'history.jsonl');
    await writeFile(file, 'old');
    await chmod(file, 0o640);
    const chown = await refuseOwners(code);
    await replaceFile(file, 'new');
    expect(chown).toHaveBeenCalledOnce();
    expect(await readFile(file, 'utf8')).toBe('new');
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect(await readdir(folder)).toEqual(['history.jsonl']);
  });

  it('leaves a file as it was if setting its owner fails otherwise', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'history.jsonl');
    await writeFile(file, 'old');
    await refuseOwners('EIO');
    await expect(replaceFile(file, 'new')).rejects.toMatchObject({ code: 'EIO' });
    expect(await readFile(file, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['history.jsonl']);
  });

  it.runIf(process.platform !== 'win32')('follows no link that another user planted', async () => {
    const folder = await temporaryFolder();
    const secret = join(folder, 'secret');
    const link = join(folder, 'report.json');
    await writeFile(secret, 'old');
    await symlink(secret, link);
    await giveAway(link);
    await expect(replaceFile(link, 'new')).rejects.toThrow('it is a link that belongs to another user');
    expect(await readFile(secret, 'utf8')).toBe('old');
    expect((await readdir(folder)).sort()).toEqual(['report.json', 'secret']);
  });

  it.runIf(process.platform !== 'win32')('gives nothing to who put a file into a folder for everybody', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'report.json');
    await writeFile(file, 'bait', { mode: 0o666 });
    await giveAway(file);
    await replaceFile(file, 'in a folder of its own');
    await giveAway(file);
    await chmod(folder, 0o1777);
    await expect(replaceFile(file, 'secret')).rejects.toThrow('it belongs to another user');
    expect(await readFile(file, 'utf8')).toBe('in a folder of its own');
  });

  it('refuses links that lead in a circle', async () => {
    const folder = await temporaryFolder();
    await symlink(join(folder, 'b'), join(folder, 'a'));
    await symlink(join(folder, 'a'), join(folder, 'b'));
    await expect(replaceFile(join(folder, 'a'), 'new')).rejects.toThrow('its links lead in a circle');
  });

  it('removes drafts that killed processes left an hour ago, and nothing else', async () => {
    const folder = await temporaryFolder();
    const drafts = ['1', '2'].map((digit) => `.mongolint-${digit.repeat(8)}-0000-4000-8000-000000000000`);
    const others = ['.mongolint-notes', 'report.json.1234567'];
    const hoursAgo = new Date(Date.now() - 2 * 60 * 60_000);
    for (const name of [...drafts, ...others]) {
      await writeFile(join(folder, name), 'x');
      if (name !== drafts[1]) await utimes(join(folder, name), hoursAgo, hoursAgo);
    }
    await replaceFile(join(folder, 'report.json'), 'new');
    expect((await readdir(folder)).sort()).toEqual([drafts[1], ...others, 'report.json'].sort());
  });

  it('lets many processes of one number write at once', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'report.json');
    const texts = Array.from({ length: 40 }, (_, index) => `${index}`.repeat(1_000));
    await Promise.all(texts.map((text) => replaceFile(file, text)));
    expect(texts).toContain(await readFile(file, 'utf8'));
    expect(await readdir(folder)).toEqual(['report.json']);
  });

  // A limit on the size of files behaves as a full disk does: it takes the part that there is room for.
  it.runIf(process.platform === 'linux')('leaves a file as it was if the disk has room for a part only', async () => {
    if (!existsSync(BUILT_MODULE)) throw new Error('This test runs the built code: first run "npm run build".');
    const folder = await temporaryFolder();
    const file = join(folder, 'history.jsonl');
    await writeFile(file, 'old\n');
    const script = `
      process.on('SIGXFSZ', () => {});
      const { replaceFile } = await import(${JSON.stringify(pathToFileURL(BUILT_MODULE).href)});
      await replaceFile(${JSON.stringify(file)}, 'x'.repeat(200_000)).catch(({ code }) => console.log(code));`;
    const limited = `ulimit -f 100; exec "$0" --input-type=module --eval "$1"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', limited, process.execPath, script]);
    expect(stdout).toBe('EFBIG\n');
    expect(await readFile(file, 'utf8')).toBe('old\n');
    expect(await readdir(folder)).toEqual(['history.jsonl']);
  });
});

/** As it is for root without the capability, whoever runs the tests. */
async function refuseOwners(code: string) {
  const handle = await open(process.execPath);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const chown = vi
    .spyOn(prototype, 'chown')
    .mockRejectedValue(Object.assign(new Error(`${code}: chown`), { code, syscall: 'chown' }));
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  return chown;
}

/** Makes a file or a link one of another user, who is not root. */
async function giveAway(path: string): Promise<void> {
  if (process.getuid?.() === 0) return lchown(path, 4_711, 4_711);
  vi.spyOn(process as Required<typeof process>, 'geteuid').mockReturnValue(4_711);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
}
