/** What hints, arrays and the values of most documents make of a query's cost, on a real server. */
import { type Collection, type CountDocumentsOptions, type Document } from 'mongodb';
import { expect, it } from 'vitest';
import { caseInsensitiveRegex } from '../../checks/case-insensitive-regex.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { judgedRun } from '../support/judged-run.js';

const EVENTS = 24_000;
const client = sharedClient();
const database = freshDatabase(client);
const judged = <Result>(only: Collection, run: () => Promise<Result>) =>
  judgedRun(database, run, { only, times: 3, checks: [poorTargeting, caseInsensitiveRegex] });

it('a count by a negation, up to a limit', async () => {
  const events = database.collection('events');
  await events.insertMany(Array.from({ length: EVENTS }, (_, at) => ({ at, kind: `kind${at % 4}`, text: 'x' })));
  await events.createIndexes([{ key: { at: -1 } }, { key: { kind: 1, at: -1 } }]);
  const recorded = async (options: CountDocumentsOptions) => {
    const count = () => events.countDocuments({ kind: { $nin: ['kind0', 'kind1'] } }, { limit: 11_000, ...options });
    const { entries, findings } = await judged(events, count);
    return { examined: entries[0]?.['docsExamined'] as number, findings };
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
    const count = () => orders.countDocuments({ kind: 'kind1', total: { $gt: 2_900 } }, { hint });
    return (await judged(orders, count)).findings;
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
    const group = () => sales.aggregate([{ $match }, { $group: { _id: '$shop', count: { $sum: 1 } } }]).toArray();
    return (await judged(sales, group)).findings.map(({ severity, path }) => `${severity} ${path ?? ''}`);
  };
  expect(await grouped({ kind: 'kind1', tenant: 1 })).toEqual([]);
  expect(await grouped({ kind: 'kind1', shop: 5 })).toEqual(['info kind_1_shop_1']);
});

it('a search within long arrays, and one beside them', async () => {
  const parts = Array.from({ length: 100 }, (_, number) => ({ name: `part ${number}` }));
  const products = database.collection('products');
  await products.insertMany(Array.from({ length: 2_000 }, (_, number) => ({ title: `product ${number}`, parts })));
  const searched = async (path: string) =>
    (await judged(products, () => products.find({ [path]: /zebra/i }).toArray())).findings;
  const [within, ...others] = await searched('parts.name');
  expect(others).toEqual([]);
  expect(within).toMatchObject({ severity: 'warning', path: 'parts.name' });
  expect(within?.message).toContain('2,000 documents with 100 elements of arrays in each');
  expect(await searched('title')).toMatchObject([{ severity: 'info', path: 'title' }]);
});
