import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient, type Db, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddedMongod } from '../../src/embedded-mongod/embedded-mongod.js';
import type { HistoryRecord } from '../../src/evidence/growth/history-record.js';
import { MS_PER_DAY } from '../../src/evidence/growth/limits.js';
import type { Report } from '../../src/report/report.js';
import { elements, found, lintGrowth, pause, rateError, times, TOLERANCE } from '../growth/planted-growth.js';
import { Simulation } from '../growth/simulation.js';
import { runCaptured } from '../support/captured-io.js';
import { startStandalone } from '../support/servers.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('on a standalone', () => {
  let server: EmbeddedMongod;
  let client: MongoClient;
  beforeAll(async () => {
    server = await startStandalone();
    client = await new MongoClient(server.uri).connect();
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  /** Plants collections, lints, lets something happen, and lints again. */
  async function lintTwice(name: string, between: (database: Db) => Promise<unknown>): Promise<{ reports: Report[]; records: HistoryRecord[] }> {
    const database = client.db(name);
    const random = new Simulation(3);
    const documents = times(120, () => ({ reviews: elements(10 + random.whole(30)), threads: times(2, () => ({ posts: elements(5 + random.whole(10)) })) }));
    await database.collection('products').insertMany(documents);
    const history = join(await temporaryFolder(), 'history.jsonl');
    // Documents are as old as the second in which their _id was made.
    await pause(1_100);
    const first = await lintGrowth(server.uri, database, { history });
    await between(database);
    await pause(1_500);
    const second = await lintGrowth(server.uri, database, { history });
    const lines = (await readFile(history, 'utf8')).trim().split('\n').slice(1);
    return { reports: [first, second], records: lines.map((line) => JSON.parse(line) as HistoryRecord) };
  }

  it('says that it has no oplog, once', async () => {
    const database = client.db('none');
    await database.collection('one').insertOne({});
    const { skipped } = await lintGrowth(server.uri, database);
    expect(skipped).toEqual([{ check: 'fast-growing-array', reason: 'unsupported', detail: expect.stringContaining('a standalone server has none') }]);
  });

  it('finds growth by two runs alone, without a forecast', async () => {
    const random = new Simulation(4);
    let reviews = 0;
    let posts = 0;
    const { reports, records } = await lintTwice('history_growth', async (database) => {
      const products = database.collection<Document>('products');
      for (const { _id } of await products.find({}, { projection: { _id: 1 } }).toArray()) {
        const [some, more] = [5 + random.whole(10), 2 + random.whole(4)];
        reviews += some / 120;
        posts += more / 120;
        await products.updateOne({ _id }, { $push: { reviews: { $each: elements(some) }, 'threads.$[].posts': { $each: elements(more) } } } as never);
      }
    });
    const [before, after] = records.map(({ at }) => Date.parse(at)) as [number, number];
    const findings = found(reports[1] as Report);
    expect([...found(reports[0] as Report).keys()]).toEqual([]);
    expect([...findings.keys()].sort()).toEqual(['products reviews', 'products threads[].posts']);
    expect(findings.get('products reviews')).toMatchObject({ confidence: 'low', evidence: { source: 'history', runs: 2, forecastDays: {} } });
    expect(rateError(findings.get('products reviews'), (reviews / (after - before)) * MS_PER_DAY)).toBeLessThan(TOLERANCE);
    expect(rateError(findings.get('products threads[].posts'), (posts / (after - before)) * MS_PER_DAY)).toBeLessThan(TOLERANCE);
  });

  it.each<[string, string, (database: Db) => Promise<unknown>]>([
    ['nothing happens', 'history_stable', async () => {}],
    ['every document gets three elements at once', 'history_backfill', (database) =>
      database.collection<Document>('products').updateMany({}, { $push: { reviews: { $each: elements(3) } } } as never)],
    ['the documents with short arrays are deleted', 'history_deletion', (database) =>
      database.collection('products').deleteMany({ 'reviews.20': { $exists: false } })],
    ['documents with longer arrays are inserted', 'history_insertion', async (database) => {
      await pause(1_100);
      await database.collection('products').insertMany(times(60, () => ({ reviews: elements(80), threads: [{ posts: elements(40) }] })));
    }],
    ['the collection is dropped, and created anew with longer arrays', 'history_recreated', async (database) => {
      await database.collection('products').drop();
      await database.collection('products').insertMany(times(120, () => ({ reviews: elements(60), threads: [{ posts: elements(40) }] })));
    }],
  ])('finds no growth where %s', async (_, name, between) => {
    const { reports, records } = await lintTwice(name, between);
    expect(records).toHaveLength(2);
    expect(reports.flatMap(({ findings }) => findings)).toEqual([]);
  });

  it('keeps no value in the history', async () => {
    const { records } = await lintTwice('history_values', async (database) => {
      await database.collection('products').updateMany({}, { $set: { secret: 'xyzzy', at: new Date('1999-12-31') } });
    });
    const text = JSON.stringify(records);
    expect(text).not.toMatch(/someone|words|xyzzy|1999|secret/);
    expect(records[1]?.collections[0]).toMatchObject({ namespace: 'history_values.products', uuid: expect.stringMatching(/^[0-9a-f]{32}$/), documents: 120, complete: true });
  });

  describe('the command line', () => {
    const header = `${JSON.stringify({ file: 'mongolint history', schemaVersion: 1 })}\n`;
    it.each<[string, string, RegExp]>([
      ['torn', `${header}{"schemaVersion":1,"at":"2026-01-01T00:00:00.000Z","coll`, /damaged: line 2 ends in the middle of a record/],
      ['foreign', 'id,name\n1,x\n', /is not a history file/],
      ['of a newer version', `${JSON.stringify({ file: 'mongolint history', schemaVersion: 9 })}\n`, /newer mongolint/],
    ])('refuses a history that is %s in one line, with exit code 2, and leaves it as it is', async (_, content, message) => {
      const file = join(await temporaryFolder(), 'history.jsonl');
      await writeFile(file, content);
      const { exitCode, stdout, stderr } = await runCaptured([server.uri, '--history', file]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(message);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(await readFile(file, 'utf8')).toBe(content);
    });

    it('refuses a history that another run uses', async () => {
      const folder = await temporaryFolder();
      const runs = await Promise.all([1, 2].map(() => runCaptured([server.uri, '--include', 'none.*', '--history', 'history.jsonl'], {}, folder)));
      const [refused, ...others] = runs.filter(({ stderr }) => stderr.includes('in use by another run'));
      expect(others).toEqual([]);
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    });
  });
});
