import { describe, expect, it } from 'vitest';
import type { Collection, IndexDescription, Reference, TypeCounts } from '../../src/check.js';
import type { KeptCollection } from '../../src/evidence/source.js';
import { present } from '../../src/presence.js';
import { referringFields } from '../../src/references/referring-fields.js';
import { ID_INDEX, index } from '../support/checks/index-builders.js';

type Given = {
  readonly fields?: Readonly<Record<string, TypeCounts>>;
  readonly elements?: number;
  readonly indexes?: readonly IndexDescription[];
  readonly options?: Partial<Collection>;
};

function collection(
  name: string,
  { fields = {}, elements = 3, indexes = [], options = {} }: Given = {},
): KeptCollection {
  const described = Object.entries({ _id: { objectId: 9 }, ...fields }).map(([path, types]: [string, TypeCounts]) => ({
    path,
    types,
    documents: 9,
    elementsPerArray: types.array === undefined ? null : elements,
    longestString: 12,
  }));
  return {
    collection: { namespace: `shop.${name}`, database: 'shop', name, kind: 'collection', clustered: false, ...options },
    evidence: {
      fieldTypes: present({ documents: 9, complete: false, fields: described }),
      indexes: present([ID_INDEX, ...indexes]),
    },
  };
}

const to = (target: string, changes: Partial<Reference> = {}): Reference => ({
  namespace: 'shop.orders',
  path: 'customer_id',
  isInArray: false,
  target: `shop.${target}`,
  values: 20,
  found: 20,
  conversion: null,
  isRepeated: false,
  ...changes,
});

const ORDERS: Given = { fields: { customer_id: { objectId: 9 }, customer_name: { string: 9 } } };
const CUSTOMERS: Given = { fields: { name: { string: 9 } } };
const shop = (...others: readonly KeptCollection[]) => [
  collection('orders', ORDERS),
  collection('customers', CUSTOMERS),
  ...others,
];
const names = (collections: readonly Collection[]) => collections.map(({ name }) => name);

/** Orders and customers that refer to one another, each customer to so many orders. */
function both(elements: number) {
  const customers = collection('customers', {
    fields: { orders: { array: 9 }, 'orders[]': { objectId: 9 } },
    elements,
  });
  return referringFields(
    [collection('orders', ORDERS), customers],
    [to('customers'), to('orders', { namespace: 'shop.customers', path: 'orders', isInArray: true })],
  );
}

describe('fields whose references are followed', () => {
  it('lead to the collection that holds their values, and may lead to the others of its type', () => {
    const { fields, gaps } = referringFields(
      shop(collection('archive'), collection('logs', { fields: { _id: { date: 9 } } })),
      [to('customers')],
    );
    expect(gaps).toEqual([]);
    expect(fields.map(({ targets, others, isAskedOfAll }) => [names(targets), names(others), isAskedOfAll])).toEqual([
      [['customers'], ['orders', 'archive'], true],
    ]);
    expect(fields[0]?.copies.map(({ path }) => path)).toEqual(['customer_name']);
  });

  it.each<[string, Partial<Reference>, number]>([
    ['most values found', { found: 10 }, 1],
    ['few of them found', { found: 9 }, 0],
    ['too few to tell', { values: 2, found: 2 }, 0],
  ])('%s', (_, reference, expected) => {
    expect(referringFields(shop(), [to('customers', reference)]).fields).toHaveLength(expected);
  });

  it('are held against copies in the one that the name names, even if a backup holds more of its values', () => {
    const [field] = referringFields(shop(collection('backup', CUSTOMERS)), [
      to('backup'),
      to('customers', { found: 19 }),
    ]).fields;
    expect(names(field?.targets ?? [])).toEqual(['customers', 'backup']);
    expect(field?.copies).toHaveLength(1);
  });

  it('have no copies and no other side where nothing tells which collection is the source', () => {
    const [field] = referringFields(shop(collection('backup1', CUSTOMERS), collection('backup2', CUSTOMERS)), [
      to('backup1'),
      to('backup2'),
      to('orders', { namespace: 'shop.backup1', path: 'orders', isInArray: true }),
      to('orders', { namespace: 'shop.backup2', path: 'orders', isInArray: true }),
    ]).fields;
    expect([field?.copies, field?.backReferences]).toEqual([[], []]);
  });

  it.each<[string, readonly IndexDescription[], boolean]>([
    ['no index', [], false],
    ['one', [index({ customer_id: 1, at: 1 })], true],
    ['one that begins with something else', [index({ at: 1, customer_id: 1 })], false],
    ['a hidden one', [index({ customer_id: 1 }, { hidden: true })], false],
    ['a partial one', [index({ customer_id: 1 }, { partialFilterExpression: { open: true } })], false],
  ])('are known to have %s', (_, indexes, expected) => {
    const [field] = referringFields(
      [collection('orders', { ...ORDERS, indexes }), collection('customers', CUSTOMERS)],
      [to('customers')],
    ).fields;
    expect(field?.isIndexed).toBe(expected);
  });

  it('are not compared by a collation of their target, and that is said', () => {
    const collated = collection('customers', { ...CUSTOMERS, options: { collation: { locale: 'en' } } });
    const { fields, gaps } = referringFields([collection('orders', ORDERS), collated], [to('customers')]);
    expect(fields).toEqual([]);
    expect(gaps).toMatchObject([{ reason: 'unsupported', detail: expect.stringContaining('1 field') }]);
  });

  it('are held against the references the other way', () => {
    expect(both(200).fields.map(({ path, backReferences }) => [path, backReferences.map((back) => back.path)])).toEqual(
      [
        ['customer_id', ['orders']],
        ['orders', ['customer_id']],
      ],
    );
    expect(both(200).gaps).toEqual([]);
  });

  it('but for long arrays of them, and that is said', () => {
    expect(both(201).fields.map(({ path, backReferences }) => [path, backReferences.length])).toEqual([
      ['customer_id', 0],
      ['orders', 1],
    ]);
    expect(both(201).gaps).toMatchObject([
      { reason: 'bound', detail: expect.stringContaining('1 array of more than 200 references') },
    ]);
  });
});
