/** Rewritten pipelines return what the original ones do, and examine no more: random pipelines on random data. */
import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { earlyJoins, type EarlyBecause } from '../../../checks/early-lookup/early-joins.js';
import { recordOperations } from '../../../src/demo/recorded-operations.js';
import { SeededRandom } from '../../../src/demo/seeded-random.js';
import type { ObjectShape } from '../../../src/workload/shapes/shape.js';
import { freshDatabase, sharedReplicaSetUri } from '../../support/database.js';
import {
  isSingleJoin,
  randomCustomers,
  randomOrders,
  randomPipeline,
  type EarlyPipeline,
} from '../../support/joins/early-pipelines.js';

const PIPELINES = 600;
const ORDERS = 400;
const client = new MongoClient(sharedReplicaSetUri());
afterAll(() => client.close());

interface Rewrite {
  readonly given: EarlyPipeline;
  readonly rewritten: readonly Document[];
  readonly because: readonly EarlyBecause[];
}

function randomRewrites(): Rewrite[] {
  const random = new SeededRandom(2026);
  return Array.from({ length: PIPELINES }, () => randomPipeline(random)).flatMap((given): Rewrite[] => {
    const early = earlyJoins(given.pipeline as ObjectShape[], isSingleJoin);
    return early === null ? [] : [{ given, rewritten: withNulls(early.rewritten), because: early.because }];
  });
}

/** The only literal that a rewritten pipeline adds. */
function withNulls(pipeline: readonly object[]): readonly Document[] {
  return JSON.parse(JSON.stringify(pipeline).replaceAll('"?null"', 'null')) as readonly Document[];
}

/** The server joins the documents of one field in no given order. */
const withoutOrder = (key: string, value: unknown) =>
  Array.isArray(value) && ['c', 'd', 'named'].includes(key)
    ? value.map((each) => JSON.stringify(each)).toSorted()
    : value;

describe('a pipeline that joins later', () => {
  const database = freshDatabase(client);
  const rewrites = randomRewrites();

  beforeAll(async () => {
    await database.collection('orders').insertMany(randomOrders(ORDERS));
    await database.collection('customers').insertMany(randomCustomers());
    await database.collection('orders').createIndex({ placed: 1, _id: 1 });
    await database.collection('customers').createIndex({ country: 1 });
  });

  const ran = async ({ isOrdered }: EarlyPipeline, pipeline: readonly Document[], comment: string) => {
    const documents = await database
      .collection('orders')
      .aggregate([...pipeline], { comment })
      .toArray();
    const texts = documents.map((document) => JSON.stringify(document, withoutOrder));
    return isOrdered ? texts : texts.toSorted();
  };
  const examined = async (comment: string): Promise<number> => {
    const entries = await database.collection('system.profile').find({ 'command.comment': comment }).toArray();
    return entries.reduce((sum, { docsExamined = 0 }) => sum + (docsExamined as number), 0);
  };

  it.each(['unread', 'group', 'limit', 'page'] as const)('is found often enough: %s', (because) => {
    expect(rewrites.filter((each) => each.because.includes(because)).length).toBeGreaterThan(20);
  });

  it('returns the same documents, and examines no more', async () => {
    const sums = { before: 0, after: 0 };
    await recordOperations(database, async () => {
      for (const [run, { given, rewritten }] of rewrites.entries()) {
        const before = await ran(given, given.pipeline, `before ${run}`);
        const after = await ran(given, rewritten, `after ${run}`);
        const counts = [await examined(`before ${run}`), await examined(`after ${run}`)] as const;
        const isNoMore = counts[1] <= counts[0];
        // The pipelines are compared too, so that a failure shows them.
        const pipelines = { from: given.pipeline, to: rewritten };
        expect({ ...pipelines, after, isNoMore }).toEqual({ ...pipelines, after: before, isNoMore: true });
        sums.before += counts[0];
        sums.after += counts[1];
      }
    });
    expect(sums.after).toBeLessThan(sums.before / 1.4);
  }, 120_000);
});
