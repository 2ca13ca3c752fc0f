/** What hints, arrays and the values of most documents make of a query's cost, on a real server. */
import { MongoClient, type CountDocumentsOptions, type Document } from 'mongodb';
import { afterAll, expect, it } from 'vitest';
import { caseInsensitiveRegex } from '../../checks/case-insensitive-regex.js';
import { poorTargeting } from '../../checks/poor-targeting/check.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { lintedCollection } from '../support/linted-collection.js';

const EVENTS = 24_000;
const client = new MongoClient(sharedReplicaSetUri());
afterAll(() => client.close());
const database = freshDatabase(client);
const report = lintedCollection(database, [poorTargeting, caseInsensitiveRegex]);

it('a count by a negation, up to a limit', async () => {
  const events = database.collection('events');
  await events.insertMany(Array.from({ length: EVENTS }, (_, at) => ({ at, kind: `kind${at % 4}`, text: 'x' })));
  await events.createIndexes([{ key: { at: -1 } }, { key: { kind: 1, at: -1 } }]);
  const recorded = async (options: CountDocumentsOptions) => {
    await database.collection('system.profile').drop();
    await recordOperations(database, async () => {
      for (let execution = 0; execution < 3; execution += 1)
        await events.countDocuments({ kind: { $nin: ['kind0', 'kind1'] } }, { limit: 11_000, ...options });
    });
    const [entry] = await database.collection('system.profile').find({ 'command.aggregate': 'events' }).toArray();
    return { examined: entry?.['docsExamined'] as number, findings: (await report('events')).findings };
  };
  const before = await recorded({ hint: 'at_-1' });
  expect(before.examined).toBeGreaterThan(20_000);
  expect(before.findings).toMatchObject([{ check: 'poor-targeting', severity: 'warning', path: 'at_-1' }]);
  expect(before.findings[0]?.remedy).toMatchObject({
    steps: [{ text: expect.stringContaining('`kind_1_at_-1` serves') }, {}],
  });
  expect(await recorded({})).toEqual({ examined: 0, findings: [] });
});

it('a count that a new index would serve, if hint() let it', async () => {
  const orders = database.collection('orders');
  await orders.insertMany(
    Array.from({ length: EVENTS }, (_, at) => ({ at, kind: `kind${at % 4}`, total: at % 3_000 })),
  );
  await orders.createIndex({ kind: 1 });
  const hinted = async (hint: string) => {
    await database.collection('system.profile').drop();
    await recordOperations(database, async () => {
      for (let execution = 0; execution < 3; execution += 1)
        await orders.countDocuments({ kind: 'kind1', total: { $gt: 2_900 } }, { hint });
    });
    return (await report('orders')).findings;
  };
  const [finding, ...others] = await hinted('kind_1');
  expect(others).toEqual([]);
  const { steps, commands } = finding?.remedy ?? {};
  expect(commands).toBeUndefined();
  expect(steps?.map(({ text }) => text).join(' ')).toContain('hint() binds 3 recorded executions to `kind_1`');
  await orders.createIndex({ kind: 1, total: 1 });
  expect(await hinted('kind_1')).toMatchObject([{ path: 'kind_1' }]);
  expect(await hinted('kind_1_total_1')).toEqual([]);
});

it('a group by the value of a field that most documents have, and one of many values', async () => {
  const sales = database.collection('sales');
  await sales.insertMany(
    Array.from({ length: EVENTS }, (_, at) => ({
      tenant: at % 20 === 0 ? 2 : 1,
      kind: `kind${at % 4}`,
      shop: at % 60,
    })),
  );
  await sales.createIndex({ kind: 1 });
  const grouped = async ($match: Document) => {
    await database.collection('system.profile').drop();
    await recordOperations(database, async () => {
      for (let execution = 0; execution < 3; execution += 1)
        await sales.aggregate([{ $match }, { $group: { _id: '$shop', count: { $sum: 1 } } }]).toArray();
    });
    return (await report('sales')).findings.map(({ severity, path }) => `${severity} ${path ?? ''}`);
  };
  expect(await grouped({ kind: 'kind1', tenant: 1 })).toEqual([]);
  expect(await grouped({ kind: 'kind1', shop: 5 })).toEqual(['info kind_1_shop_1']);
});

it('a search within long arrays, and one beside them', async () => {
  const parts = Array.from({ length: 100 }, (_, number) => ({ name: `part ${number}` }));
  const products = database.collection('products');
  await products.insertMany(Array.from({ length: 2_000 }, (_, number) => ({ title: `product ${number}`, parts })));
  const searched = async (path: string) => {
    await database.collection('system.profile').drop();
    await recordOperations(database, async () => {
      for (let execution = 0; execution < 3; execution += 1) await products.find({ [path]: /zebra/i }).toArray();
    });
    return (await report('products')).findings;
  };
  const [within, ...others] = await searched('parts.name');
  expect(others).toEqual([]);
  expect(within).toMatchObject({ severity: 'warning', path: 'parts.name' });
  expect(within?.message).toContain('2,000 documents with 100 elements of arrays in each');
  expect(await searched('title')).toMatchObject([{ severity: 'info', path: 'title' }]);
});
