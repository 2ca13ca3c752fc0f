import { execFileSync, spawn } from 'node:child_process';
import { appendFile, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileLock, KeptFile } from '../../src/files/kept-text.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const MOST_BYTES = 1_000_000;
const newFile = async () => join(await temporaryFolder(), 'known.jsonl');
const kept = (file: string) => new KeptFile(file, MOST_BYTES, 0o600);
const add = (line: string) => (now: string | null) => `${now ?? ''}${line}\n`;
const namesBeside = (file: string) => readdir(dirname(file));

/** A lock as a process leaves it that was killed. */
async function leaveLock(file: string, holder: object = {}): Promise<void> {
  const ended = spawn(process.execPath, ['-e', '']);
  await new Promise((done) => ended.on('exit', done));
  await writeFile(`${file}.lock`, JSON.stringify({ token: 'other', pid: ended.pid, host: hostname(), ...holder }));
}

describe('a text in a file', () => {
  it('is null until there is one, and what it was changed to from then on', async () => {
    const file = await newFile();
    expect(await kept(file).read()).toBeNull();
    await kept(file).change(add('a'));
    await kept(file).change(() => null);
    await kept(file).change(add('b'));
    expect(await kept(file).read()).toBe('a\nb\n');
    expect(await namesBeside(file)).toEqual([basename(file)]);
  });

  it('is gone once it is empty', async () => {
    const file = await newFile();
    await kept(file).change(add('a'));
    await kept(file).change(() => '');
    expect(await namesBeside(file)).toEqual([]);
  });

  it('holds what each of many wrote at once', async () => {
    const file = await newFile();
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    await Promise.all(lines.map((line) => kept(file).change(add(line))));
    expect((await readFile(file, 'utf8')).trimEnd().split('\n').sort()).toEqual(lines.toSorted());
    expect(await namesBeside(file)).toEqual([basename(file)]);
  });

  it('stays as it was if its change fails, and is free for the next one', async () => {
    const file = await newFile();
    await kept(file).change(add('a'));
    const failing = kept(file).change(() => {
      throw new RangeError('no');
    });
    await expect(failing).rejects.toThrow(RangeError);
    await kept(file).change(add('b'));
    expect(await readFile(file, 'utf8')).toBe('a\nb\n');
  });

  it('stays where a link of this user leads', async () => {
    const file = await newFile();
    await symlink(file, `${file}.link`);
    await kept(`${file}.link`).change(add('a'));
    expect(await readFile(file, 'utf8')).toBe('a\n');
  });

  it.runIf(process.platform !== 'win32')('is no pipe', async () => {
    const file = await newFile();
    execFileSync('mkfifo', [file]);
    await expect(kept(file).change(add('a'))).rejects.toThrow('it is a pipe');
    await expect(kept(file).read()).rejects.toThrow('nobody writes to this pipe');
  });

  it('is not larger than it may be', async () => {
    const file = await newFile();
    await appendFile(file, 'x'.repeat(MOST_BYTES + 1));
    await expect(kept(file).change(add('a'))).rejects.toThrow('it is larger than');
  });
});

describe('the lock of a file', () => {
  it.each([
    ['of something else', '{"pid":1}'],
    ['that is no JSON', 'apt\n'],
    ['of megabytes', 'x'.repeat(5_000_000)],
  ])('%s is named, and left alone', async (_, content) => {
    const file = await newFile();
    await writeFile(`${file}.lock`, content);
    await expect(kept(file).change(add('a'))).rejects.toThrow(
      /known\.jsonl\.lock beside it is not a lock of mongolint: remove it$/,
    );
    expect(await readFile(`${file}.lock`, 'utf8')).toBe(content);
  });

  it.runIf(process.platform !== 'win32')('that is a link or a pipe is named', async () => {
    const file = await newFile();
    await symlink('/etc/hostname', `${file}.lock`);
    await expect(kept(file).change(add('a'))).rejects.toThrow('is not a lock of mongolint');
    await rm(`${file}.lock`);
    execFileSync('mkfifo', [`${file}.lock`]);
    await expect(kept(file).change(add('a'))).rejects.toThrow('is not a lock of mongolint');
  });

  it('whose process has ended is taken over', async () => {
    const file = await newFile();
    await leaveLock(file);
    await kept(file).change(add('a'));
    expect(await namesBeside(file)).toEqual([basename(file)]);
  });

  it.each([
    ['of another machine', '{"token":"other","pid":1,"host":"elsewhere"}'],
    ['that was never filled', ''],
  ])('%s is taken over after minutes', async (_, content) => {
    const file = await newFile();
    await writeFile(`${file}.lock`, content);
    const minutesAgo = new Date(Date.now() - 5 * 60_000);
    await utimes(`${file}.lock`, minutesAgo, minutesAgo);
    await kept(file).change(add('a'));
    expect(await namesBeside(file)).toEqual([basename(file)]);
  });

  it('that was left behind is taken over by one of many at a time', async () => {
    const file = await newFile();
    await leaveLock(file);
    await Promise.all(Array.from({ length: 20 }, (_, index) => kept(file).change(add(String(index)))));
    expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toHaveLength(20);
  });

  it('is waited for while its process lives', async () => {
    const file = await newFile();
    const lock = await FileLock.take(file);
    const order: string[] = [];
    const changed = kept(file).change((now) => {
      order.push('changed');
      return add('a')(now);
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    order.push('released');
    await lock.release();
    await changed;
    expect(order).toEqual(['released', 'changed']);
  });

  it('that was taken away keeps its holder from writing', async () => {
    const file = await newFile();
    const holder = kept(file);
    const changing = holder.change((now) => {
      // As a run would that found it suspended for long.
      execFileSync('rm', [`${file}.lock`]);
      return add('a')(now);
    });
    await expect(changing).rejects.toThrow('other runs keep taking its lock over');
    expect(await namesBeside(file)).toEqual([]);
  });

  it('that was taken away once makes its holder begin again', async () => {
    const file = await newFile();
    let times = 0;
    await kept(file).change((now) => {
      times += 1;
      if (times === 1) execFileSync('rm', [`${file}.lock`]);
      return add('a')(now);
    });
    expect(times).toBe(2);
    expect((await readFile(file, 'utf8')).trimEnd()).toBe('a');
  });
});
