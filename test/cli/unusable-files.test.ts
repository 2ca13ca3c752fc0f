import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCaptured } from '../support/captured-io.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Nobody listens there, and mongolint would wait for ten minutes. */
const RUN = ['mongodb://127.0.0.1:1', '--timeout', '600000'];

describe.runIf(process.platform === 'linux')('what can be known before a server is asked', () => {
  it.each([
    [
      'a report in a missing folder',
      '--format json=none/a.json',
      /^The json report can't be written to none\/a\.json: its folder does not exist\.\n$/,
    ],
    [
      'a report where a folder is',
      '--format json=sub',
      /^The json report can't be written to sub: it is a folder\.\n$/,
    ],
    [
      'a baseline to be written in a missing folder',
      '--baseline none/b.jsonl --update-baseline',
      /^The baseline \S+none\/b\.jsonl can't be written: its folder does not exist\.\n$/,
    ],
    ['a history in a missing folder', '--history none/h.jsonl', /can't be used: its folder does not exist\.\n$/],
    ['a history that is a pipe', '--history pipe', /can't be used: it is a pipe\.\n$/],
    ['a history of 300 MB', '--history huge', /can't be used: it is larger than 256 MB\.\n$/],
    [
      'a baseline through whose pipe nothing comes',
      '--baseline pipe',
      /^The baseline \S+pipe can't be read: nobody writes to this pipe\.\n$/,
    ],
    ['a baseline of 300 MB', '--baseline huge', /^The baseline \S+huge can't be read: it is larger than 64 MB\.\n$/],
    ['a baseline that is a device', '--baseline ../../dev/zero', /can't be read: it is not a file\.\n$/],
    [
      'a configuration that is a pipe',
      '--config pipe.yaml',
      /^The configuration pipe\.yaml can't be read: it is a pipe\.\n$/,
    ],
    [
      'a configuration of 300 MB',
      '--config huge.yaml',
      /^The configuration huge\.yaml can't be read: it is larger than 10 MB\.\n$/,
    ],
    ['a plugin that is a pipe', '--plugin ./pipe.mjs', /^The plugin "\.\/pipe\.mjs" can't be read: it is a pipe\.\n$/],
    ['a lock of something else', '--history locked', /locked\.lock beside it is not a lock of mongolint: [^\n]+\n$/],
  ])('%s is one line and exit code 2', async (_, options, line) => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'sub'));
    for (const name of ['huge', 'huge.yaml']) {
      await writeFile(join(folder, name), '');
      await truncate(join(folder, name), 300 * 1024 * 1024);
    }
    for (const name of ['pipe', 'pipe.yaml', 'pipe.mjs']) execFileSync('mkfifo', [join(folder, name)]);
    await symlink('/etc/hostname', join(folder, 'locked.lock'));
    const { exitCode, stdout, stderr } = await runCaptured(
      [...RUN, ...options.replace('--baseline ', `--baseline ${folder}/`).split(' ')],
      {},
      folder,
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toMatch(line);
  });

  it('a configuration that is found, and is a pipe, is one line and exit code 2', async () => {
    const folder = await temporaryFolder();
    execFileSync('mkfifo', [join(folder, 'mongolint.config.yaml')]);
    await mkdir(join(folder, 'a', 'b'), { recursive: true });
    expect(await runCaptured(RUN, {}, join(folder, 'a', 'b'))).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: "The configuration ../../mongolint.config.yaml can't be read: it is a pipe.\n",
    });
  });
});
