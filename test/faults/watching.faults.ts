import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBuilt } from '../support/faults/built-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// Item 5 of "Hostile input": a command always ends, and what keeps it from being watched or from running is exit code 2.

const NO_SERVER = ['mongodb://127.0.0.1:1', '--timeout', '500ms'];
const flag = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
const STACK_OR_BUG = /^\s+at |a bug in mongolint/m;

describe('item 5: where no process may be started', () => {
  it.each([[NO_SERVER], [['judge', 'x']]])('%s says so', async (argv) => {
    const node = [flag, '--allow-fs-read=*', '--allow-fs-write=*'];
    const { code, stdout, stderr } = await runBuilt(argv, { cwd: await temporaryFolder(), node });
    expect(stderr).toBe("mongolint can't run: ERR_ACCESS_DENIED: Node's permission model denies it ChildProcess.\n");
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

describe('item 5: where no thread may be started', () => {
  it('a process that could outlive its parent is not run', async () => {
    const node = [flag, '--allow-fs-read=*', '--allow-fs-write=*', '--allow-child-process'];
    const { code, stderr } = await runBuilt(NO_SERVER, { cwd: await temporaryFolder(), node });
    expect(stderr).toContain(
      "mongolint can't run: ERR_ACCESS_DENIED: Node's permission model denies it WorkerThreads.\n",
    );
    expect(code).toBe(2);
  });
});

describe('item 5: with few open files', () => {
  // Below 20, Node can't load a file itself.
  it.each([20, 22, 24, 28, 32, 40])('%i', async (files) => {
    const shell = `ulimit -n ${files}`;
    const { code, stdout, stderr } = await runBuilt(NO_SERVER, { cwd: await temporaryFolder(), shell });
    expect(stderr).toMatch(/may open no more files; raise the limit \(ulimit -n\)\.\n/);
    expect(stderr).not.toMatch(STACK_OR_BUG);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

describe('item 5: in a working directory that was deleted', () => {
  it.each([[NO_SERVER], [['init']], [['judge', 'x']], [['compare', 'x', 'y']]])('%s says so', async (argv) => {
    const folder = join(await temporaryFolder(), 'gone');
    await mkdir(folder);
    const { code, stderr } = await runBuilt(argv, { cwd: folder, shell: 'rmdir "$PWD"' });
    expect(stderr).toBe('mongolint failed: the working directory does not exist any more.\n');
    expect(code).toBe(2);
  });
});

const BLOCKED = `
import { execFileSync } from 'node:child_process';
import { open, writeFile } from 'node:fs/promises';
execFileSync('mkfifo', ['never']);
open('never').catch(() => undefined);
export default { meta: { name: 'blocked', version: '1.0.0' }, checks: [] };
`;

describe('item 5: a thread that is blocked in a system call', () => {
  it('does not keep a command that is done', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'blocked.mjs'), BLOCKED);
    const argv = [...NO_SERVER, '--plugin', './blocked.mjs'];
    const { code, stderr, wasKilled } = await runBuilt(argv, { cwd: folder });
    expect(stderr).toMatch(/^No usable server at 127\.0\.0\.1:1/);
    expect({ code, wasKilled }).toEqual({ code: 2, wasKilled: false });
  });
});
