/** Joins made too early on a real server: as the remedy has it, the results are the same, less is examined, and nothing found. */
import { type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { earlyLookup } from '../../checks/early-lookup/check.js';
import { defineClusterCheck } from '../../src/check.js';
import type { Finding } from '../../src/finding.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { judgedRun, total } from '../support/judged-run.js';

const ORDERS = 3_000;
const BUYERS = 100;
const EXECUTIONS = 4;
const client = sharedClient();

const BUYER = { $lookup: { from: 'buyers', localField: 'buyer', foreignField: '_id', as: 'joined' } };
const FIRST = { $addFields: { joined: { $first: '$joined' } } };
const KEEPING_ALL = { $unwind: { path: '$joined', preserveNullAndEmptyArrays: true } };
const GROUP = { $group: { _id: '$buyer', name: { $first: '$joined.name' }, total: { $sum: '$total' } } };
const NEWEST = [{ $sort: { placed: -1 } }, { $skip: 40 }, { $limit: 20 }];

interface Case {
  readonly what: string;
  readonly bad: readonly Document[];
  readonly good: readonly Document[];
  /** At most so many documents are examined by the good one. */
  readonly examined: number;
}

const CASES: readonly Case[] = [
  {
    what: 'a page behind a join that is reshaped',
    bad: [BUYER, FIRST, ...NEWEST],
    good: [...NEWEST, BUYER, FIRST],
    examined: 2 * 60,
  },
  {
    what: 'a page behind a join that is unwound',
    bad: [{ $match: { total: { $gte: 0 } } }, BUYER, KEEPING_ALL, ...NEWEST],
    good: [{ $match: { total: { $gte: 0 } } }, ...NEWEST, BUYER, KEEPING_ALL],
    examined: 2 * 60,
  },
  {
    what: 'a page and a count in a facet',
    bad: [BUYER, KEEPING_ALL, { $facet: { page: NEWEST, total: [{ $count: 'orders' }] } }],
    good: [{ $facet: { page: [...NEWEST, BUYER, KEEPING_ALL], total: [{ $count: 'orders' }] } }],
    examined: ORDERS + 60,
  },
  {
    what: 'a join of what is counted',
    bad: [{ $match: { total: { $gte: 0 } } }, BUYER, { $count: 'orders' }],
    good: [{ $match: { total: { $gte: 0 } } }, { $count: 'orders' }],
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
    good: [
      { $group: { _id: '$buyer', total: { $sum: '$total' } } },
      { $lookup: { from: 'buyers', localField: '_id', foreignField: '_id', as: 'buyer' } },
      { $unwind: '$buyer' },
      { $project: { _id: 1, name: '$buyer.name', total: 1 } },
      { $sort: { total: -1, _id: 1 } },
    ],
    examined: ORDERS + BUYERS + 5,
  },
  {
    what: 'a join of groups of which few are shown',
    bad: [BUYER, FIRST, GROUP, { $sort: { total: -1, _id: 1 } }, { $limit: 10 }],
    good: [
      { $group: { _id: '$buyer', total: { $sum: '$total' } } },
      { $sort: { total: -1, _id: 1 } },
      { $limit: 10 },
      { $lookup: { from: 'buyers', localField: '_id', foreignField: '_id', as: 'joined' } },
      { $project: { _id: 1, name: { $first: '$joined.name' }, total: 1 } },
    ],
    examined: ORDERS + 10,
  },
];

const byName = (document: Document) => Object.fromEntries(Object.entries(document).toSorted());

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
    const ran = await judgedRun(database, () => orders.aggregate([...pipeline]).toArray(), {
      times: EXECUTIONS,
      checks: [promising],
    });
    const aggregates = ran.entries.filter(({ command }) => command.aggregate === 'orders');
    return { findings: ran.findings, promised, examined: total(aggregates, 'docsExamined') / EXECUTIONS };
  }

  it.each(CASES)('$what', async ({ bad, good, examined }) => {
    const before = await recorded(bad);
    expect(before.findings).toMatchObject([{ check: 'early-lookup', severity: 'warning', path: null }]);
    expect(before.findings[0]?.evidence['documentsExamined']).toBe(before.examined);

    const [one, other] = [await orders.aggregate([...bad]).toArray(), await orders.aggregate([...good]).toArray()];
    expect(other.map(byName)).toEqual(one.map(byName));

    const after = await recorded(good);
    expect(after.findings).toEqual([]);
    expect(after.examined).toBeLessThanOrEqual(examined);
    const saved = before.examined - after.examined;
    // Half: the scan, which the order of an index spares as well, is not promised.
    expect(before.promised).toBeGreaterThan(0.48 * saved);
    expect(before.promised).toBeLessThan(1.1 * saved);
  });
});
