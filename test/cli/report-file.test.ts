import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeReportFile } from '../../src/cli/report-file.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('writeReportFile', () => {
  it('writes a new file, and leaves nothing beside it', async () => {
    const folder = await temporaryFolder();
    await writeReportFile(join(folder, 'report.prom'), ['a 1\n']);
    expect(await readdir(folder)).toEqual(['report.prom']);
    expect(await readFile(join(folder, 'report.prom'), 'utf8')).toBe('a 1\n');
  });

  it('replaces a file as a whole, with its permissions', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'report.prom');
    await writeFile(file, 'old\n');
    await chmod(file, 0o640);
    const before = await stat(file);
    await writeReportFile(file, ['new\n']);
    const after = await stat(file);
    expect(await readFile(file, 'utf8')).toBe('new\n');
    expect(after.mode).toBe(before.mode);
    // Another file took its name: who has the old one open reads the old one to its end.
    expect(after.ino).not.toBe(before.ino);
  });

  it('writes to what is no regular file as it is', async () => {
    await writeReportFile('/dev/null', ['gone']);
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
  });

  it('leaves nothing behind where it fails', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'taken'));
    await expect(writeReportFile(join(folder, 'missing', 'report.prom'), ['x'])).rejects.toThrow('ENOENT');
    await expect(writeReportFile(join(folder, 'taken'), ['x'])).rejects.toThrow('EISDIR');
    expect(await readdir(folder)).toEqual(['taken']);
  });

  it('follows a link instead of replacing it', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'real'), 'old');
    await symlink(join(folder, 'real'), join(folder, 'link'));
    await writeReportFile(join(folder, 'link'), ['new']);
    expect(await readFile(join(folder, 'real'), 'utf8')).toBe('new');
  });
});
