import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Outbox } from '../../src/cli/outbox.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const MESSAGE = { id: 'one', at: '2026-11-27T00:00:00.000Z', text: '1 finding' };

describe('messages that are kept', () => {
  it('are there for the next run', async () => {
    const outbox = new Outbox(join(await temporaryFolder(), 'history.unsent.jsonl'));
    await outbox.settle([], [MESSAGE]);
    expect((await outbox.take()).messages).toEqual([MESSAGE]);
  });

  it('are not written through a link', async () => {
    const folder = await temporaryFolder();
    const [other, file] = [join(folder, 'other'), join(folder, 'history.unsent.jsonl')];
    await writeFile(other, 'as it was');
    await symlink(other, file);
    await expect(new Outbox(file).settle([], [MESSAGE])).rejects.toThrow('ELOOP');
    expect(await readFile(other, 'utf8')).toBe('as it was');
  });

  it.each(['history.unsent.jsonl', 'history.unsent.jsonl.a.sending'])(
    'are not waited for where %s is a pipe',
    async (name) => {
      const folder = await temporaryFolder();
      await promisify(execFile)('mkfifo', [join(folder, name)]);
      const outbox = new Outbox(join(folder, 'history.unsent.jsonl'));
      await expect(outbox.take()).rejects.toThrow('nobody writes to this pipe');
    },
  );
});
