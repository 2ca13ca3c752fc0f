import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMENTED_CONFIG } from '../../src/cli/init-command.js';
import { runCaptured } from '../support/captured-io.js';
import { folderWith } from '../support/config-folder.js';

describe('mongolint init', () => {
  it('writes the commented configuration', async () => {
    const cwd = await folderWith({});
    expect(await runCaptured(['init'], {}, cwd)).toEqual({
      exitCode: 0,
      stdout: 'Wrote mongolint.config.yaml. Set MONGODB_URI, then run mongolint.\n',
      stderr: '',
    });
    expect(await readFile(join(cwd, 'mongolint.config.yaml'), 'utf8')).toBe(COMMENTED_CONFIG);
  });

  it.each(['mongolint.config.yaml', 'mongolint.config.yml', 'mongolint.config.json', 'mongolint.config.mjs'])(
    'leaves %s as it is',
    async (name) => {
      const cwd = await folderWith({ [name]: 'mine' });
      expect(await runCaptured(['init'], {}, cwd)).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: `${name} exists already. It was not changed.\n`,
      });
      expect(await readFile(join(cwd, name), 'utf8')).toBe('mine');
      expect(await readdir(cwd)).toEqual([name]);
    },
  );

  it('says where it can not write', async () => {
    const { exitCode, stderr } = await runCaptured(['init'], {}, '/no/such/folder');
    expect(exitCode).toBe(2);
    expect(stderr).toBe('mongolint.config.yaml could not be written here: ENOENT.\n');
  });
});

describe('a configuration that is wrong', () => {
  it.each([[[]], [['checks']], [['role']], [['explain', 'deep-nesting']]])(
    'ends `mongolint %j` with its lines and exit code 2',
    async (argv) => {
      const cwd = await folderWith({ 'mongolint.config.yaml': 'failon: info\n' });
      expect(await runCaptured(argv, { MONGODB_URI: 'mongodb://127.0.0.1:1/' }, cwd)).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: 'mongolint.config.yaml:1: failon: unknown key; did you mean "failOn"?\n',
      });
    },
  );

  it('is not looked at by `mongolint init`', async () => {
    const cwd = await folderWith({ 'package.json': '{"mongolint": {"failon": 1}}' });
    expect((await runCaptured(['init'], {}, cwd)).exitCode).toBe(0);
  });
});
