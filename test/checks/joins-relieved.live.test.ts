/** What is advised instead of joins, done by hand on a real server: the same results, and fewer documents examined. */
import { type Db, type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { heavyLookup } from '../../checks/heavy-lookup.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import type { Finding } from '../../src/finding.js';
import { lint } from '../../src/lint/lint.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

/** Fewer would be too small to tell. */
const DOCUMENTS = 1_200;
const CUSTOMERS = 60;
const PRODUCTS = 30;
const PAGE = 20;
const PAGES = 25;
/** Of each document: of a tree, and of one to few. */
const CHILDREN = 3;
/** Of the tree: the server does not count what a `$graphLookup` examines, so that it takes many to be told. */
const READS = 600;

interface Numbered extends Document {
  readonly _id: number;
}

type Read = (database: Db, page: number) => Promise<Document[]>;

interface Relief {
  readonly what: string;
  /** The collection that joins. */
  readonly on: string;
  readonly advice: RegExp;
  readonly joined: Read;
  readonly prepare: (database: Db) => Promise<unknown>;
  readonly plain: Read;
}

const pageOf = (page: number): Document => ({ _id: { $gte: page * PAGE, $lt: (page + 1) * PAGE } });
const join = (from: string, localField: string, foreignField: string): Document => ({
  $lookup: { from, localField, foreignField, as: from, pipeline: [{ $sort: { _id: 1 } }] },
});
const aggregated = (database: Db, on: string, ...stages: Document[]) =>
  database.collection(on).aggregate(stages).toArray();
const foundOn = (database: Db, on: string, filter: Document) =>
  database.collection(on).find(filter).sort({ _id: 1 }).toArray();
const stored = (database: Db, on: string, ...stages: Document[]) =>
  aggregated(database, on, ...stages, { $merge: { into: on, whenNotMatched: 'discard' } });
const customerOf: Document = { $set: { customers: { $first: '$customers' } } };

const RELIEFS: readonly Relief[] = [
  {
    what: 'a reference, by copies of the fields that are read',
    on: 'orders',
    advice: /^Copy into \S+orders the few fields of \S+customers that are read/,
    joined: (database, page) =>
      aggregated(
        database,
        'orders',
        { $match: pageOf(page) },
        { $sort: { _id: 1 } },
        join('customers', 'customer', '_id'),
        customerOf,
        { $project: { customer: true, customerName: '$customers.name' } },
      ),
    prepare: (database) =>
      stored(database, 'orders', join('customers', 'customer', '_id'), customerOf, {
        $project: { customerName: '$customers.name' },
      }),
    plain: (database, page) => foundOn(database, 'orders', pageOf(page)),
  },
  {
    what: 'a few children, by embedding them',
    on: 'carts',
    advice: /^Embed \S+lines into \S+carts: each document has 3 of them/,
    joined: (database, page) =>
      aggregated(database, 'carts', { $match: pageOf(page) }, { $sort: { _id: 1 } }, join('lines', '_id', 'cart')),
    prepare: (database) => stored(database, 'carts', join('lines', '_id', 'cart')),
    plain: (database, page) => foundOn(database, 'carts', pageOf(page)),
  },
  {
    what: 'a few references, by copies of what they refer to',
    on: 'bundles',
    advice: /^Copy into \S+bundles the few fields of \S+products that are read/,
    joined: (database, page) =>
      aggregated(
        database,
        'bundles',
        { $match: pageOf(page) },
        { $sort: { _id: 1 } },
        join('products', 'parts', '_id'),
        { $project: { parts: '$products' } },
      ),
    prepare: (database) =>
      stored(database, 'bundles', join('products', 'parts', '_id'), { $project: { parts: '$products' } }),
    plain: (database, page) => foundOn(database, 'bundles', pageOf(page)),
  },
  {
    what: 'a filter by what is joined, by starting from there',
    on: 'visits',
    advice: /^Filter first: start the pipeline from \S+customers/,
    joined: (database, page) =>
      aggregated(
        database,
        'visits',
        join('customers', 'customer', '_id'),
        { $unwind: '$customers' },
        { $match: { 'customers.city': page } },
        { $unset: 'customers' },
        { $sort: { _id: 1 } },
      ),
    prepare: (database) => database.collection('visits').createIndex({ customer: 1 }),
    plain: (database, page) =>
      aggregated(
        database,
        'customers',
        { $match: { city: page } },
        join('visits', '_id', 'customer'),
        { $unwind: '$visits' },
        { $replaceRoot: { newRoot: '$visits' } },
        { $sort: { _id: 1 } },
      ),
  },
  {
    what: 'three joins, by their result stored',
    on: 'parcels',
    advice: /^Consider materialising the result of the pipeline that makes 3 joins/,
    joined: (database, page) =>
      aggregated(database, 'parcels', { $match: pageOf(page) }, { $sort: { _id: 1 } }, ...ofParcel()),
    prepare: (database) => aggregated(database, 'parcels', ...ofParcel(), { $merge: 'parcels_joined' }),
    plain: (database, page) => foundOn(database, 'parcels_joined', pageOf(page)),
  },
];

function ofParcel(): Document[] {
  return [join('customers', 'customer', '_id'), join('products', 'product', '_id'), join('lines', '_id', 'cart')];
}

const client = sharedClient();

describe('joins on a real server', () => {
  const database = freshDatabase(client);
  const before = new Map<string, { results: Document[][]; examined: number }>();
  let findings: readonly Finding[];

  const plant = (name: string, count: number, of: (number: number) => Document) =>
    database
      .collection<Numbered>(name)
      .insertMany(Array.from({ length: count }, (_, number): Numbered => ({ _id: number, ...of(number) })));

  /** What is read by all pages, and how many documents the server examined for that. */
  async function recorded(read: Read): Promise<{ results: Document[][]; examined: number }> {
    const results: Document[][] = [];
    const since = new Date();
    for (let page = 0; page < PAGES; page += 1) results.push(await read(database, page));
    const entries = await database
      .collection('system.profile')
      .find({ ts: { $gte: since }, op: { $in: ['command', 'query'] }, ns: { $not: /system\.profile/ } })
      .toArray();
    const examined = entries.reduce((sum, { docsExamined = 0 }) => sum + (docsExamined as number), 0);
    return { results, examined };
  }

  beforeAll(async () => {
    const customer = (number: number) => ({ customer: number % CUSTOMERS });
    await plant('customers', CUSTOMERS, (number) => ({ name: `customer ${number}`, city: number % PAGES }));
    await plant('products', PRODUCTS, (number) => ({ price: number }));
    await plant('lines', CHILDREN * DOCUMENTS, (number) => ({ cart: number % DOCUMENTS }));
    await database.collection('lines').createIndex({ cart: 1 });
    await plant('orders', DOCUMENTS, customer);
    await plant('carts', DOCUMENTS, () => ({}));
    await plant('bundles', DOCUMENTS, (number) => ({ parts: [number % PRODUCTS, (number + 7) % PRODUCTS] }));
    await plant('visits', DOCUMENTS, customer);
    await plant('parcels', DOCUMENTS, (number) => ({ ...customer(number), product: number % PRODUCTS }));
    await recordOperations(database, async () => {
      for (const { on, joined } of RELIEFS) before.set(on, await recorded(joined));
    });
    ({ findings } = await lintShared({ include: [database.databaseName], checks: [heavyLookup] }));
  });

  it.each(RELIEFS)('$what', async ({ on, advice, prepare, plain }) => {
    const finding = findings.find(({ namespace }) => namespace === `${database.databaseName}.${on}`);
    expect(finding?.remedy.steps.map(({ text }) => text)).toContainEqual(expect.stringMatching(advice));
    await prepare(database);
    await recordOperations(database, async () => {
      const after = await recorded(plain);
      expect(after.results).toEqual(before.get(on)?.results);
      expect(after.examined).toBeLessThan((before.get(on)?.examined ?? 0) / 1.5);
    });
  });
});

describe('a tree on a real server', () => {
  const database = freshDatabase(client);
  const categories = database.collection<Numbered>('categories');

  it('is read by the ancestors that each document has', async () => {
    await categories.insertMany(
      Array.from({ length: DOCUMENTS }, (_, number) => ({
        _id: number,
        parent: number === 0 ? null : parentOf(number),
      })),
    );
    await categories.createIndex({ parent: 1 });
    const from = {
      from: 'categories',
      startWith: '$_id',
      connectFromField: '_id',
      connectToField: 'parent',
      as: 'all',
    };
    const below: number[][] = [];
    await recordOperations(database, async () => {
      for (let read = 0; read < READS; read += 1) {
        const number = 1 + (read % PAGES);
        const [found = {}] = await categories
          .aggregate([{ $match: { _id: number } }, { $graphLookup: from }])
          .toArray();
        below[number - 1] = (found['all'] as Numbered[]).map(({ _id }) => _id);
      }
    });
    const options = { uri: sharedReplicaSetUri(), include: [database.databaseName], checks: [heavyLookup] };
    const { findings } = await lint(options);
    expect(findings[0]?.remedy.text).toContain('Store the `_id`s of all ancestors in each document');
    await categories.bulkWrite(
      Array.from({ length: DOCUMENTS - 1 }, (_, before) => {
        const update = { $set: { ancestors: ancestorsOf(before + 1) } };
        return { updateOne: { filter: { _id: before + 1 }, update } };
      }),
    );
    await categories.createIndex({ ancestors: 1 });
    for (const [position, expected] of below.entries()) {
      const found = await categories.find({ ancestors: position + 1 }).toArray();
      expect(found.map(({ _id }) => _id).toSorted(byNumber)).toEqual(expected.toSorted(byNumber));
      const { executionStats } = await categories.find({ ancestors: position + 1 }).explain('executionStats');
      expect(executionStats.totalDocsExamined).toBe(expected.length);
    }
  });
});

function parentOf(number: number): number {
  return Math.floor((number - 1) / CHILDREN);
}

function ancestorsOf(number: number): number[] {
  return number === 0 ? [] : [parentOf(number), ...ancestorsOf(parentOf(number))];
}

function byNumber(one: number, other: number): number {
  return one - other;
}
