import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Collection, Db, Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { HistoryRecord } from '../../../src/evidence/growth/history/history-record.js';
import type { Report } from '../../../src/report/report.js';
import { MS_PER_DAY } from '../../../src/time-units.js';
import { addTo, record } from '../../support/growth/history-files.js';
import {
  elements,
  found,
  lintGrowth,
  pause,
  rateError,
  times,
  TOLERANCE,
} from '../../support/growth/planted-growth.js';
import { RandomDistributions } from '../../support/random-distributions.js';
import { useServer } from '../../support/server-with-client.js';
import { startStandalone } from '../../support/servers.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const SALT = '00112233445566778899aabbccddeeff';

interface Named {
  readonly _id: string;
  readonly reviews: Document[];
}

describe('on a standalone', () => {
  const server = useServer(() => startStandalone());

  /** Plants collections, lints, lets something happen, and lints again. */
  async function lintTwice(
    name: string,
    between: (database: Db) => Promise<unknown>,
  ): Promise<{ reports: Report[]; records: HistoryRecord[] }> {
    const database = server.client.db(name);
    const random = new RandomDistributions(3);
    const documents = times(120, () => ({
      reviews: elements(10 + random.below(30)),
      threads: times(2, () => ({ posts: elements(5 + random.below(10)) })),
    }));
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
    const database = server.client.db('none');
    await database.collection('one').insertOne({});
    const { skipped } = await lintGrowth(server.uri, database);
    expect(skipped).toEqual([
      {
        check: 'fast-growing-array',
        reason: 'unsupported',
        detail: expect.stringContaining('a standalone server has none'),
      },
    ]);
  });

  it('finds growth by two runs alone, without a forecast', async () => {
    const random = new RandomDistributions(4);
    let reviews = 0;
    let posts = 0;
    const { reports, records } = await lintTwice('history_growth', async (database) => {
      const products = database.collection<Document>('products');
      for (const { _id } of await products.find({}, { projection: { _id: 1 } }).toArray()) {
        const [some, more] = [5 + random.below(10), 2 + random.below(4)];
        reviews += some / 120;
        posts += more / 120;
        await products.updateOne({ _id }, {
          $push: { reviews: { $each: elements(some) }, 'threads.$[].posts': { $each: elements(more) } },
        } as never);
      }
    });
    const [before, after] = records.map(({ at }) => Date.parse(at)) as [number, number];
    const findings = found(reports[1] as Report);
    expect([...found(reports[0] as Report).keys()]).toEqual([]);
    expect([...findings.keys()].sort()).toEqual(['products reviews', 'products threads[].posts']);
    expect(findings.get('products reviews')).toMatchObject({
      confidence: 'low',
      evidence: { source: 'history', runs: 2, forecastDays: {} },
    });
    expect(rateError(findings.get('products reviews'), (reviews / (after - before)) * MS_PER_DAY)).toBeLessThan(
      TOLERANCE,
    );
    expect(rateError(findings.get('products threads[].posts'), (posts / (after - before)) * MS_PER_DAY)).toBeLessThan(
      TOLERANCE,
    );
  });

  it.each<[string, string, (database: Db) => Promise<unknown>]>([
    ['nothing happens', 'history_stable', async () => {}],
    [
      'every document gets three elements at once',
      'history_backfill',
      (database) =>
        database
          .collection<Document>('products')
          .updateMany({}, { $push: { reviews: { $each: elements(3) } } } as never),
    ],
    [
      'the documents with short arrays are deleted',
      'history_deletion',
      (database) => database.collection('products').deleteMany({ 'reviews.20': { $exists: false } }),
    ],
    [
      'documents with longer arrays are inserted',
      'history_insertion',
      async (database) => {
        await pause(1_100);
        await database
          .collection('products')
          .insertMany(times(60, () => ({ reviews: elements(80), threads: [{ posts: elements(40) }] })));
      },
    ],
    [
      'the collection is dropped, and created anew with longer arrays',
      'history_recreated',
      async (database) => {
        await database.collection('products').drop();
        await database
          .collection('products')
          .insertMany(times(120, () => ({ reviews: elements(60), threads: [{ posts: elements(40) }] })));
      },
    ],
  ])('finds no growth where %s', async (_, name, between) => {
    const { reports, records } = await lintTwice(name, between);
    expect(records).toHaveLength(2);
    expect(reports.flatMap(({ findings }) => findings)).toEqual([]);
  });

  it('finds growth of a collection that was created anew from then on, and takes its beginning for no shrinkage', async () => {
    const database = server.client.db('history_regrown');
    const products = database.collection<Document>('products');
    await products.insertMany(times(120, () => ({ reviews: elements(60) })));
    const history = join(await temporaryFolder(), 'history.jsonl');
    await lintGrowth(server.uri, database, { history });
    await products.drop();
    const random = new RandomDistributions(5);
    await products.insertMany(times(120, () => ({ reviews: elements(5 + random.below(10)) })));
    await pause(1_100);
    await lintGrowth(server.uri, database, { history });
    let reviews = 0;
    for (const { _id } of await products.find({}, { projection: { _id: 1 } }).toArray()) {
      const some = 5 + random.below(10);
      reviews += some / 120;
      await products.updateOne({ _id }, { $push: { reviews: { $each: elements(some) } } } as never);
    }
    await pause(1_500);
    const findings = found(await lintGrowth(server.uri, database, { history }));
    const lines = (await readFile(history, 'utf8')).trim().split('\n').slice(2);
    const [before, after] = lines.map((line) => Date.parse((JSON.parse(line) as HistoryRecord).at)) as [number, number];
    expect([...findings.keys()]).toEqual(['products reviews']);
    expect(findings.get('products reviews')?.evidence).toMatchObject({ source: 'history', runs: 2 });
    expect(rateError(findings.get('products reviews'), (reviews / (after - before)) * MS_PER_DAY)).toBeLessThan(
      TOLERANCE,
    );
  });

  /**
   * Lints a collection whose `_id`s are strings six times; before each but the first, something happens to it. The runs of
   * the history are put a day apart from each other and from the last one: those of a test come unevenly, within seconds.
   */
  async function lintSixTimes(name: string, between: (products: Collection<Named>, run: number) => Promise<unknown>) {
    const database = server.client.db(name);
    const products = database.collection<Named>('products');
    await products.insertMany(times(400, (index) => ({ _id: `sku-${index}`, reviews: elements(5 + (index % 20)) })));
    const history = join(await temporaryFolder(), 'history.jsonl');
    // The salt draws the documents that are kept: by one of its own, each history would hold other numbers of those that grow.
    await addTo(history, { ...record(0), at: new Date().toISOString(), collections: [], salt: SALT });
    let report = await lintGrowth(server.uri, database, { history });
    for (let run = 1; run < 6; run += 1) {
      await between(products, run);
      await putADayApart(history);
      report = await lintGrowth(server.uri, database, { history });
    }
    const lines = (await readFile(history, 'utf8')).trim().split('\n').slice(1);
    return {
      findings: found(report),
      text: lines.join('\n'),
      records: lines
        .map((line) => JSON.parse(line) as HistoryRecord)
        .filter(({ collections }) => collections.length > 0),
    };
  }

  it('finds growth of one document in twenty, whose _ids are strings, by the same documents from run to run', async () => {
    const { findings, records, text } = await lintSixTimes('history_few', async (products) => {
      for (let index = 0; index < 400; index += 20)
        await products.updateOne({ _id: `sku-${index}` }, { $push: { reviews: { $each: elements(5) } } });
    });
    expect([...findings.keys()]).toEqual(['products reviews']);
    expect(findings.get('products reviews')?.evidence).toMatchObject({ source: 'history', runs: 6 });
    expect(rateError(findings.get('products reviews'), 5)).toBeLessThan(TOLERANCE);
    expect(records.map(({ salt }) => salt)).toEqual(times(6, () => SALT));
    expect(text).not.toContain('sku-');
  });

  it('finds none where all documents get some at once, twice', async () => {
    const { findings } = await lintSixTimes('history_backfills', async (products, run) => {
      if (run === 2 || run === 4) await products.updateMany({}, { $push: { reviews: { $each: elements(4) } } });
    });
    expect([...findings.keys()]).toEqual([]);
  });

  it('keeps no value in the history', async () => {
    const { records } = await lintTwice('history_values', async (database) => {
      await database.collection('products').updateMany({}, { $set: { secret: 'xyzzy', at: new Date('1999-12-31') } });
    });
    const text = JSON.stringify(records);
    expect(text).not.toMatch(/someone|words|xyzzy|1999-12|946598400000|secret/);
    expect(records[1]?.collections[0]).toMatchObject({
      namespace: 'history_values.products',
      uuid: expect.stringMatching(/^[0-9a-f]{32}$/),
      documents: 120,
      complete: true,
    });
  });
});

/** Moves the runs of a history into the past, the last one by a day, those before it by a day more each. */
async function putADayApart(history: string): Promise<void> {
  const [header, ...lines] = (await readFile(history, 'utf8')).trim().split('\n');
  const records = lines.map((line, index) => {
    const at = new Date(Date.now() - (lines.length - index) * MS_PER_DAY).toISOString();
    return JSON.stringify({ ...(JSON.parse(line) as HistoryRecord), at });
  });
  await writeFile(history, [header, ...records, ''].join('\n'));
}
