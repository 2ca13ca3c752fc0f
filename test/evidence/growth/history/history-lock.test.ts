import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HistoryFile } from '../../../../src/evidence/growth/history/history-file.js';
import { addTo, leaveLock, newFile, NOW, record, recordsIn } from '../../../support/growth/history-files.js';
import { packageRoot } from '../../../../src/package-root.js';

const BUILT_FOLDER = join(packageRoot(), 'dist/src/evidence/growth/history');

describe.each([
  ['of something else', '{"pid":1}'],
  ['that is no object', 'null'],
  ['that is no JSON', 'apt\n'],
  ['of megabytes', 'x'.repeat(5_000_000)],
])('a lock file %s', (_, content) => {
  it('is refused in one line, and left alone', async () => {
    const file = await newFile();
    await writeFile(`${file}.lock`, content);
    await expect(HistoryFile.open(file)).rejects.toThrow(
      /history\.jsonl\.lock is not a lock of mongolint: give the history file another name\.$/,
    );
    expect(await readFile(`${file}.lock`, 'utf8')).toBe(content);
  });
});

it.runIf(process.platform !== 'win32')('a lock file that is a link or a pipe is refused in one line', async () => {
  const file = await newFile();
  await symlink('/etc/hostname', `${file}.lock`);
  await expect(HistoryFile.open(file)).rejects.toThrow('is not a lock of mongolint');
  await rm(`${file}.lock`);
  execFileSync('mkfifo', [`${file}.lock`]);
  await expect(HistoryFile.open(file)).rejects.toThrow('is not a lock of mongolint');
});

describe('a lock that was left behind is taken over', () => {
  it.runIf(process.platform === 'linux')(
    'where another process has its number, as in a container started again',
    async () => {
      const file = await newFile();
      await leaveLock(file, { pid: process.pid, started: '1' });
      await addTo(file, record(0));
      expect(await recordsIn(file)).toEqual([record(0)]);
    },
  );

  it('where its process has ended', async () => {
    const file = await newFile();
    await leaveLock(file);
    await addTo(file, record(0));
    expect(await readdir(resolve(file, '..'))).toEqual(['history.jsonl']);
  });

  it.each([
    ['from another machine, that was not renewed for minutes', { host: 'elsewhere' }],
    ['from another container, that was not renewed for minutes', { processes: 'pid:[1]' }],
  ])('%s', async (_, holder) => {
    const file = await newFile();
    await leaveLock(file, holder);
    const minutesAgo = new Date(Date.now() - 5 * 60_000);
    await utimes(`${file}.lock`, minutesAgo, minutesAgo);
    await addTo(file, record(0));
    expect(await recordsIn(file)).toEqual([record(0)]);
  });

  it('that was never filled', async () => {
    const file = await newFile();
    await writeFile(`${file}.lock`, '');
    await addTo(file, record(0));
    expect(await recordsIn(file)).toEqual([record(0)]);
  });

  it('by one of many that try at once', async () => {
    const file = await newFile();
    await leaveLock(file);
    const opened = await Promise.allSettled(Array.from({ length: 20 }, () => HistoryFile.open(file)));
    const holders = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const able = await Promise.allSettled(holders.map((holder, index) => holder.add(record(index))));
    expect(able.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const holder of holders) await holder.close();
    expect(await recordsIn(file)).toHaveLength(1);
  });
});

it('a lock that is being written is waited for, and then says who holds it', async () => {
  const file = await newFile();
  await writeFile(`${file}.lock`, '');
  // However long this process is held up before it goes on, the lock is not taken for one that is never filled.
  const later = new Date(Date.now() + 60 * 60_000);
  await utimes(`${file}.lock`, later, later);
  const [opened] = await Promise.allSettled([HistoryFile.open(file), leaveLock(file, { host: 'elsewhere' })]);
  expect(opened).toMatchObject({
    status: 'rejected',
    reason: { message: expect.stringMatching(/in use by another run \(process \d+ on elsewhere\)/) },
  });
});

describe('a process that is killed', () => {
  it('while it wrote leaves a draft beside the file, which does not matter', async () => {
    const file = await newFile();
    await addTo(file, record(1));
    await writeFile(`${file}.1234567`, '{"file":"mongo');
    await leaveLock(file);
    await addTo(file, record(0));
    expect(await recordsIn(file)).toEqual([record(1), record(0)]);
  });

  it('at any of ten moments loses at most the record it was writing', async () => {
    if (!existsSync(BUILT_FOLDER)) throw new Error('This test runs the built code: first run "npm run build".');
    const file = await newFile();
    let written = 0;
    for (let kill = 0; kill < 10; kill += 1) {
      written = await killWhileWriting(file, written, 3 + kill * 7);
      const found = (await recordsIn(file)).map(({ collections }) => collections[0]?.documents);
      // One more than was said to be written is the one that was about to be.
      expect([written, written + 1]).toContain(found.length);
      expect(found).toEqual(found.map((_, index) => index));
      written = found.length;
    }
    // Each was killed after it had written at least one.
    expect(written).toBeGreaterThanOrEqual(10);
  });
});

/**
 * Lets a process add records of half a megabyte, and kills it some time after its first.
 *
 * @returns how many records the file must hold
 */
async function killWhileWriting(file: string, before: number, afterMs: number): Promise<number> {
  const script = `
    const { HistoryFile } = await import(${JSON.stringify(pathToFileURL(join(BUILT_FOLDER, 'history-file.js')).href)});
    const template = ${JSON.stringify(record(0))};
    const filler = Array.from({ length: 2_000 }, () => template.collections[0].arrays[0]);
    for (let number = ${before}; ; number += 1) {
      const history = await HistoryFile.open(${JSON.stringify(file)});
      await history.add({ ...template, at: new Date(${NOW} + number).toISOString(), collections: [{ ...template.collections[0], documents: number, arrays: filler }] });
      process.stdout.write(number + '\\n');
      await history.close();
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let last = before - 1;
  const lines = createInterface({ input: child.stdout });
  const ended = Promise.all([
    new Promise((done) => lines.once('close', done)),
    new Promise((done) => child.once('exit', done)),
  ]);
  await new Promise<void>((first, failed) => {
    lines.on('line', (line) => {
      last = Number(line);
      first();
    });
    child.once('exit', (code) => failed(new Error(`It ended by itself, with exit code ${code}.`)));
  });
  await new Promise((passed) => setTimeout(passed, afterMs));
  child.kill('SIGKILL');
  await ended;
  return last + 1;
}
