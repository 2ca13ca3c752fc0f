/** What is judged of the source by itself: joins that nobody recorded, and indexes that it declares. */
import { describe, expect, it } from 'vitest';
import { missingDeclaredIndex } from '../../checks/missing-declared-index.js';
import { missingLookupIndex } from '../../checks/missing-lookup-index.js';
import { uncappedWrite } from '../../checks/uncapped-write/check.js';
import { undeclaredIndex } from '../../checks/undeclared-index.js';
import { unindexedQuery } from '../../checks/unindexed-query.js';
import { shardKeyOf } from '../../src/inventory/sharding.js';
import { index } from '../support/checks/index-builders.js';
import {
  aggregate,
  judgeCluster,
  problemIn,
  problemsIn,
  type GivenCollection,
  type GivenOperation,
} from '../support/checks/joined-evidence.js';
import { shardedCollection } from '../support/checks/sharded-evidence.js';
import { understood } from '../support/code/understood.js';

const DRIVER = `import { MongoClient } from 'mongodb';
const db = new MongoClient('').db();
`;
const LOOKUP = { $lookup: { from: 'payments', localField: 'number', foreignField: 'order', as: 'payments' } };
const JOIN = `${DRIVER}db.collection('orders').aggregate([{ $match: { a: 1 } }, ${JSON.stringify(LOOKUP)}]);`;
const orders: GivenCollection = { fields: { _id: { objectId: 100 }, number: { int: 100 } } };
const payments: GivenCollection = { documents: 3_000_000, fields: { order: { int: 100 } } };

const joinsJudged = async (text: string, of: Readonly<Record<string, GivenCollection>> = { orders, payments }) =>
  problemsIn(missingLookupIndex, { collections: of, code: await understood({ 'orders.ts': text }) });

const indexesJudged = async (code: string, given: GivenCollection) =>
  problemsIn(missingDeclaredIndex, {
    collections: { orders: { documents: 500, ...given } },
    code: await understood({ 'orders.ts': DRIVER + code }),
  });

describe('a join of the source that no recording has seen', () => {
  it('is a warning of medium confidence at its line, whatever the size, with the index', async () => {
    const [problem, ...others] = await joinsJudged(JOIN);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      severity: 'warning',
      confidence: 'medium',
      namespace: 'shop.payments',
      path: 'order',
    });
    expect(problem?.message).toBe(
      '`$lookup` at src/orders.ts:3 joins shop.payments by `order`. No index there serves it. Each execution reads all 3,000,000 documents, once per outer document or once into a hash table. No recording has seen this operation, so how often it runs is unknown.',
    );
    expect(problem?.locations).toEqual([{ file: 'src/orders.ts', line: 3, of: 'join', certain: true }]);
    expect(problem?.proposes).toMatchObject([{ namespace: 'shop.payments', key: { order: 1 } }]);
  });

  it('is nothing with the index, and too small to tell below the threshold', async () => {
    expect(await joinsJudged(JOIN, { orders, payments: { ...payments, indexes: [index({ order: 1 })] } })).toEqual([]);
    const code = await understood({ 'orders.ts': JOIN });
    const few = judgeCluster(missingLookupIndex, {
      collections: { orders, payments: { ...payments, documents: 60 } },
      code,
    });
    expect(few).toContainEqual(expect.objectContaining({ namespace: 'shop.payments', notJudged: 'too-small' }));
    expect(few.filter((verdict) => 'severity' in verdict)).toEqual([]);
  });

  it('is left to tests, and to a collection that is not there', async () => {
    const code = await understood({ 'test/a.test.ts': JOIN, 'b.ts': '' });
    expect(problemsIn(missingLookupIndex, { collections: { orders, payments }, code })).toEqual([]);
    expect(await joinsJudged(JOIN, { orders })).toEqual([]);
  });

  it('gives way to what was recorded of the same field', async () => {
    const code = await understood({ 'orders.ts': JOIN });
    const operations = [aggregate([{ $match: { a: 1 } }, LOOKUP])];
    const { message } = problemIn(missingLookupIndex, { collections: { orders, payments }, operations, code });
    expect(message).not.toContain('No recording');
  });

  it('is judged among stages that are not known', async () => {
    const text = `${DRIVER}export const f = (paging) => db.collection('orders').aggregate([${JSON.stringify(LOOKUP)}, ...paging]);`;
    expect(await joinsJudged(text)).toMatchObject([{ namespace: 'shop.payments', path: 'order' }]);
  });
});

