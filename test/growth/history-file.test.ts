import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HistoryFile, HISTORY_DAYS } from '../../src/evidence/growth/history-file.js';
import type { HistoryRecord } from '../../src/evidence/growth/history-record.js';
import { MS_PER_DAY } from '../../src/evidence/growth/limits.js';
import { summarize } from '../../src/evidence/growth/quantile-summary.js';
import { LintError } from '../../src/lint-error.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const BUILT_FOLDER = resolve(import.meta.dirname, '../../dist/src/evidence/growth');
const NOW = Date.parse('2026-03-01T12:00:00Z');

function record(daysAgo: number): HistoryRecord {
  return {
    schemaVersion: 1,
    at: new Date(NOW - daysAgo * MS_PER_DAY).toISOString(),
    collections: [
      {
        namespace: 'shop.products',
        uuid: '00112233445566778899aabbccddeeff',
        documents: 3,
        complete: true,
        sizes: summarize([100, 200, 300]),
        arrays: [{ path: 'reviews', lengths: summarize([1, 2, 3]) }],
      },
    ],
  };
}

async function newFile(): Promise<string> {
  return join(await temporaryFolder(), 'history.jsonl');
}

async function addTo(file: string, ...records: readonly HistoryRecord[]): Promise<void> {
  for (const one of records) {
    const history = await HistoryFile.open(file);
    await history.add(one);
    await history.close();
  }
}

async function recordsIn(file: string): Promise<readonly HistoryRecord[]> {
  const history = await HistoryFile.open(file);
  await history.close();
  return history.records;
}

/** The message of the error with which a file can't be opened, once it is shown to be one line and to change nothing. */
async function refusal(file: string): Promise<string> {
  const before = await readFile(file).catch(() => null);
  const error: unknown = await HistoryFile.open(file).catch((reason: unknown) => reason);
  if (!(error instanceof LintError)) throw new Error('it was opened', { cause: error });
  expect(error.message).toContain(file);
  expect(error.message).not.toContain('\n');
  expect(await readFile(file).catch(() => null)).toEqual(before);
  return error.message;
}

/** A lock as a process leaves it that was killed. */
async function leaveLock(file: string, holder: object = {}): Promise<void> {
  const ended = spawn(process.execPath, ['-e', '']);
  await new Promise((done) => ended.on('exit', done));
  const { processes } = JSON.parse(await lockOf(file)) as { processes: unknown };
  await writeFile(`${file}.lock`, JSON.stringify({ token: 'other', pid: ended.pid, host: hostname(), processes, ...holder }));
}

/** The content of the lock that this process takes. */
async function lockOf(file: string): Promise<string> {
  const history = await HistoryFile.open(`${file}.other`);
  const content = await readFile(`${file}.other.lock`, 'utf8');
  await history.close();
  return content;
}

