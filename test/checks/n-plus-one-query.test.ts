import { ObjectId } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { nPlusOneQuery } from '../../checks/n-plus-one-query.js';
import {
  problemsIn,
  type GivenCluster,
  type GivenCollection,
  type GivenOperation,
} from '../support/checks/joined-evidence.js';
import { understood } from '../support/code/understood.js';

const HOUR = 60 * 60 * 1_000;

interface Finds {
  readonly filter?: object;
  readonly executions?: number;
  readonly busiest?: number;
  readonly by?: string | null;
  /** Between the first and the last, in hours. */
  readonly hours?: number;
  readonly further?: object;
}

const clientOf = (appName: string | null, executions: number) => ({
  ...(appName !== null && { clients: [{ appName, user: null, driver: null, executions }] }),
});

function finds(given: Finds = {}): GivenOperation {
  const { filter = { _id: 7 }, executions = 6_000, busiest = 600, by = 'export', hours = 24, further = {} } = given;
  return {
    on: 'customers',
    command: { filter, limit: 1, ...further },
    figures: {
      executions,
      documentsExamined: executions,
      documentsReturned: executions,
      busiest: { appName: by, executions: busiest },
      window: { from: 0, to: hours * HOUR },
      ...clientOf(by, executions),
    },
  };
}

function list(returned: number, by: string | null = 'export', executions = 10): GivenOperation {
  return {
    on: 'orders',
    command: { filter: { status: 'open' }, limit: 600, projection: { customer: 1 } },
    figures: { executions, documentsReturned: returned, documentsExamined: returned, ...clientOf(by, executions) },
  };
}

/** Types of the fields of `orders`, counted among 100 documents. */
const ORDER = { _id: { objectId: 100 }, customer: { int: 100 }, mail: { string: 100 }, total: { int: 100 } };

const shopWith = (fields: GivenCollection['fields'], ...operations: readonly GivenOperation[]): GivenCluster => ({
  collections: { orders: { fields: fields ?? null }, customers: {} },
  operations,
});
const shop = (...operations: readonly GivenOperation[]) => shopWith(ORDER, ...operations);

/** Orders with so many customers each, in an array. */
const groupOrders = (each: number, ...operations: readonly GivenOperation[]): GivenCluster => ({
  collections: {
    orders: {
      fields: { _id: { objectId: 100 }, parts: { array: 100 }, 'parts[].customer': { int: 100 * each } },
      elements: { parts: each },
    },
    customers: {},
  },
  operations,
});

/** Lists between these hours. */
const listAt = (from: number, to: number): GivenOperation => {
  const given = list(6_000);
  return { ...given, figures: { ...given.figures, window: { from: from * HOUR, to: to * HOUR } } };
};
const brief = finds({ hours: 0.05 });
const byObjectId = finds({ hours: 0.05, filter: { _id: new ObjectId() } });
const byParent = (path: string) => finds({ hours: 0.05, filter: { [path]: new ObjectId() } });
const OWN_ID = { _id: { objectId: 9 } } as const;
const SUM = { $group: { _id: '$state', total: { $sum: '$total' } } };
const JOIN = { $lookup: { from: 'orders', localField: 'mail', foreignField: 'mail', as: 'orders' } };
const grouped = (...pipeline: readonly object[]): GivenOperation => ({
  ...finds(),
  kind: 'aggregate',
  command: { pipeline },
});
const counts: GivenOperation = { ...finds(), kind: 'count', command: { query: { mail: 'x' } } };
const found = (given: GivenCluster) =>
  problemsIn(nPlusOneQuery, given).map(({ severity, path }) => `${severity} ${path}`);

