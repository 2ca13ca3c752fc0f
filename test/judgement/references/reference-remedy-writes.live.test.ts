import { DBRef, ObjectId, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { BackReference, ComparedReference, CopiedField } from '../../../src/check.js';
import type { Remedy } from '../../../src/finding.js';
import { reportedRemedy } from '../../../src/findings/stamp.js';
import { convertingUpdate } from '../../../src/judgement/documents/converting-update.js';
import { danglingRemedy, oneSidedRemedy } from '../../../src/judgement/references/dangling-remedy.js';
import { resyncRemedy } from '../../../src/judgement/references/resync-remedy.js';
import { freshDatabase, sharedClient } from '../../support/database.js';
import { aggregationIn } from '../../support/remedy.js';

const client = sharedClient();
const database = freshDatabase(client);
const NOT_SHARDED = { isSharded: false };
const textOf = (remedy: Remedy) => reportedRemedy(remedy).text;
const [known, further, missing] = [new ObjectId(), new ObjectId(), new ObjectId()];

function referenceTo(target: string, given: Partial<ComparedReference>): ComparedReference {
  return {
    namespace: `${database.databaseName}.orders`,
    path: 'product',
    isInArray: false,
    target: `${database.databaseName}.${target}`,
    furtherTargets: [],
    isSoughtEverywhere: true,
    conversion: null,
    sampled: 0,
    complete: true,
    documents: 0,
    references: 0,
    values: 0,
    dangling: { references: 0, values: 0, documents: 0 },
    copies: [],
    backReferences: [],
    ...given,
  };
}

async function plant(collection: string, documents: readonly Document[]): Promise<void> {
  await database.collection(collection).deleteMany({});
  await database.collection(collection).insertMany(documents.map((document) => ({ ...document })));
}

/** The documents as they are, without those ids that the server gave. */
const stored = async (collection: string) => database.collection(collection).find().sort({ _id: 1 }).toArray();

/** Runs an aggregation that a remedy shows; with a stage ahead of its last one, if given. */
async function runAggregation(remedy: Remedy, position = 0, ahead: Document[] = []): Promise<Document[]> {
  const { collection, pipeline } = aggregationIn(remedy, position);
  return database
    .collection(collection)
    .aggregate([...pipeline.slice(0, -1), ...ahead, ...pipeline.slice(-1)])
    .toArray();
}

/** Of the remedy of references to nothing: what clears them. */
const CLEARING = 1;

async function clear(remedy: Remedy): Promise<void> {
  await runAggregation(remedy, CLEARING);
}

describe('clearing references to nothing', () => {
  const others: readonly (readonly [string, Document])[] = [
    ['a product that is there', { product: known }],
    ['one that is in a further collection, stored as text', { product: further.toHexString() }],
    ['one that is there, stored as text', { product: known.toHexString() }],
    ['an empty array', { product: [] }],
    ['an array of products that are not there', { product: [missing] }],
    ['an embedded product', { product: { name: 'lamp', price: 5 } }],
    ['null', { product: null }],
    ['nothing', {}],
    ['an empty text', { product: '' }],
    ['the ObjectId that stands for none', { product: new ObjectId('0'.repeat(24)) }],
    ['a flag', { product: false }],
    ['a date', { product: new Date(0) }],
  ];

  it.each([null, 'string to objectId'] as const)(
    'takes away nothing else, by a conversion of %s',
    async (conversion) => {
      await plant('products', [{ _id: known }]);
      await plant('archive', [{ _id: further }]);
      const dangling = [
        { _id: { of: 'a', number: 1 }, product: missing, note: 'stays' },
        { _id: 'b', product: missing.toHexString() },
      ];
      await plant('orders', [...others.map(([_id, rest]) => ({ _id, ...rest })), ...dangling]);
      const before = await stored('orders');
      const remedy = danglingRemedy(
        referenceTo('products', { conversion, furtherTargets: [`${database.databaseName}.archive`] }),
        NOT_SHARDED,
      );
      expect((await runAggregation(remedy)).map(({ _id }) => _id)).toEqual(
        expect.arrayContaining(dangling.map(({ _id }) => _id)),
      );
      for (let time = 1; time <= 2; time += 1) {
        await clear(remedy);
        const expected = before.map(({ product, ...rest }) =>
          dangling.some(({ _id }) => JSON.stringify(_id) === JSON.stringify(rest['_id'])) || product === undefined
            ? rest
            : { ...rest, product },
        );
        expect(await stored('orders')).toEqual(expected);
      }
      expect(textOf(remedy)).toContain('List the dangling references, and keep the list.');
      expect(textOf(remedy)).toContain('Only your list then still has the old values.');
    },
  );

  it('leaves arrays on the way, and parts of other documents', async () => {
    const given = [
      { _id: 1, item: [{ id: missing, quantity: 1 }, { quantity: 2 }] },
      { _id: 2, item: [] },
      { _id: 3, item: 'lamp' },
    ];
    await plant('orders', [...given, { _id: 4, item: { id: missing, quantity: 3 } }]);
    await clear(danglingRemedy(referenceTo('products', { path: 'item.id' }), NOT_SHARDED));
    expect(await stored('orders')).toEqual([...given, { _id: 4, item: { quantity: 3 } }]);
  });

  it('takes away a DBRef as a whole, and lists those in arrays', async () => {
    await plant('products', [{ _id: known }]);
    await plant('orders', [
      { _id: 1, product: new DBRef('products', known) },
      { _id: 2, product: new DBRef('products', missing) },
      { _id: 3, product: 'lamp' },
    ]);
    const before = await stored('orders');
    await clear(danglingRemedy(referenceTo('products', { path: 'product.$id' }), NOT_SHARDED));
    expect(await stored('orders')).toEqual([before[0], { _id: 2 }, before[2]]);
    await plant('orders', [{ _id: 1, products: [new DBRef('products', known), new DBRef('products', missing)] }]);
    expect(
      await runAggregation(
        danglingRemedy(referenceTo('products', { path: 'products[].$id', isInArray: true }), NOT_SHARDED),
      ),
    ).toHaveLength(1);
  });
});

const back = (given: Partial<BackReference>): BackReference => ({
  path: 'orders',
  isInArray: true,
  followed: 0,
  compared: 0,
  oneSided: 0,
  ...given,
});

describe('adding the missing side', () => {
  it('appends to arrays, which stay in order, and leaves what is no array', async () => {
    await plant('products', [
      { _id: 1, orders: [9, 2, 9] },
      { _id: 2, orders: 'many' },
      { _id: 3, orders: null },
      { _id: 4 },
    ]);
    await plant(
      'orders',
      [2, 3]
        .map((_id) => ({ _id, product: 1 }))
        .concat([
          { _id: 5, product: 2 },
          { _id: 6, product: 3 },
          { _id: 7, product: 4 },
        ]),
    );
    await runAggregation(oneSidedRemedy(referenceTo('products', {}), back({}), NOT_SHARDED));
    expect(await stored('products')).toEqual([
      { _id: 1, orders: [9, 2, 9, 3] },
      { _id: 2, orders: 'many' },
      { _id: 3, orders: [6] },
      { _id: 4, orders: [7] },
    ]);
  });

  it('sets a field where one document refers to it, and replaces nothing', async () => {
    const left = [
      { _id: 1, sold: 'yes' },
      { _id: 2, sold: [] },
      { _id: 3, sold: { order: 99, at: 'noon' } },
      { _id: 4 },
    ];
    await plant('products', [...left, { _id: 5, sold: { at: 'night' } }]);
    await plant(
      'orders',
      [1, 2, 3, 4, 4, 5].map((product, _id) => ({ _id, product })).concat([{ _id: 9, product: [4, 5] as never }]),
    );
    await runAggregation(
      oneSidedRemedy(referenceTo('products', {}), back({ path: 'sold.order', isInArray: false }), NOT_SHARDED),
    );
    expect(await stored('products')).toEqual([...left, { _id: 5, sold: { at: 'night', order: 5 } }]);
  });
});

describe('a DBRef, of which no expression names a part', () => {
  const path = 'product.$id';

  it('is written by people', () => {
    const sides = oneSidedRemedy(
      referenceTo('products', { path }),
      { path: 'order.$id', isInArray: false, followed: 0, compared: 0, oneSided: 0 },
      NOT_SHARDED,
    );
    expect(textOf(sides)).toMatch(/^Read both sides of .* in the application/);
    expect(textOf(danglingRemedy(referenceTo('products', { path: 'product.$id.part' }), NOT_SHARDED))).toContain(
      'clear it with an update',
    );
    expect(convertingUpdate('shop.orders', path, 'string', 'objectId')).toBeNull();
  });
});

const copy: CopiedField = {
  path: 'customer.name',
  sourcePath: 'name.full',
  family: 'string',
  isBesideId: true,
  compared: 0,
  differing: 0,
  agreementByChance: 0,
  valuesAgreed: 0,
  valuesPerSource: 1,
  history: { updated: 1, untouched: 0 },
};

describe('setting copies anew', () => {
  it('changes no array, no embedded document and no number, on either side', async () => {
    await plant('customers', [
      { _id: 1, name: { full: 'Ann' } },
      { _id: 2, name: [{ full: 'Bo' }, { full: 'Bob' }] },
      { _id: 3, name: { full: { first: 'Cy' } } },
      { _id: 4, name: { full: ['Di'] } },
    ]);
    const left = [
      {
        _id: 1,
        customer: [
          { _id: 1, name: 'A' },
          { _id: 3, name: 'C' },
        ],
      },
      { _id: 2, customer: { _id: [1, 3], name: 'A' } },
      { _id: 3, customer: { _id: 1, name: ['A', 'Ann'] } },
      { _id: 4, customer: { _id: 1, name: { first: 'Ann' } } },
      { _id: 5, customer: { _id: 1, name: 7 } },
      { _id: 6, customer: { _id: 1, name: null } },
      { _id: 7, customer: { _id: 1 } },
      { _id: 8, customer: { _id: 2, name: 'B' } },
      { _id: 9, customer: { _id: 3, name: 'C' } },
      { _id: 10, customer: { _id: 4, name: 'D' } },
      { _id: 11, customer: { _id: 5, name: 'E' } },
    ];
    await plant('orders', [...left, { _id: 12, customer: { _id: 1, name: 'A', city: 'Aachen' } }]);
    const { commands = [], text } = reportedRemedy(
      resyncRemedy(referenceTo('customers', { path: 'customer._id' }), copy, { isKeptUp: true, isSharded: false }),
    );
    for (let time = 1; time <= 2; time += 1) {
      for (const { db, command } of commands) await client.db(db).command(command);
      expect(await stored('orders')).toEqual([...left, { _id: 12, customer: { _id: 1, name: 'Ann', city: 'Aachen' } }]);
    }
    expect(
      reportedRemedy(
        resyncRemedy(
          referenceTo('customers', { path: 'customer.$id' }),
          { ...copy, path: 'customer.$name' },
          { isKeptUp: true, isSharded: false },
        ),
      ).commands,
    ).toBeUndefined();
    expect(commands).toHaveLength(1);
    expect(text).toContain('What a copy held before is then gone.');
  });

  it('takes no document whose _id is null for the source of what can not be converted', async () => {
    await plant('customers', [{ _id: null, name: { full: 'Nobody' } }]);
    await plant('orders', [{ _id: 1, customer: { _id: 'none', name: 'Ann' } }]);
    const { commands = [] } = reportedRemedy(
      resyncRemedy(referenceTo('customers', { path: 'customer._id', conversion: 'string to number' }), copy, {
        isKeptUp: true,
        isSharded: false,
      }),
    );
    for (const { db, command } of commands) await client.db(db).command(command);
    expect(await stored('orders')).toEqual([{ _id: 1, customer: { _id: 'none', name: 'Ann' } }]);
  });
});

describe('what somebody else writes between the look-up and the write', () => {
  it('stays', async () => {
    await plant('customers', [{ _id: 1, name: { full: 'Ann' } }]);
    const meanwhile = [{ _id: 1, customer: { _id: 1, name: 'Anna' }, product: known }];
    await plant('orders', meanwhile);
    const { commands = [] } = reportedRemedy(
      resyncRemedy(referenceTo('customers', { path: 'customer._id' }), copy, { isKeptUp: true, isSharded: false }),
    );
    const [set = []] = commands.map(({ command }) => command['pipeline'] as unknown as Document[]);
    // As if other values had been read than are stored when the last stage writes.
    await database
      .collection('orders')
      .aggregate([...set.slice(0, -1), { $set: { copy: 'A' } }, ...set.slice(-1)])
      .toArray();
    await plant('products', [{ _id: further }]);
    await runAggregation(danglingRemedy(referenceTo('products', {}), NOT_SHARDED), CLEARING, [
      { $set: { product: missing } },
    ]);
    expect(await stored('orders')).toEqual(meanwhile);
  });
});
