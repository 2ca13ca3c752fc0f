import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HistoryFile, HISTORY_DAYS } from '../../../../src/evidence/growth/history/history-file.js';
import type { HistoryRecord } from '../../../../src/evidence/growth/history/history-record.js';
import { thinSketches, type Entry } from '../../../../src/evidence/growth/history/history-sketches.js';
import { LintError } from '../../../../src/lint-error.js';
import { MS_PER_DAY } from '../../../../src/time-units.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { addTo, leaveLock, newFile, NOW, record, recordsIn } from '../../../support/growth/history-files.js';

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

function sketched(daysAgo: number, documents: number): HistoryRecord {
  const values = Array.from({ length: documents }, (_, index) => 100 + index);
  const sketch = {
    hashes: Buffer.alloc(5 * documents, 7).toString('base64'),
    evenly: documents,
    sizes: values,
    lengths: [{ path: 'reviews', values }],
  };
  const { collections, ...rest } = record(daysAgo);
  return { ...rest, salt: 'salt', collections: collections.map((collection) => ({ ...collection, sketch })) };
}

const entryOf = (one: HistoryRecord): Entry => ({ record: one, line: JSON.stringify(one) });

/** A record of another cluster. */
function recordOfAnother(daysAgo: number): HistoryRecord {
  const { collections, ...rest } = record(daysAgo);
  return {
    ...rest,
    collections: collections.map((collection) => ({ ...collection, uuid: 'ffeeddccbbaa99887766554433221100' })),
  };
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

  it('gives back what a run told of limits', async () => {
    const file = await newFile();
    const { collections, ...rest } = record(1);
    const forecasts = [
      { unit: 'elements' as const, limit: 200, days: 712.5 },
      { unit: 'bytes' as const, limit: 16_777_216, days: 9_000.25, surelyDays: 9_500 },
    ];
    const told = collections.map((one) => ({
      ...one,
      sizeForecast: { unit: 'bytes' as const, limit: 16_777_216, days: 8_000 },
      arrays: one.arrays.map((array) => ({ ...array, forecasts })),
    }));
    await addTo(file, { ...rest, collections: told });
    expect(await recordsIn(file)).toEqual([{ ...rest, collections: told }]);
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

  it('is not emptied by one run whose clock is a year ahead', async () => {
    const file = await newFile();
    const runs = Array.from({ length: 10 }, (_, day) => record(10 - day));
    await addTo(file, ...runs, record(-365));
    expect(await recordsIn(file)).toHaveLength(11);
    await addTo(file, record(0));
    expect(await recordsIn(file)).toHaveLength(12);
  });

  it('has a salt of its own, which stays', async () => {
    const [file, other] = [await newFile(), await newFile()];
    const salts: string[] = [];
    for (const each of [file, file, other]) {
      const history = await HistoryFile.open(each);
      salts.push(history.salt);
      await history.add({ ...record(0), salt: history.salt });
      await history.close();
    }
    expect(salts[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(salts[1]).toBe(salts[0]);
    expect(salts[2]).not.toBe(salts[0]);
  });

  it('keeps few sketches of a collection, the closer the later, in any number of runs', async () => {
    const days = Array.from({ length: 90 }, (_, day) => 89 - day);
    let entries: Entry[] = [];
    for (const day of days) entries = thinSketches([...entries, entryOf(sketched(day, 200))]);
    const kept = entries
      .filter(({ record: { collections } }) => collections[0]?.sketch !== undefined)
      .map(({ record: { at } }) => Math.round((NOW - Date.parse(at)) / MS_PER_DAY));
    expect(entries).toHaveLength(90);
    expect(kept.slice(-6)).toEqual([5, 4, 3, 2, 1, 0]);
    expect(kept[0]).toBe(89);
    expect(kept.length).toBeLessThanOrEqual(20);
    expect(Math.max(...kept.slice(1).map((day, index) => (kept[index] as number) / (day + 1)))).toBeLessThan(2.5);
  });

  it('holds the sketches of 10,000 collections in 64 MB, with fewer documents in each', () => {
    const one = sketched(1, 200).collections[0];
    if (one === undefined) throw new Error('the record has a collection');
    const collections = Array.from({ length: 10_000 }, (_, index) => ({ ...one, uuid: `${index}` }));
    const runs = Array.from({ length: 4 }, (_, day) => entryOf({ ...record(4 - day), collections }));
    const entries = thinSketches(runs);
    const bytes = entries.reduce(
      (sum, { record: { collections: kept } }) =>
        sum + kept.reduce((all, { sketch }) => all + JSON.stringify(sketch ?? '').length, 0),
      0,
    );
    expect(bytes).toBeLessThan(64 * 1024 * 1024);
    expect(entries[0]?.record.collections[0]?.sketch?.sizes.length).toBeGreaterThanOrEqual(50);
    expect(JSON.parse(entries[0]?.line ?? '')).toEqual(entries[0]?.record);
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

  it('keeps of older days one record of each cluster that shares the file', async () => {
    const file = await newFile();
    await addTo(
      file,
      record(20.2),
      recordOfAnother(20.15),
      record(20.1),
      recordOfAnother(20.05),
      record(20),
      record(0),
    );
    expect(await recordsIn(file)).toEqual([record(20.2), recordOfAnother(20.15), record(0)]);
  });

  it('keeps such fields when it is written again', async () => {
    const file = await newFile();
    await addTo(file, record(2));
    const later = JSON.stringify({ ...record(1), added: 'later' });
    await appendFile(file, `${later}\n`);
    await addTo(file, record(0));
    expect((await readFile(file, 'utf8')).split('\n')).toContain(later);
  });

  it.each([
    ['one record', ''],
    ['a record, and then the mark itself', `${JSON.stringify(record(1)).slice(0, 80)}\n{"schemaVersion":1,"to\n`],
  ])('may have been appended to by an earlier version that was killed while it wrote %s', async (_, more) => {
    const file = await newFile();
    await addTo(file, record(2));
    const torn = JSON.stringify(record(1)).slice(0, 60);
    await appendFile(file, `${torn}\n${more}{"schemaVersion":1,"tornBefore":true}\n${JSON.stringify(record(0.5))}\n`);
    expect(await recordsIn(file)).toEqual([record(2), record(0.5)]);
    await addTo(file, record(0));
    expect(await recordsIn(file)).toEqual([record(2), record(0.5), record(0)]);
    expect(await readFile(file, 'utf8')).not.toContain('tornBefore');
  });

  it.each([60, 1, -1])('may end in a record that was cut at %d', async (end) => {
    const file = await newFile();
    await addTo(file, record(2), record(1));
    await appendFile(file, JSON.stringify(record(0.5)).slice(0, end));
    const torn = await readFile(file, 'utf8');
    expect(await recordsIn(file)).toEqual([record(2), record(1)]);
    expect(await readFile(file, 'utf8')).toBe(torn);
    await addTo(file, record(0));
    const lines = [record(2), record(1), record(0)].map((each) => JSON.stringify(each));
    expect((await readFile(file, 'utf8')).split('\n').slice(1)).toEqual([...lines, '']);
  });

  it('keeps a last record that lacks only its end of line', async () => {
    const file = await newFile();
    await addTo(file, record(2));
    await appendFile(file, JSON.stringify(record(1)));
    await addTo(file, record(0));
    expect(await recordsIn(file)).toEqual([record(2), record(1), record(0)]);
  });

  it('forgets what is too old, and of older days all but one record', async () => {
    const file = await newFile();
    const old = HISTORY_DAYS + 1;
    await addTo(file, record(old), record(old + 1), record(20.2), record(20.1), record(20), record(1.2), record(1.1));
    await addTo(file, record(0));
    expect(await recordsIn(file)).toEqual([record(20.2), record(1.2), record(1.1), record(0)]);
    expect(await readdir(resolve(file, '..'))).toEqual(['history.jsonl']);
  });

  it('holds names without control and direction characters, and gives them back', async () => {
    const file = await newFile();
    const [collection] = record(0).collections;
    if (collection === undefined) throw new Error('the record has a collection');
    const named = { ...record(0), collections: [{ ...collection, namespace: 'shop.\u202Egnp\u001B[31m\u009B' }] };
    await addTo(file, named);
    expect(await readFile(file, 'utf8')).toMatch(/^[\n\x20-\x7e]+$/);
    expect(await recordsIn(file)).toEqual([named]);
  });

  it.runIf(process.platform !== 'win32')('is no pipe', async () => {
    const file = await newFile();
    execFileSync('mkfifo', [file]);
    await expect(HistoryFile.open(file)).rejects.toThrow(/can't be used: it is a pipe\.$/);
  });

  it('of hundreds of megabytes is refused at once', async () => {
    const file = await newFile();
    await writeFile(file, '');
    await truncate(file, 300 * 1024 * 1024);
    await expect(HistoryFile.open(file)).rejects.toThrow(/can't be used: it is larger than 256 MB\.$/);
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
    [
      'of a newer version',
      `${JSON.stringify({ file: 'mongolint history', schemaVersion: 2 })}\n`,
      /newer mongolint \(format 2\): update/,
    ],
    [
      'with a record of a newer version',
      `${header}\n${line}\n${JSON.stringify({ schemaVersion: 3 })}\n`,
      /newer mongolint \(format 3\)/,
    ],
    [
      'that is torn in the middle and at its end',
      `${header}\n${line.slice(0, 60)}\n${line}\n${line.slice(0, 60)}`,
      /damaged: line 2 is not a record/,
    ],
    ['whose last line is whole and no record', `${header}\n${line}\n${line.slice(0, 60)}\n`, /line 3 is not a record/],
    ['whose header is torn', header.slice(0, 20), /is not a history file/],
    ['that is torn in the middle', `${header}\n${line.slice(0, 60)}\n${line}\n`, /damaged: line 2 is not a record/],
    ['with zeros in it', `${header}\n${'\0'.repeat(500)}\n${line}\n`, /damaged: line 2/],
    [
      'with records that are none',
      `${header}\n${JSON.stringify({ schemaVersion: 1, at: 'yesterday' })}\n`,
      /damaged: line 2/,
    ],
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
