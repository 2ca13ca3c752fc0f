/** Sorts that no index serves where they stand, on a real server: the printed pipelines return the same without them. */
import { type Document } from 'mongodb';
import { expect, it } from 'vitest';
import { inMemorySort } from '../../checks/in-memory-sort/check.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { judgedRun } from '../support/judged-run.js';
import { pipelineWithValues } from '../support/printed-pipeline.js';

const ORDERS = 12_000;
const client = sharedClient();
const database = freshDatabase(client);

const SORTED_FIRST: readonly Document[] = [
  { $sort: { placed: -1 } },
  { $group: { _id: '$customer', spent: { $sum: '$total' }, last: { $max: '$placed' } } },
  { $sort: { _id: 1 } },
];

it('a sort ahead of a $group is left out by the printed pipeline', async () => {
  const orders = database.collection('orders');
  await orders.insertMany(
    Array.from({ length: ORDERS }, (_, number) => ({
      customer: number % 40,
      total: number % 700,
      placed: (number * 7_919) % ORDERS,
    })),
  );
  const recorded = async (pipeline: readonly Document[]) => {
    const run = () => orders.aggregate<Document>([...pipeline]).toArray();
    const { result, findings, entries } = await judgedRun(database, run, { times: 3, checks: [inMemorySort] });
    const entry = entries.find(({ command }) => command.aggregate === 'orders');
    return { groups: result, findings, examined: entry?.['docsExamined'] as number };
  };
  const before = await recorded(SORTED_FIRST);
  expect(before.findings.map(({ check, path }) => [check, path])).toEqual([['in-memory-sort', 'placed']]);
  const { pipeline } = pipelineWithValues(before.findings[0]?.remedy.steps[0]?.code ?? '', []);
  expect(pipeline.filter((stage) => '$sort' in stage)).toEqual([{ $sort: { _id: 1 } }]);
  const after = await recorded(pipeline);
  expect(after).toEqual({ groups: before.groups, findings: [], examined: before.examined });
});

it('a page within $facet is sent by itself, with an index for its order', async () => {
  const visits = database.collection('visits');
  await visits.insertMany(
    Array.from({ length: ORDERS }, (_, number) => ({ user: number % 8, at: (number * 7_919) % ORDERS })),
  );
  await visits.createIndex({ user: 1 });
  const recorded = async (pipeline: readonly Document[]) => {
    const run = () => visits.aggregate<Document>([...pipeline]).toArray();
    const { result, findings, entries } = await judgedRun(database, run, {
      only: visits,
      times: 3,
      checks: [inMemorySort],
    });
    const entry = entries.find(({ command }) => command.aggregate === 'visits');
    return { results: result, findings, examined: entry?.['docsExamined'] as number };
  };
  const before = await recorded([
    { $match: { user: 3 } },
    { $facet: { all: [{ $count: 'n' }], rows: [{ $sort: { at: -1 } }, { $skip: 20 }, { $limit: 10 }] } },
  ]);
  expect(before.examined).toBe(1_500);
  expect(before.findings.map(({ severity, path }) => `${severity} ${path}`)).toEqual(['warning at']);
  const [page = '', index = ''] = before.findings[0]?.remedy.steps.flatMap(({ code }) => code ?? []) ?? [];
  expect(index).toContain('createIndex({ "user": 1, "at": -1 })');
  await visits.createIndex({ user: 1, at: -1 });
  const after = await recorded(pipelineWithValues(page, [3, 20, 10]).pipeline);
  expect(after).toMatchObject({ results: before.results[0]?.['rows'], findings: [] });
  // Servers that skip keys read ten.
  expect(after.examined).toBeLessThanOrEqual(30);
});
