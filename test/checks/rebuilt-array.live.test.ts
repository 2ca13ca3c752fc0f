/** Arrays taken apart and rebuilt, on a real server: the printed expression has the same results, and is no finding. */
import { type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { rebuiltArray } from '../../checks/rebuilt-array.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { judgedRun } from '../support/judged-run.js';
import { pipelineWithValues } from '../support/printed-pipeline.js';

const CARTS = 3_000;
const client = sharedClient();

const by = (accumulators: Document, path = '$items') => [
  { $unwind: path },
  { $group: { _id: '$_id', ...accumulators } },
];

const CASES: readonly [string, Document[], unknown[]][] = [
  ['sums, extremes and averages', by(ofPrices('$sum', '$avg', '$min', '$max')), []],
  ['a count', by({ count: { $sum: 2 } }), [2]],
  ['the elements and their fields', by({ items: { $push: '$items' }, prices: { $push: '$items.price' } }), []],
  [
    'fields of the document',
    by({ shop: { $first: '$shop' }, note: { $first: '$note' }, sum: { $sum: '$items.price' } }),
    [],
  ],
  ['single values', by({ sum: { $sum: '$tags' }, tags: { $push: '$tags' } }, '$tags'), []],
  ['behind a filter', [{ $match: { shop: { $lt: 5 } } }, ...by({ sum: { $sum: '$items.price' } })], [5]],
];

function ofPrices(...operators: string[]): Document {
  return Object.fromEntries(operators.map((operator) => [operator.slice(1), { [operator]: '$items.price' }]));
}

describe('rebuilt-array on a real server', () => {
  const database = freshDatabase(client);
  const carts = database.collection('carts');

  beforeAll(async () => {
    await carts.insertMany(
      Array.from({ length: CARTS }, (_, number) => ({
        shop: number % 7,
        ...(number % 3 === 0 && { note: `note ${number}` }),
        ...(number % 50 > 0 && { items: Array.from({ length: number % 12 }, (__, item) => itemOf(number, item)) }),
        tags: Array.from({ length: number % 11 }, (__, tag) => tag / 10),
      })),
    );
  });

  async function findingsOn(pipeline: readonly Document[]) {
    const run = () => carts.aggregate([...pipeline]).toArray();
    return (await judgedRun(database, run, { only: carts, times: 3, checks: [rebuiltArray] })).findings;
  }

  it.each(CASES)('%s', async (_, bad, values) => {
    const before = await findingsOn(bad);
    expect(before).toMatchObject([{ check: 'rebuilt-array', severity: 'info' }]);
    const { pipeline } = pipelineWithValues(before[0]?.remedy.steps[0]?.code ?? '', values);
    const results = await Promise.all([bad, [...pipeline]].map((each) => carts.aggregate(each).toArray()));
    const [one, other] = results.map(byId);
    expect(one?.length).toBeGreaterThan(1_000);
    expect(other).toEqual(one);
    expect(await findingsOn(pipeline)).toEqual([]);
    expect(await mostBetweenStages(pipeline)).toBeLessThan((await mostBetweenStages(bad)) / 4);
  });

  /** Documents that the stage with most of them hands on. */
  async function mostBetweenStages(pipeline: readonly Document[]): Promise<number> {
    const plan: unknown = await carts.aggregate([...pipeline]).explain('executionStats');
    const counts = [...JSON.stringify(plan).matchAll(/"nReturned":(?:\{"\$numberLong":")?(\d+)/g)];
    return Math.max(...counts.map(([, count]) => Number(count)));
  }
});

function itemOf(number: number, item: number): Document {
  if (item === 3) return { sku: 'no price' };
  return { sku: `A${item}`, price: item === 5 ? 'free' : item === 7 ? null : (number + item) / 7 };
}

function byId(documents: readonly Document[]): Document[] {
  return documents.toSorted((one, other) => String(one['_id']).localeCompare(String(other['_id'])));
}
