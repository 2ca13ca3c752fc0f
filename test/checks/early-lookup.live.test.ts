/** Joins made too early on a real server: the printed pipeline has the same results, examines less, and is no finding. */
import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { earlyLookup } from '../../checks/early-lookup/check.js';
import { defineClusterCheck } from '../../src/check.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import type { Finding } from '../../src/finding.js';
import { lint } from '../../src/lint/lint.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { pipelineWithValues } from '../support/printed-pipeline.js';

const ORDERS = 3_000;
const BUYERS = 100;
const EXECUTIONS = 4;
const client = new MongoClient(sharedReplicaSetUri());
afterAll(() => client.close());

const BUYER = { $lookup: { from: 'buyers', localField: 'buyer', foreignField: '_id', as: 'joined' } };
const FIRST = { $addFields: { joined: { $first: '$joined' } } };
const KEEPING_ALL = { $unwind: { path: '$joined', preserveNullAndEmptyArrays: true } };
const GROUP = { $group: { _id: '$buyer', name: { $first: '$joined.name' }, total: { $sum: '$total' } } };
const NEWEST = [{ $sort: { placed: -1 } }, { $skip: 40 }, { $limit: 20 }];

interface Case {
  readonly what: string;
  readonly bad: readonly Document[];
  /** The values that the printed pipeline leaves out, in its order. */
  readonly values: readonly unknown[];
  /** At most so many documents are examined by the printed pipeline. */
  readonly examined: number;
}

const CASES: readonly Case[] = [
  {
    what: 'a page behind a join that is reshaped',
    bad: [BUYER, FIRST, ...NEWEST],
    values: [40, 20],
    examined: 2 * 60,
  },
  {
    what: 'a page behind a join that is unwound',
    bad: [{ $match: { total: { $gte: 0 } } }, BUYER, KEEPING_ALL, ...NEWEST],
    values: [0, 40, 20],
    examined: 2 * 60,
  },
  {
    what: 'a page and a count in a facet',
    bad: [BUYER, KEEPING_ALL, { $facet: { page: NEWEST, total: [{ $count: 'orders' }] } }],
    values: [40, 20],
    examined: ORDERS + 60,
  },
  {
    what: 'a join of what is counted',
    bad: [{ $match: { total: { $gte: 0 } } }, BUYER, { $count: 'orders' }],
    values: [0],
    examined: ORDERS,
  },
  {
    what: 'a join of what is grouped by the field that it joins by',
    bad: [
      { $lookup: { ...BUYER.$lookup, as: 'buyer' } },
      { $unwind: '$buyer' },
      { $group: { _id: '$buyer._id', name: { $first: '$buyer.name' }, total: { $sum: '$total' } } },
      { $sort: { total: -1, _id: 1 } },
    ],
    values: [],
    examined: ORDERS + BUYERS,
  },
  {
    what: 'a join of groups of which few are shown',
    bad: [BUYER, FIRST, GROUP, { $sort: { total: -1, _id: 1 } }, { $limit: 10 }],
    values: [10],
    examined: ORDERS + 10,
  },
];

interface Recorded {
  readonly findings: readonly Finding[];
  readonly examined: number;
  readonly promised: number;
}

describe('early-lookup on a real server', () => {
  const database = freshDatabase(client);
  const orders = database.collection('orders');

  beforeAll(async () => {
    await orders.insertMany(
      Array.from({ length: ORDERS }, (_, number) => ({
        _id: number as never,
        buyer: number % (BUYERS + 5),
        placed: (number * 1_009) % 9_973,
        total: number % 13,
      })),
    );
    await orders.createIndex({ placed: -1 });
    await database
      .collection('buyers')
      .insertMany(Array.from({ length: BUYERS }, (_, number) => ({ _id: number as never, name: `Buyer ${number}` })));
  });

  /** What is found of a pipeline, what one execution examines, and what it would save to change it. */
  async function recorded(pipeline: readonly Document[]): Promise<Recorded> {
    await database.collection('system.profile').drop();
    await recordOperations(database, async () => {
      for (let run = 0; run < EXECUTIONS; run += 1) await orders.aggregate([...pipeline]).toArray();
    });
    const entries = await database.collection('system.profile').find({ 'command.aggregate': 'orders' }).toArray();
    let promised = 0;
    const promising = defineClusterCheck({
      ...earlyLookup,
      judge(subject, limits) {
        const verdicts = earlyLookup.judge(subject, limits);
        for (const verdict of verdicts)
          promised +=
            'saves' in verdict ? [...(verdict.saves?.values() ?? [])].reduce((all, each) => all + each, 0) : 0;
        return verdicts;
      },
    });
    const { findings } = await lint({
      uri: sharedReplicaSetUri(),
      include: [database.databaseName],
      checks: [promising],
    });
    return {
      findings,
      promised,
      examined: entries.reduce((sum, { docsExamined }) => sum + Number(docsExamined), 0) / EXECUTIONS,
    };
  }

  it.each(CASES)('$what', async ({ bad, values, examined }) => {
    const before = await recorded(bad);
    expect(before.findings).toMatchObject([{ check: 'early-lookup', severity: 'warning', path: null }]);
    expect(before.findings[0]?.evidence['documentsExamined']).toBe(before.examined);

    const { collection, pipeline } = pipelineWithValues(before.findings[0]?.remedy.steps[0]?.code ?? '', values);
    expect(collection).toBe('orders');
    const [one, other] = [await orders.aggregate([...bad]).toArray(), await orders.aggregate([...pipeline]).toArray()];
    expect(other).toEqual(one);

    const after = await recorded(pipeline);
    expect(after.findings).toEqual([]);
    expect(after.examined).toBeLessThanOrEqual(examined);
    const saved = before.examined - after.examined;
    // Half, if a scan with a filter may have examined all outer documents for itself.
    expect(before.promised).toBeGreaterThan(0.49 * saved);
    expect(before.promised).toBeLessThan(1.1 * saved);
  });
});
