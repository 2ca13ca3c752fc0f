import { execFile } from 'node:child_process';
import fs, { existsSync } from 'node:fs';
import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { replaceFile } from '../src/file-replacement.js';
import { packageRoot } from '../src/package-root.js';
import { temporaryFolder } from './support/temporary-folder.js';

const BUILT_MODULE = join(packageRoot(), 'dist/src/file-replacement.js');

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
    const chown = refuseOwners(code);
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
    refuseOwners('EIO');
    await expect(replaceFile(file, 'new')).rejects.toMatchObject({ code: 'EIO' });
    expect(await readFile(file, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['history.jsonl']);
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
function refuseOwners(code: string) {
  vi.spyOn(process, 'getuid').mockReturnValue(0);
  const chown = vi.spyOn(fs, 'chown').mockImplementation((_path, _uid, _gid, done) => {
    done(Object.assign(new Error(`${code}: chown`), { code, syscall: 'chown' }));
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  return chown;
}