describe('a declared index', () => {
  const DECLARED = `db.collection('orders').createIndex({ status: 1, at: -1 });`;

  it('that is missing is a warning at its line, with the command that builds it', async () => {
    expect(await indexesJudged(DECLARED, { indexes: [index({ at: -1 })] })).toMatchObject([
      {
        severity: 'warning',
        path: 'status_1_at_-1',
        pathIs: 'missing-index',
        message: 'src/orders.ts:3 declares the index { status: 1, at: -1 }: shop.orders has no such index.',
        locations: [{ file: 'src/orders.ts', line: 3, of: 'index', certain: true }],
        proposes: [{ namespace: 'shop.orders', key: { status: 1, at: -1 } }],
      },
    ]);
  });

  it('is nothing if it is there, or a longer one begins with it', async () => {
    expect(await indexesJudged(DECLARED, { indexes: [index({ status: 1, at: -1 })] })).toEqual([]);
    expect(await indexesJudged(DECLARED, { indexes: [index({ status: 1, at: -1, total: 1 })] })).toEqual([]);
    expect(await indexesJudged(DECLARED, { indexes: [index({ at: -1, status: 1 })] })).toHaveLength(1);
  });

  it('that is to be unique is missing if the index there is not', async () => {
    const unique = `db.collection('orders').createIndex({ number: 1 }, { unique: true });`;
    expect(await indexesJudged(unique, { indexes: [{ ...index({ number: 1 }), unique: true }] })).toEqual([]);
    const [problem] = await indexesJudged(unique, { indexes: [index({ number: 1 })] });
    expect(problem?.message).toContain('number_1 of shop.orders is not unique');
    expect(problem?.proposes).toBeUndefined();
  });

  it('of a collection that is not there, or whose key is not known, is not judged', async () => {
    expect(await indexesJudged(`db.collection('others').createIndex({ a: 1 });`, {})).toEqual([]);
    expect(await indexesJudged(`export const f = (key) => db.collection('orders').createIndex(key);`, {})).toEqual([]);
  });
});

const queriesJudged = async (code: string, given: GivenCollection = {}, operations: readonly GivenOperation[] = []) =>
  problemsIn(unindexedQuery, {
    collections: { orders: { documents: 500_000, ...given } },
    operations,
    code: await understood({ 'orders.ts': `${DRIVER}const orders = db.collection('orders');\n${code}` }),
  });

