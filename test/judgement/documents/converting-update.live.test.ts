import { Long, ObjectId, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { lookupTypeMismatch } from '../../../checks/lookup-type-mismatch/check.js';
import { mixedTypes } from '../../../checks/mixed-types/check.js';
import type { AnyCheck } from '../../../src/check.js';
import { recordOperations } from '../../../src/demo/recorded-operations.js';
import type { Finding } from '../../../src/finding.js';
import { freshDatabase, sharedClient } from '../../support/database.js';
import { lintShared } from '../../support/linted-collection.js';

const client = sharedClient();

const PRODUCTS = Array.from({ length: 150 }, () => new ObjectId());
const product = (number: number) => PRODUCTS[number % PRODUCTS.length] as ObjectId;

/** A reference to a product wherever it may lie. */
interface Place {
  readonly path: string;
  readonly order: (reference: (number: number) => unknown, number: number) => Document;
}

const PLACES: readonly Place[] = [
  { path: 'product', order: (reference, number) => ({ product: reference(number) }) },
  { path: 'main.product', order: (reference, number) => ({ main: { product: reference(number), quantity: 1 } }) },
  { path: 'products', order: (reference, number) => ({ products: [reference(number), reference(number + 1)] }) },
  {
    path: 'items.product',
    order: (reference, number) => ({
      items: [
        { product: reference(number), quantity: 1 },
        { gift: true },
        { product: reference(number + 1), quantity: 2 },
      ],
    }),
  },
  {
    path: 'cart.items.product',
    order: (reference, number) => ({
      cart: { items: [{ product: reference(number) }, { product: reference(number + 1) }] },
    }),
  },
];

/** The update that a remedy names: its filter and its stages. */
function updateIn({ remedy: { text } }: Finding): { readonly filter: Document; readonly stages: Document[] } {
  const [, filter, stages] = /\.updateMany\(\s*(\{.*?\}),\s*(\[\{ "\$set".*?\])\s*\)/.exec(text) ?? [];
  if (filter === undefined || stages === undefined) throw new Error(`No update in: ${text}`);
  return { filter: JSON.parse(filter) as Document, stages: JSON.parse(stages) as Document[] };
}

async function findingsIn(name: string, check: AnyCheck): Promise<readonly Finding[]> {
  const { findings, skipped } = await lintShared({ include: [`${name}.*`], checks: [check] });
  expect(skipped).toEqual([]);
  return findings;
}

describe.each(PLACES)('references as text at $path', ({ path, order }) => {
  const database = freshDatabase(client);

  it('are what the update makes of them, and nothing else changes', async () => {
    await database.collection('products').insertMany(PRODUCTS.map((_id) => ({ _id })));
    const orders = database.collection<Document & { _id: number }>('orders');
    const numbers = Array.from({ length: 150 }, (_, number) => number);
    await orders.insertMany(
      numbers.map((number) => ({ _id: number, ...order((each) => product(each).toHexString(), number) })),
    );
    await recordOperations(database, async () => {
      await orders
        .aggregate([
          { $limit: 5 },
          { $lookup: { from: 'products', localField: path, foreignField: '_id', as: 'found' } },
        ])
        .toArray();
    });
    const [finding, ...others] = await findingsIn(database.databaseName, lookupTypeMismatch);
    expect([finding?.path, others]).toEqual([path, []]);
    const { filter, stages } = updateIn(finding as Finding);
    await orders.updateMany(filter, stages);
    expect(await orders.find().sort({ _id: 1 }).toArray()).toEqual(
      numbers.map((number) => ({ _id: number, ...order(product, number) })),
    );
    expect(await findingsIn(database.databaseName, lookupTypeMismatch)).toEqual([]);
  });
});

describe('a few values of another type in an array', () => {
  const database = freshDatabase(client);

  it('are converted, but for those that can not be', async () => {
    const documents = Array.from({ length: 100 }, (_, number) => ({
      items: [{ price: 3 }, { price: number % 40 === 0 ? '12' : number === 7 ? 'free' : Long.fromNumber(4) }],
    }));
    const items = database.collection('items');
    await items.insertMany(documents);
    const [finding] = await findingsIn(database.databaseName, mixedTypes);
    const { filter, stages } = updateIn(finding as Finding);
    await items.updateMany(filter, stages);
    expect(await items.countDocuments({ 'items.price': { $type: 'string' } })).toBe(1);
    expect(await items.countDocuments({ 'items.1.price': 12 })).toBe(3);
    expect(await items.countDocuments({ 'items.0.price': 3 })).toBe(100);
  });
});

describe('values of the other types beside those that are to be converted', () => {
  const database = freshDatabase(client);

  interface Mixture {
    readonly path: string;
    /** One with a value of the type that most have, and one of those few that are to be converted. */
    readonly common: (number: number) => Document;
    readonly stray: (number: number) => Document;
    /** Documents that stay as they are, or of which only the text "12" does not. */
    readonly before: readonly Document[];
    readonly after: readonly Document[];
  }

  const MIXTURES: readonly Mixture[] = [
    {
      path: 'sizes',
      common: (number) => ({ sizes: [number] }),
      stray: () => ({ sizes: ['12'] }),
      before: [{ sizes: ['12', 3.7, true, null] }],
      after: [{ sizes: [12, 3.7, true, null] }],
    },
    {
      path: 'items.size',
      common: (number) => ({ items: [{ size: number }] }),
      stray: () => ({ items: [{ size: '12' }] }),
      before: [{ items: [{ size: '12' }, { size: 3.7 }, { size: true }, {}, null, 'none', [{ size: '12' }]] }],
      after: [{ items: [{ size: 12 }, { size: 3.7 }, { size: true }, {}, null, 'none', [{ size: '12' }]] }],
    },
    {
      path: 'box.size',
      common: (number) => ({ box: { size: number } }),
      stray: () => ({ box: { size: '12' } }),
      before: [{ box: [{ size: '12' }, { size: 4 }] }, { box: { size: '12' } }],
      after: [{ box: [{ size: '12' }, { size: 4 }] }, { box: { size: 12 } }],
    },
  ];

  it.each(MIXTURES)('stay as they are at $path', async ({ path, common, stray, before, after }) => {
    const name = path.replace('.', '_');
    const documents = database.collection<Document & { _id: string }>(name);
    await documents.insertMany(
      Array.from({ length: 100 }, (_, number) => ({
        _id: `given ${number}`,
        ...(number % 40 === 0 ? stray(number) : common(number)),
      })),
    );
    const findings = await findingsIn(database.databaseName, mixedTypes);
    const { filter, stages } = updateIn(findings.find(({ namespace }) => namespace.endsWith(`.${name}`)) as Finding);
    await documents.insertMany(before.map((document, number) => ({ _id: `other ${number}`, ...document })));
    await documents.updateMany(filter, stages);
    expect(await documents.find({ _id: /^other/ }, { projection: { _id: 0 }, sort: { _id: 1 } }).toArray()).toEqual(
      after,
    );
  });
});
