import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HistoryFile, historyIn, type HistoryRecord } from '../../src/growth/history-file.js';
import { HISTORY } from '../../src/growth/limits.js';
import { LintError } from '../../src/lint-error.js';
import { addTo, newFile, record, recordsIn } from '../support/growth/history-files.js';
import { temporaryFolder } from '../support/temporary-folder.js';

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
    sizes: values,
    lengths: [{ path: 'reviews', values }],
  };
  const { collections, ...rest } = record(daysAgo);
  return { ...rest, salt: 'salt', collections: collections.map((collection) => ({ ...collection, sketch })) };
}

/** A record of another cluster. */
function recordOfAnother(daysAgo: number): HistoryRecord {
  const { collections, ...rest } = record(daysAgo);
  return {
    ...rest,
    collections: collections.map((collection) => ({ ...collection, uuid: 'ffeeddccbbaa99887766554433221100' })),
  };
}

const nightOf = (at: string, error: number) => ({
  at,
  findings: { error, warning: 0, info: 0 },
  documents: 10,
  bytes: 1_000,
  arrays: [{ namespace: 'shop.orders', path: 'items', largest: 7 }],
});

describe('a history file', () => {
  it('keeps what a run of a target came to beside its record, and gives it back by target', async () => {
    const file = await newFile();
    await addTo(file, record(2), record(1));
    const [first, second] = [nightOf(record(2).at, 1), nightOf(record(1).at, 2)];
    await HistoryFile.conclude(historyIn(file), 'eu', second);
    await HistoryFile.conclude(historyIn(file), 'eu', first);
    await HistoryFile.conclude(historyIn(file), 'eu', nightOf(record(3).at, 3));
    await HistoryFile.conclude(historyIn(file), 'us', nightOf(record(1).at, 4));
    await addTo(file, record(0));
    const history = await HistoryFile.open(file);
    expect(history.nightsOf('eu')).toEqual([first, second]);
    expect(history.nightsOf('us')).toEqual([]);
    expect(history.records.map(({ collections }) => collections)).toEqual(
      [record(2), record(1), record(0)].map(({ collections }) => collections),
    );
  });

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
    await HistoryFile.open(file);
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

  it('holds the records of runs at once', async () => {
    const file = await newFile();
    const runs = await Promise.all([0, 1, 2].map(() => HistoryFile.open(file)));
    await Promise.all(runs.map((history, index) => history.add(record(index))));
    expect(await recordsIn(file)).toEqual([record(2), record(1), record(0)]);
  });

  it('has a salt of its own, which stays', async () => {
    const [file, other] = [await newFile(), await newFile()];
    const salts: string[] = [];
    for (const each of [file, file, other]) {
      const history = await HistoryFile.open(each);
      salts.push(history.salt);
      await history.add({ ...record(0), salt: history.salt });
    }
    expect(salts[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(salts[1]).toBe(salts[0]);
    expect(salts[2]).not.toBe(salts[0]);
  });

  it('keeps few sketches of a collection in any number of runs', async () => {
    const file = await newFile();
    await addTo(file, ...Array.from({ length: 40 }, (_, run) => sketched(20 - run / 2, 20)));
    const kept = (await recordsIn(file)).filter(({ collections }) => collections[0]?.sketch !== undefined);
    expect(kept.length).toBeGreaterThanOrEqual(HISTORY.comparedDays);
    expect(kept.length).toBeLessThanOrEqual(HISTORY.comparedDays + 2 + HISTORY.latest);
    expect(kept.slice(-HISTORY.latest)).toEqual((await recordsIn(file)).slice(-HISTORY.latest));
  });

  it('may exist and be empty', async () => {
    const file = await newFile();
    await writeFile(file, '');
    await addTo(file, record(0));
    expect(await recordsIn(file)).toEqual([record(0)]);
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

  it('keeps a last record that lacks only its end of line', async () => {
    const file = await newFile();
    await addTo(file, record(2));
    await appendFile(file, JSON.stringify(record(1)));
    await addTo(file, record(0));
    expect(await recordsIn(file)).toEqual([record(2), record(1), record(0)]);
  });

  it('forgets what is too old, and of older days all but one record', async () => {
    const file = await newFile();
    const old = HISTORY.keptDays + 1;
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
    await addTo(file, record(HISTORY.keptDays + 1));
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