describe('a query of the source that no recording has seen', () => {
  const QUERY = `orders.find({ status: x }).sort({ at: -1 }).toArray();`;

  it('is an info at its line, with all that ask for the same', async () => {
    const [problem, ...others] = await queriesJudged(`${QUERY}\n${QUERY}`);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ severity: 'info', confidence: 'medium', path: 'at, status' });
    expect(problem?.message).toBe(
      'src/orders.ts:4 and src/orders.ts:5 search or sort shop.orders by `at` and `status`, and no index there begins with any of them. Each execution may read all 500,000 documents. No recording has seen this operation, so how often it runs is unknown.',
    );
    expect(problem?.locations).toEqual([
      { file: 'src/orders.ts', line: 4, of: 'operation', certain: true },
      { file: 'src/orders.ts', line: 5, of: 'operation', certain: true },
    ]);
  });

  it.each([
    ['an index begins with one of its fields', QUERY, { indexes: [index({ at: 1, total: 1 })] }],
    ['a wildcard index serves any', QUERY, { indexes: [index({ '$**': 1 })] }],
    ['it asks for `_id`', 'orders.findOne({ _id: x, status: 1 });', {}],
    ['it wants all', 'orders.find({}).toArray();', {}],
    ['not all of its fields are known', 'orders.find({ status: 1, ...x }).toArray();', {}],
    ['it is a text search', `orders.find({ $text: { $search: x } }).toArray();`, {}],
    ['it writes', 'orders.updateMany({ status: 1 }, { $set: { a: 1 } });', {}],
  ])('is nothing if %s', async (_, code, given) => {
    expect(await queriesJudged(code, given)).toEqual([]);
  });

  it.each([
    ['new RegExp(x, "i")', 'name', 'no index can be searched by a regular expression that ignores case'],
    ['/smith/i', 'name', 'no index can be searched by a regular expression that ignores case'],
    [`{ $regex: x, $options: 'i' }`, 'name', 'no index can be searched by a regular expression that ignores case'],
    ['/smith/i, city: x', 'city, name', 'no index there begins with `city`'],
  ])('is not served by an index that begins with name: %s', async (condition, path, message) => {
    const [problem] = await queriesJudged(`orders.find({ name: ${condition} }).sort({ name: 1 }).toArray();`, {
      indexes: [index({ name: 1 })],
    });
    expect(problem).toMatchObject({ severity: 'info', path, message: expect.stringContaining(message) as string });
  });

  it.each(['new RegExp(x)', '/^smith/', '/smith/i, total: x', 'new RegExp(x, flags)'])(
    'is left to an index that may be searched: %s',
    async (condition) => {
      const indexes = [index({ name: 1 }), index({ total: 1 })];
      expect(await queriesJudged(`orders.find({ name: ${condition} }).toArray();`, { indexes })).toEqual([]);
    },
  );

  it('is left to what was recorded of it', async () => {
    const command = { filter: { status: 'open' }, sort: { at: -1 } };
    expect(await queriesJudged(QUERY, {}, [{ kind: 'find', on: 'orders', command }])).toEqual([]);
  });

  it('is too small to tell below the threshold', async () => {
    const verdicts = judgeCluster(unindexedQuery, {
      collections: { orders: { documents: 60 } },
      code: await understood({ 'orders.ts': `${DRIVER}db.collection('orders').findOne({ status: 1 });` }),
    });
    expect(verdicts).toMatchObject([{ namespace: 'shop.orders', notJudged: 'too-small' }]);
  });
});

const writesJudged = async (code: string, given: GivenCollection = {}, operations: readonly GivenOperation[] = []) =>
  problemsIn(uncappedWrite, {
    collections: { posts: { documents: 40, fields: { title: { string: 40 } }, ...given } },
    operations,
    code: await understood({ 'posts.ts': `${DRIVER}const posts = db.collection('posts');\n${code}` }),
  });

const update = (u: object): GivenOperation => ({ kind: 'update', on: 'posts', command: { q: { _id: 1 }, u } });

describe('a write of the source without a cap, that no recording has seen', () => {
  const PUSH = `posts.updateOne({ _id: x }, { $push: { comments: { text } } });`;
  const KEY = 'posts.updateOne({ _id: x }, { $set: { [`votes.${user}`]: true } });';
  const line = { file: 'src/posts.ts', line: 4, of: 'push', certain: true };

  it('is an info at its line if too few documents tell', async () => {
    expect(await writesJudged(PUSH)).toMatchObject([
      {
        severity: 'info',
        confidence: 'low',
        path: 'comments',
        message:
          'The source adds to `comments`, and no known write caps or empties it. The data do not show how long it gets. No recording has seen it.',
        locations: [line],
      },
    ]);
    expect(await writesJudged(KEY)).toMatchObject([{ severity: 'info', path: 'votes', locations: [line] }]);
  });

  it('is one if no document of many has it yet, and is left to the data if one has', async () => {
    const [problem] = await writesJudged(PUSH, { documents: 50_000 });
    expect(problem?.message).toContain('The data do not show how long it gets');
    const fields = { comments: { array: 60 }, votes: { object: 60 } };
    expect(await writesJudged(`${PUSH}\n${KEY}`, { documents: 50_000, fields })).toEqual([]);
  });

  it.each([
    ['`$slice` caps it', `posts.updateOne({ _id: x }, { $push: { comments: { $each: [y], $slice: -9 } } });`],
    ['another write empties it', `${PUSH}\nposts.updateOne({ _id: x }, { $set: { comments: [] } });`],
    ['another write removes from it', `${PUSH}\nposts.updateOne({ _id: x }, { $pull: { comments: { id } } });`],
    ['another write caps it', `${PUSH}\n${PUSH.replace('{ text }', '{ $each: [], $slice: -9 }')}`],
    ['the collection is not there', PUSH.replace('posts', `db.collection('others')`)],
    ['the key is a name', `posts.updateOne({ _id: x }, { $set: { 'votes.up': 1 } });`],
  ])('is nothing if %s', async (_, code) => {
    expect(await writesJudged(code)).toEqual([]);
  });

  it('is nothing if the key is a position of an array, or the documents could not be read', async () => {
    expect(await writesJudged(KEY, { fields: { votes: { array: 40 } } })).toEqual([]);
    expect(await writesJudged(PUSH, { fields: null })).toEqual([]);
  });

  it('gives way to what was recorded of the same path', async () => {
    const [problem, ...others] = await writesJudged(PUSH, {}, [update({ $push: { comments: { text: 'Yes' } } })]);
    expect([problem?.message, others.length]).toEqual([expect.stringContaining('no known write caps'), 0]);
    expect(await writesJudged(PUSH, {}, [update({ $pull: { comments: { text: 'Yes' } } })])).toEqual([]);
  });
});

