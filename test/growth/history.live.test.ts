import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Collection, Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { HistoryRecord } from '../../src/growth/history-file.js';
import { addTo, putADayApart, record } from '../support/growth/history-files.js';
import { elements, found, lintGrowth, rateError, times, TOLERANCE } from '../support/growth/planted-growth.js';
import { useServer } from '../support/server-with-client.js';
import { startStandalone } from '../support/servers.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const SALT = '00112233445566778899aabbccddeeff';

interface Named {
  readonly _id: string;
  readonly reviews: Document[];
}

describe('six runs on a standalone, a day apart', () => {
  const server = useServer(() => startStandalone());

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

  it('finds none of a collection that is created again each time', async () => {
    const { findings } = await lintSixTimes('history_again', async (products, run) => {
      await products.drop();
      await products.insertMany(times(400, (index) => ({ _id: `sku-${index}`, reviews: elements(20 * run) })));
    });
    expect([...findings.keys()]).toEqual([]);
  });

  it('keeps no value in the history', async () => {
    const { records, text } = await lintSixTimes('history_values', (products) =>
      products.updateMany({}, { $set: { secret: 'xyzzy', at: new Date('1999-12-31') } } as never),
    );
    expect(text).not.toMatch(/someone|words|xyzzy|1999-12|946598400000|secret|sku-/);
    expect(records[1]?.collections[0]).toMatchObject({
      namespace: 'history_values.products',
      uuid: expect.stringMatching(/^[0-9a-f]{32}$/),
      documents: 400,
    });
  });

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
});
