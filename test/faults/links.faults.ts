import { execFileSync } from 'node:child_process';
import { lchown, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBuilt } from '../support/faults/built-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// Item 4 of "Hostile input": nothing is written through a link that the user did not name, and no pipe blocks a run.

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const NO_SERVER = ['mongodb://127.0.0.1:1', '--timeout', '500ms'];
const VICTIM = 'precious\n';

/** A folder with a file that must stay as it is. */
async function folderWithVictim(): Promise<{ readonly folder: string; readonly victim: string }> {
  const folder = await temporaryFolder();
  const victim = join(folder, 'victim');
  await writeFile(victim, VICTIM);
  return { folder, victim };
}

async function demo(plant: (downloads: string, victim: string) => Promise<void>, mode = 0o700) {
  const { folder, victim } = await folderWithVictim();
  const downloads = join(folder, 'downloads');
  await mkdir(downloads);
  execFileSync('chmod', [mode.toString(8), downloads]);
  await plant(downloads, victim);
  const env = { HOME: folder, TMPDIR: folder, MONGOMS_DOWNLOAD_DIR: downloads, MONGOMS_VERSION: '7.0.14' };
  // Nothing listens there.
  const result = await runBuilt(['demo'], {
    cwd: folder,
    env: { ...env, MONGOMS_DOWNLOAD_MIRROR: 'http://127.0.0.1:1' },
  });
  expect(await readFile(victim, 'utf8')).toBe(VICTIM);
  expect(result).toMatchObject({ code: 2, wasKilled: false });
  return { ...result, left: await readdir(downloads) };
}

describe('item 4: the download of the server for the demo', () => {
  it('writes no lock through a link', async () => {
    const { stderr, left } = await demo((downloads, victim) => symlink(victim, join(downloads, '7.0.14.lock')));
    expect(stderr).toContain('MongoDB did not start');
    expect(left).not.toContain('7.0.14.lock');
  });

  it('does not wait for a pipe in place of a lock', async () => {
    const { stderr } = await demo(async (downloads) => void execFileSync('mkfifo', [join(downloads, '7.0.14.lock')]));
    expect(stderr).toContain('MongoDB did not start');
  });

  it('does not use a folder that others may write to', async () => {
    const { stderr } = await demo(async () => undefined, 0o777);
    expect(stderr).toMatch(/which others may write to: set MONGOMS_DOWNLOAD_DIR to a folder of your own\.\n$/);
  });
});

describe('item 4: a link that another user planted', () => {
  it.runIf(isRoot).each(['json=planted', 'html=planted'])('gets no report, wherever it leads: %s', async (format) => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'shared'));
    execFileSync('mkfifo', [join(folder, 'victim')]);
    await symlink(join(folder, 'victim'), join(folder, 'shared', 'planted'));
    await lchown(join(folder, 'shared', 'planted'), NOBODY, NOBODY);
    const { code, stderr } = await runBuilt([...NO_SERVER, '--format', format], { cwd: join(folder, 'shared') });
    expect(stderr).toContain("can't be written to planted: it is a link that belongs to another user.");
    expect(code).toBe(2);
  });
});

describe('item 4: a lock', () => {
  it.each(['a link', 'a dangling link', 'a pipe'])('that is %s is neither written to nor waited for', async (what) => {
    const { folder, victim } = await folderWithVictim();
    const lock = join(folder, 'history.lock');
    if (what === 'a pipe') execFileSync('mkfifo', [lock]);
    else await symlink(what === 'a link' ? victim : join(folder, 'nowhere'), lock);
    const { code, stderr } = await runBuilt([...NO_SERVER, '--history', 'history'], { cwd: folder });
    expect(stderr).toContain('history.lock beside it is not a lock of mongolint: remove it.');
    expect(code).toBe(2);
    expect(await readFile(victim, 'utf8')).toBe(VICTIM);
    expect((await readdir(folder)).sort()).toEqual(['history.lock', 'victim']);
  });
});

describe('item 4: a pipe that nobody writes to', () => {
  it.each([
    ['compare', 'pipe', 'pipe'],
    ['judge', 'pipe'],
    ['report', 'pipe'],
    [...NO_SERVER, '--production', 'pipe'],
    ['mongodb://127.0.0.1:1/?tls=true&tlsCAFile=pipe', '--timeout', '500ms'],
    ['mongodb://127.0.0.1:1/?tls=true&tlsCertificateKeyFile=pipe', '--timeout', '500ms'],
  ])('does not keep the command: %s %s %s', async (...argv) => {
    const folder = await temporaryFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const { code, stderr, wasKilled } = await runBuilt(argv, { cwd: folder });
    expect(stderr).toMatch(/can't be read: (?:it is|nobody writes)|Not connected to .*: no complete answer within/);
    expect({ code, wasKilled }).toEqual({ code: 2, wasKilled: false });
  });
});