describe('a history file', () => {
  it('holds a header and a line for each run, and gives the records back in order of time', async () => {
    const file = await newFile();
    await addTo(file, record(3), record(1), record(2));
    const lines = (await readFile(file, 'utf8')).split('\n');
    expect(lines).toHaveLength(5);
    expect(JSON.parse(lines[0] ?? '')).toEqual({ file: 'mongolint history', schemaVersion: 1 });
    expect(await recordsIn(file)).toEqual([record(3), record(2), record(1)]);
  });

  it('is not created by a run that does not end', async () => {
    const file = await newFile();
    await (await HistoryFile.open(file)).close();
    expect(existsSync(file)).toBe(false);
  });

  it('is readable by its owner only', async () => {
    const file = await newFile();
    await addTo(file, record(0));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('may exist and be empty', async () => {
    const file = await newFile();
    await writeFile(file, '');
    await addTo(file, record(0));
    expect(await recordsIn(file)).toEqual([record(0)]);
  });

  it('only grows', async () => {
    const file = await newFile();
    await addTo(file, record(1));
    const before = await readFile(file, 'utf8');
    await addTo(file, record(0));
    expect(await readFile(file, 'utf8')).toBe(`${before}${JSON.stringify(record(0))}\n`);
  });

  it('keeps fields of later minor versions from being in the way', async () => {
    const file = await newFile();
    await addTo(file, record(1));
    await appendFile(file, `${JSON.stringify({ ...record(0), added: 'later' })}\n`);
    expect(await recordsIn(file)).toEqual([record(1), record(0)]);
  });

  it('forgets what is too old, and of older days all but one record', async () => {
    const file = await newFile();
    const old = HISTORY_DAYS + 1;
    await addTo(file, record(old), record(old + 1), record(20.2), record(20.1), record(20), record(1.2), record(1.1));
    await addTo(file, record(0));
    expect(await recordsIn(file)).toEqual([record(20.2), record(1.2), record(1.1), record(0)]);
    expect(await readdir(resolve(file, '..'))).toEqual(['history.jsonl']);
  });

  it('stays where a link leads', async () => {
    const file = await newFile();
    await addTo(file, record(HISTORY_DAYS + 1));
    const link = `${file}.link`;
    await symlink(file, link);
    await addTo(link, record(0));
    expect(await recordsIn(file)).toEqual([record(0)]);
  });
});

describe('a history file is refused, and left as it is,', () => {
  const header = JSON.stringify({ file: 'mongolint history', schemaVersion: 1 });
  const line = JSON.stringify(record(1));
  it.each<[string, string, RegExp]>([
    ['that is something else', 'name,count\nreviews,3\n', /is not a history file/],
    ['that is other JSON', '{"name":"mongolint","version":"1.0.0"}\n', /is not a history file/],
    ['of a newer version', `${JSON.stringify({ file: 'mongolint history', schemaVersion: 2 })}\n`, /newer mongolint \(format 2\): update/],
    ['with a record of a newer version', `${header}\n${line}\n${JSON.stringify({ schemaVersion: 3 })}\n`, /newer mongolint \(format 3\)/],
    ['that was cut short outside of mongolint', `${header}\n${line}\n${line.slice(0, 60)}`, /line 3 ends in the middle of a record/],
    ['that is torn in the middle', `${header}\n${line.slice(0, 60)}\n${line}\n`, /damaged: line 2 is not a record/],
    ['with zeros in it', `${header}\n${'\0'.repeat(500)}\n${line}\n`, /damaged: line 2/],
    ['with records that are none', `${header}\n${JSON.stringify({ schemaVersion: 1, at: 'yesterday' })}\n`, /damaged: line 2/],
  ])('%s', async (_, content, message) => {
    const file = await newFile();
    await writeFile(file, content);
    expect(await refusal(file)).toMatch(message);
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  it('while another run uses it', async () => {
    const file = await newFile();
    await addTo(file, record(1));
    const other = await HistoryFile.open(file);
    expect(await refusal(file)).toMatch(/in use by another run \(process \d+ on .+\)/);
    await other.add(record(0));
    await other.close();
    expect(await recordsIn(file)).toEqual([record(1), record(0)]);
  });

  it('while a run on another machine uses it', async () => {
    const file = await newFile();
    await leaveLock(file, { host: 'elsewhere' });
    expect(await refusal(file)).toMatch(/on elsewhere/);
  });

  it('where its lock belongs to something else', async () => {
    const file = await newFile();
    await writeFile(`${file}.lock`, 'not ours');
    expect(await refusal(file)).toMatch(/is not a lock of mongolint/);
    expect(await readFile(`${file}.lock`, 'utf8')).toBe('not ours');
  });

  it('where its folder does not exist', async () => {
    expect(await refusal(join(await temporaryFolder(), 'none', 'history.jsonl'))).toMatch(/its folder does not exist/);
  });

  it('where it is a folder', async () => {
    const file = await newFile();
    await mkdir(file);
    expect(await refusal(file)).toMatch(/it is a folder/);
  });

  it('where its folder is a file', async () => {
    const file = await newFile();
    await writeFile(file, '');
    expect(await refusal(join(file, 'history.jsonl'))).toMatch(/its folder does not exist/);
  });
});

describe('a lock that was left behind is taken over', () => {
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

describe('a process that is killed', () => {
  it.each([0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1])('after it wrote %d of its record loses that record alone', async (share) => {
    const file = await newFile();
    await addTo(file, record(2), record(1));
    const whole = (await readFile(file)).length;
    await addTo(file, record(0));
    const end = (await readFile(file)).length;
    await truncate(file, Math.round(whole + share * (end - 1 - whole)));
    await leaveLock(file);
    const expected = share === 1 ? [record(2), record(1), record(0)] : [record(2), record(1)];
    // It is repaired even if the run that finds it adds nothing.
    expect(await recordsIn(file)).toEqual(expected);
    await addTo(file, record(-1));
    expect(await recordsIn(file)).toEqual([...expected, record(-1)]);
  });

  it('twice, the second time while it repaired, loses those records alone', async () => {
    const file = await newFile();
    await addTo(file, record(1));
    await appendFile(file, `${JSON.stringify(record(0)).slice(0, 80)}\n{"schemaVersion":1,"to`);
    await leaveLock(file);
    await addTo(file, record(-1));
    expect(await recordsIn(file)).toEqual([record(1), record(-1)]);
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
    // On a busy machine a process may be killed before its first record; not all ten are.
    expect(written).toBeGreaterThan(0);
  }, 120_000);
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
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let last = before - 1;
  const lines = createInterface({ input: child.stdout });
  const ended = Promise.all([new Promise((done) => lines.once('close', done)), new Promise((done) => child.once('exit', done))]);
  await new Promise<void>((first) => {
    lines.on('line', (line) => {
      last = Number(line);
      first();
    });
  });
  await new Promise((passed) => setTimeout(passed, afterMs));
  child.kill('SIGKILL');
  await ended;
  return last + 1;
}