describe('n-plus-one-query', () => {
  it.each<[string, GivenCluster, string[]]>([
    ['a find for each of a list', shop(finds(), list(6_000)), ['warning _id']],
    ['by an application without a name', shop(finds({ by: null }), list(6_000, null)), ['warning _id']],
    ['by another field', shop(finds({ filter: { mail: 'x' } }), list(6_000)), ['warning mail']],
    ['half of the listed are remembered', shop(finds(), list(11_000)), ['warning _id']],
    ['a hundred a day', shop(finds({ executions: 700 }), list(700)), ['info _id']],
    ['a sudden burst, and no list', shop(finds({ busiest: 600 })), ['info _id']],
    ['an even load, and no list', shop(finds({ executions: 600_000, busiest: 200 })), []],
    ['a brief record, and no list', shop(finds({ hours: 0.05 })), []],
    ['a burst of the list of another application', shop(finds({ hours: 0.05 }), list(6_000, 'shop')), []],
    ['a list of far more', shop(finds({ hours: 0.05 }), list(60_000)), []],
    ['reads of one document each', shop(finds({ hours: 0.05 }), list(6_000, 'export', 6_000)), []],
    ['pages of 40', shop(finds({ busiest: 40 }), list(6_000)), []],
    ['a list of an hour before', shop(brief, listAt(-1, -0.9)), []],
    ['lists that went on after it', shop(brief, listAt(0, 20)), []],
    ['lists at the same time', shop(brief, listAt(-0.001, 0.05)), ['warning _id']],
    ['a brief record, in which a list came to a quarter more', shop(brief, list(8_000)), []],
    ['a brief record, in which a list came to as many', shop(brief, list(6_300)), ['warning _id']],
    ['a brief record, in which the lists come after the finds', shop(brief, listAt(0.001, 0.05)), []],
    ['hours, in which a list came to a quarter more', shop(finds(), list(8_000)), ['warning _id']],
    ['a list that holds no such number', shopWith({ total: { int: 100 } }, brief, list(6_000)), []],
    ['a list whose field of that name is a text', shopWith({ customer: { string: 100 } }, brief, list(6_000)), []],
    ['a list of which no field is known', shopWith(null, brief, list(6_000)), []],
    ['a list with ids under another name', shopWith({ by: { objectId: 9 } }, byObjectId, list(6_000)), ['warning _id']],
    ['a list with no ids but its own', shopWith({ _id: { objectId: 9 } }, byObjectId, list(6_000)), []],
    ['one for each element of an array', groupOrders(30, finds(), list(200, 'export', 200)), ['warning _id']],
    ['as many as arrays of another length have', groupOrders(3, brief, list(200, 'export', 200)), []],
    [
      'a field that is always the same beside it',
      shop(finds({ filter: { _id: 7, open: true } }), list(6_000)),
      ['warning _id'],
    ],
    [
      'a field that must be there beside it',
      shop(finds({ filter: { _id: 7, at: { $exists: true } } }), list(6_000)),
      ['warning _id'],
    ],
    ['by several fields', shop(finds({ filter: { a: 1, b: 2 } }), list(6_000)), []],
    ['the children of each of a list', shopWith(OWN_ID, byParent('orderId'), list(6_000)), ['warning orderId']],
    ['by an id under a name of something else', shopWith(OWN_ID, byParent('ownerId'), list(6_000)), []],
    ['by several values', shop(finds({ filter: { _id: { $in: [1, 2] } } }), list(6_000)), []],
    ['by a range', shop(finds({ filter: { _id: { $gt: 1 } } }), list(6_000)), []],
    [
      'the newest of each',
      shop(finds({ filter: { mail: 'x' }, further: { sort: { b: -1 } } }), list(6_000)),
      ['warning mail'],
    ],
    ['a count for each', shop(counts, list(6_000)), ['warning mail']],
    ['a group for each', shop(grouped({ $match: { mail: 'x' } }, SUM), list(6_000)), ['warning mail']],
    ['a group for each of two', shop(grouped({ $match: { mail: 'x', a: 1 } }, SUM), list(6_000)), []],
    ['a join for each', shop(grouped({ $match: { mail: 'x' } }, JOIN), list(6_000)), []],
  ])('%s', (_, given, expected) => {
    expect(found(given)).toEqual(expected);
  });

  it('writes one query for many, and a join in the query that lists', () => {
    const given = finds({ further: { projection: { name: 1 } } });
    const [problem] = problemsIn(nPlusOneQuery, shop(given, list(6_000)));
    expect(problem?.message).toContain('Application `export` ran find by `_id` 600 times within ten seconds');
    expect(problem?.message).toContain('read 6,000 documents of shop.orders in 10 lists');
    expect(problem?.remedy.steps.flatMap(({ code }) => code ?? [])).toEqual([
      'db.getSiblingDB("shop").customers.find({ "_id": { $in: [<number>] } }, { name: true })',
      'db.getSiblingDB("shop").orders.aggregate([\n' +
        '  { $match: { status: <string> } },\n' +
        '  { $project: { customer: true } },\n' +
        '  { $limit: <number> },\n' +
        '  { $lookup: { from: "customers", localField: <field>, foreignField: "_id", as: "customers" } }\n' +
        '])',
    ]);
  });

  it.each([
    ['counts', counts],
    ['the newest of each', finds({ filter: { mail: 'x' }, further: { sort: { at: -1 } } })],
  ])('groups %s in one aggregate', (_, given) => {
    const [problem] = problemsIn(nPlusOneQuery, shop(given, list(6_000)));
    expect(problem?.remedy.steps[0]?.code).toBe(
      `db.getSiblingDB("shop").customers.aggregate([\n  { $match: { "mail": { $in: [<string>] } } },\n  { $group: { _id: "$mail", <as before> } }\n])`,
    );
  });

  it.each([
    [
      'a loop',
      'for (const order of orders) {\n  order.of = await db.collection("customers").findOne({ _id: order.customer });\n}',
      1,
    ],
    [
      'a callback',
      'await Promise.all(orders.map((order) => db.collection("customers").findOne({ _id: order.customer })));',
      1,
    ],
    [
      'what a loop runs over',
      'for (const name of await db.collection("customers").findOne({ _id: orders })) use(name);',
      0,
    ],
    ['no loop', 'await db.collection("customers").findOne({ _id: orders });', 0],
  ])('is found in the few executions of a test if its line stands in %s', async (_, line, expected) => {
    const code = await understood({
      'app.js': `import { MongoClient } from 'mongodb';\nconst db = new MongoClient('').db();\nexport async function f(orders) {\n${line}\n}`,
    });
    const test = shop(finds({ executions: 40, busiest: 40, by: null, hours: 0.01 }), list(40, null, 20));
    expect(problemsIn(nPlusOneQuery, test)).toEqual([]);
    expect(problemsIn(nPlusOneQuery, { ...test, code })).toHaveLength(expected);
  });
});
