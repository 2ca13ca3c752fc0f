/** A sort ahead of a `$group` on a real server: the printed pipeline has the same groups, sorts nothing, and is no finding. */
import { MongoClient, type Document } from 'mongodb';
import { afterAll, expect, it } from 'vitest';
import { inMemorySort } from '../../checks/in-memory-sort.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { lint } from '../../src/lint/lint.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { pipelineWithValues } from '../support/printed-pipeline.js';

const ORDERS = 12_000;
const client = new MongoClient(sharedReplicaSetUri());
afterAll(() => client.close());
const database = freshDatabase(client);

const SORTED_FIRST: readonly Document[] = [
  { $sort: { placed: -1 } },
  { $group: { _id: '$customer', spent: { $sum: '$total' }, last: { $max: '$placed' } } },
  { $sort: { _id: 1 } },
];

it('is left out by the printed pipeline', async () => {
  const orders = database.collection('orders');
  await orders.insertMany(
    Array.from({ length: ORDERS }, (_, number) => ({
      customer: number % 40,
      total: number % 700,
      placed: (number * 7_919) % ORDERS,
    })),
  );
  const recorded = async (pipeline: readonly Document[]) => {
    await database.collection('system.profile').drop();
    let groups: Document[] = [];
    await recordOperations(database, async () => {
      for (let execution = 0; execution < 3; execution += 1) groups = await orders.aggregate([...pipeline]).toArray();
    });
    const options = { uri: sharedReplicaSetUri(), include: [database.databaseName], checks: [inMemorySort] };
    const { findings } = await lint(options);
    const [entry] = await database.collection('system.profile').find({ 'command.aggregate': 'orders' }).toArray();
    return { groups, findings, examined: entry?.['docsExamined'] as number };
  };
  const before = await recorded(SORTED_FIRST);
  expect(before.findings.map(({ check, path }) => [check, path])).toEqual([['in-memory-sort', 'placed']]);
  const { pipeline } = pipelineWithValues(before.findings[0]?.remedy.steps[0]?.code ?? '', []);
  expect(pipeline.filter((stage) => '$sort' in stage)).toEqual([{ $sort: { _id: 1 } }]);
  const after = await recorded(pipeline);
  expect(after).toEqual({ groups: before.groups, findings: [], examined: before.examined });
});
