/** A `$group` that needs no order has the same result without the `$sort` ahead of it: random pipelines on random data. */
import { type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordOperations } from '../../../src/demo/recorded-operations.js';
import { SeededRandom } from '../../../src/demo/seeded-random.js';
import { withoutNeedlessSorts } from '../../../src/judgement/pipelines/needless-sort.js';
import type { ObjectShape } from '../../../src/workload/shapes/shape.js';
import { freshDatabase, sharedClient } from '../../support/database.js';

const PIPELINES = 200;
const client = sharedClient();

const ACCUMULATORS: readonly Document[] = [
  { $sum: '$total' },
  { $avg: '$total' },
  { $min: '$placed' },
  { $max: '$placed' },
  { $addToSet: '$status' },
  { $sum: 1 },
  { $first: '$total' },
  { $push: '$total' },
];

const CUSTOMERS = 40;

/** With nulls, arrays and references to nothing. */
function randomOrders(count: number): Document[] {
  const random = new SeededRandom(17);
  const reference = () => random.choose([random.below(CUSTOMERS), random.below(CUSTOMERS), 1_000, null]);
  return Array.from({ length: count }, (_, number) => ({
    _id: number,
    ...(random.chance(0.9) && { customer: reference() }),
    buyers: Array.from({ length: random.below(4) }, reference),
    status: random.below(5),
    ...(random.chance(0.9) && { placed: random.below(50) }),
    total: random.below(100),
    box: { size: random.below(9) },
  }));
}

function randomPipeline(random: SeededRandom): Document[] {
  const maybe = (probability: number, stage: Document) => (random.chance(probability) ? [stage] : []);
  return [
    ...maybe(0.5, { $match: { status: { $lte: random.below(5) } } }),
    { $sort: { [random.choose(['total', 'customer'])]: 1, _id: 1 } },
    ...maybe(0.3, { $addFields: { total: { $multiply: ['$total', 2] } } }),
    ...maybe(0.3, { $unwind: { path: '$buyers' } }),
    ...maybe(0.1, { $limit: 50 }),
    { $group: { _id: random.choose(['$status', '$buyers']), a: random.choose(ACCUMULATORS), b: { $sum: '$placed' } } },
    ...maybe(0.3, { $sort: { _id: 1 } }),
  ];
}

/** Sets and groups come in no order. */
const withoutOrder = (documents: readonly Document[]) =>
  documents
    .map((document) =>
      JSON.stringify(document, (_, value: unknown) =>
        Array.isArray(value) ? [...(value as unknown[])].sort() : value,
      ),
    )
    .toSorted();

describe('a pipeline without the sorts that nothing needs', () => {
  const database = freshDatabase(client);
  const random = new SeededRandom(7);
  const rewrites = Array.from({ length: PIPELINES }, () => randomPipeline(random)).flatMap((given) => {
    const without = withoutNeedlessSorts(given as ObjectShape[]) as readonly Document[] | null;
    return without === null ? [] : [{ given, without }];
  });

  beforeAll(async () => {
    await database.collection('orders').insertMany(randomOrders(400));
  });

  it('has the same result, and sorts nothing ahead of the group', async () => {
    expect(rewrites.length).toBeGreaterThan(PIPELINES / 4);
    const run = (pipeline: readonly Document[], comment: string) =>
      database
        .collection('orders')
        .aggregate([...pipeline], { comment })
        .toArray();
    await recordOperations(database, async () => {
      for (const { given, without } of rewrites) {
        const [before, after] = [await run(given, 'before'), await run(without, 'after')];
        expect({ given, after: withoutOrder(after) }).toEqual({ given, after: withoutOrder(before) });
      }
    });
    const sorted = (comment: string) =>
      database.collection('system.profile').countDocuments({
        'command.aggregate': 'orders',
        'command.comment': comment,
        hasSortStage: true,
      });
    expect(await sorted('before')).toBe(rewrites.length);
    expect(await sorted('after')).toBe(rewrites.filter(({ without }) => '$sort' in (without.at(-1) ?? {})).length);
  });
});
