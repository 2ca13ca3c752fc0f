import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCaptured } from '../support/captured-io.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Nobody listens there, and what is refused before is refused at once. */
const URI = 'mongodb://ada:secret@127.0.0.1:1/?serverSelectionTimeoutMS=200';
const TARGETS = { targets: ['eu', 'us'].map((alias) => ({ alias, uri: URI })) };

describe('mongolint collect refuses in one line', () => {
  it.each<[string, readonly string[], object, string]>([
    ['to go without a file', [], { uri: URI }, "error: required option '--output <file>' not specified\n"],
    ['to go without a cluster', ['--output', 'e.jsonl'], {}, 'mongolint needs a connection string.'],
    [
      'a device',
      ['--output', '/dev/null'],
      { uri: URI },
      "The evidence can't be written to /dev/null: it is not a file.\n",
    ],
    ['a folder', ['--output', '.'], { uri: URI }, "The evidence can't be written to .: it is a folder.\n"],
    [
      'a folder that is not there',
      ['--output', 'no/e.jsonl'],
      { uri: URI },
      "The evidence can't be written to no/e.jsonl: its folder does not exist.\n",
    ],
    [
      'one file for several targets',
      ['--output', 'e.jsonl'],
      TARGETS,
      'With several targets, each needs a file of its own',
    ],
    [
      'a server that is down',
      ['--output', 'e.jsonl', '--timeout', '300ms', '--quiet'],
      { uri: URI },
      'No usable server at',
    ],
    [
      'an option that it would ignore',
      ['--output', 'e.jsonl', '--show-values'],
      { uri: URI },
      "error: 'collect' takes no option '--show-values'\n",
    ],
  ])('%s', async (_, argv, config, expected) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'mongolint.config.json'), JSON.stringify(config));
    const { exitCode, stdout, stderr } = await runCaptured(['collect', ...argv], {}, folder);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(expected);
    expect(stderr).not.toMatch(/secret(?!s)/);
  });

  it('and goes on with the next target', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'mongolint.config.json'), JSON.stringify(TARGETS));
    const argv = ['collect', '--output', '{target}.jsonl.gz', '--timeout', '300ms', '--quiet'];
    const { exitCode, stderr } = await runCaptured(argv, {}, folder);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^eu: No usable server .*\nus: No usable server /);
  });
});