const verdicts = async (code: string, indexes = [index({ status: 1 }), index({ at: -1 }), index({ total: 1 })]) =>
  judgeCluster(undeclaredIndex, {
    collections: { orders: { indexes }, others: { indexes: [index({ a: 1 })] } },
    code: await understood({ 'orders.ts': DRIVER + code }),
  });

describe('an index that the source does not declare', () => {
  const DECLARED = `db.collection('orders').createIndex({ status: 1 });\ndb.collection('orders').createIndex({ at: -1 });\n`;
  it('is an info if it declares most others of the collections that it works on', async () => {
    expect(await verdicts(DECLARED)).toMatchObject([
      {
        severity: 'info',
        namespace: 'shop.orders',
        path: 'total_1',
        message:
          'The source declares total_1 of shop.orders, on { total: 1 }, nowhere, but 2 of the 3 indexes there. A database that it builds lacks this one.',
        locations: [],
      },
    ]);
  });

  it('is at the schema, if there is one', async () => {
    const schema = `import mongoose from 'mongoose';
const schema = new mongoose.Schema({ status: { type: String, index: true }, at: { type: Date, index: -1 } });
schema.index({ at: -1 });
mongoose.model('Order', schema);`;
    const code = await understood({ 'order.ts': schema });
    const collections = { orders: { indexes: [index({ status: 1 }), index({ at: -1 }), index({ total: 1 })] } };
    expect(problemsIn(undeclaredIndex, { collections, code })).toMatchObject([
      { path: 'total_1', locations: [{ file: 'src/order.ts', line: 2, of: 'schema', certain: true }] },
    ]);
  });

  it.each([
    ['all are declared', DECLARED, [index({ status: 1 }), index({ at: -1 })]],
    [
      'a script declares it',
      `${DECLARED}db.collection('orders').createIndex({ total: 1 }, { unique: true });`,
      undefined,
    ],
    ['less than half are declared', `db.collection('orders').createIndex({ status: 1 });`, undefined],
    ['none is declared', `db.collection('orders').find({});`, undefined],
  ])('is nothing if %s', async (_, code, indexes) => {
    expect(await verdicts(code, indexes)).toEqual([]);
  });

  it.each([1, 'hashed'] as const)('is nothing if it is that of the shard key: %s', async (order) => {
    const indexes = [index({ status: 1 }), index({ at: -1 }), index({ total: order })];
    const { sharding } = shardedCollection({ key: shardKeyOf({ total: order }) });
    const code = await understood({ 'orders.ts': DRIVER + DECLARED });
    expect(
      judgeCluster(undeclaredIndex, { collections: { orders: { indexes, options: { sharding } } }, code }),
    ).toEqual([]);
  });

  it('is not judged if more than a tenth of the declarations are known only when they run', async () => {
    const code = `${DECLARED}export const f = (name, key) => db.collection(name).createIndex(key);`;
    expect(await verdicts(code)).toMatchObject([
      {
        notJudged: 'insufficient',
        detail: 'of 3 indexes that the source declares, 1 are known only when it runs.',
      },
    ]);
  });
});
