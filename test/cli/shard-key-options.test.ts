import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCaptured } from '../support/captured-io.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const CALL = ['shard-key', 'shop.orders', '{ customer: 1 }'];
const NOBODY = 'mongodb://127.0.0.1:1';
const unreachableWithin = (timeout: number) =>
  new RegExp(`^No usable server at 127\\.0\\.0\\.1:1 within ${timeout} ms`);

describe('mongolint shard-key', () => {
  it.each([
    [['--include', 'shop.*'], "error: 'shard-key' takes no option '--include <glob>'\n"],
    [['--history', 'h.jsonl'], "error: 'shard-key' takes no option '--history <file>'\n"],
    [['--strict'], "error: 'shard-key' takes no option '--strict'\n"],
    [['--format', 'sarif'], 'shard-key prints only a table, or JSON with --format json.\n'],
    [['--format', 'json=a.json'], 'shard-key prints only a table, or JSON with --format json.\n'],
  ])('refuses what it would ignore: %s', async (options, line) => {
    expect(await runCaptured([...CALL, ...options, NOBODY])).toEqual({ exitCode: 2, stdout: '', stderr: line });
  });

  it('takes connection, limits and logs from the configuration, and those of the command line first', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'shared.yaml'), `uri: ${NOBODY}\ntimeout: 25\ninclude: ['shop.*']\n`);
    const fromFile = await runCaptured([...CALL, '--config', 'shared.yaml'], {}, folder);
    expect(fromFile.stderr).toMatch(unreachableWithin(25));
    const fromFlag = await runCaptured([...CALL, '--config', 'shared.yaml', '--timeout', '30ms'], {}, folder);
    expect(fromFlag.stderr).toMatch(unreachableWithin(30));
  });

  it('takes the read preference, and refuses one that there is not', async () => {
    const nearest = await runCaptured([...CALL, '--read-preference', 'nearest', '--timeout', '25ms', NOBODY]);
    expect(nearest.stderr).toMatch(unreachableWithin(25));
    const wrong = await runCaptured([...CALL, '--read-preference', 'closest', NOBODY]);
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Allowed choices are primary, ') });
  });

  it('asks which of several targets is meant', async () => {
    const folder = await temporaryFolder();
    const targets = ['a', 'b'].map((alias) => `  - { alias: ${alias}, uri: '${NOBODY}' }\n`).join('');
    await writeFile(join(folder, 'mongolint.config.yaml'), `targets:\n${targets}`);
    expect(await runCaptured(CALL, {}, folder)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'The configuration lists several targets: give the connection string of one as the last argument.\n',
    });
  });
});
