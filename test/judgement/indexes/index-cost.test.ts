import { describe, expect, it } from 'vitest';
import type { FieldType } from '../../../src/check.js';
import type { IndexCost } from '../../../src/inventory/index-proposal.js';
import type { StorageStatistics } from '../../../src/inventory/storage.js';
import { indexCost } from '../../../src/judgement/indexes/index-cost.js';
import { indexWrites } from '../../../src/judgement/indexes/index-writes.js';
import { absent, present, type Evidence } from '../../../src/presence.js';
import { joinedCluster, type GivenOperation } from '../../support/checks/joined-evidence.js';

const DOCUMENTS = 1_000_000;

function storage(further: Partial<StorageStatistics> = {}): Evidence<StorageStatistics> {
  return present({
    count: DOCUMENTS,
    size: null,
    averageDocumentSize: null,
    storageSize: null,
    totalIndexSize: null,
    indexSizes: { customer_1: 8_000_000 },
    orphans: 0,
    shards: 0,
    ...further,
  });
}

function field(path: string, types: FieldType['types'], further: Partial<FieldType> = {}): FieldType {
  return { path, types, documents: 100, elementsPerArray: null, longestString: null, averageString: null, ...further };
}

const FIELDS = [
  field('customer', { objectId: 100 }),
  field('state', { string: 100 }, { averageString: 8, longestString: 12 }),
  field('digest', { string: 100 }, { averageString: 40, longestString: 40 }),
  field('shape', { object: 100 }),
  field('tags', { array: 80 }, { documents: 80, elementsPerArray: 5 }),
  field('tags[]', { string: 400 }, { documents: 80, averageString: 6, longestString: 9 }),
  field('old', { string: 100 }, { longestString: 9 }),
];

function cost(
  key: Readonly<Record<string, 1 | -1>>,
  {
    supersedes = [],
    clustered = false,
    of = storage(),
    collation,
  }: {
    supersedes?: readonly string[];
    clustered?: boolean;
    of?: Evidence<StorageStatistics>;
    collation?: { locale: string };
  } = {},
): IndexCost | null {
  const fieldTypes = present({ documents: 100, complete: false, fields: FIELDS.map(withoutOld) });
  return indexCost(
    { key, ...(collation !== undefined && { collation }) },
    { storage: of, fieldTypes, collection: { clustered } },
    supersedes,
  );
}

/** As evidence of an older version has it. */
function withoutOld({ averageString, ...type }: FieldType): FieldType {
  return type.path === 'old' || averageString === undefined ? type : { ...type, averageString };
}

const sizeOf = (one: IndexCost | null) => one?.size?.estimate ?? null;

describe('what an index costs', () => {
  it('is an entry for each document, and its size within bounds', () => {
    const own = cost({ customer: 1 }) as IndexCost;
    expect(own).toMatchObject({ entries: DOCUMENTS, areEntriesEstimated: false });
    const { estimate, least, most } = own.size as NonNullable<IndexCost['size']>;
    expect(least).toBeLessThan(estimate);
    expect(estimate).toBeLessThan(most);
  });

  it('is an entry for each element, and for each document without any', () => {
    expect(cost({ customer: 1, tags: 1 })).toMatchObject({ entries: 4_200_000, areEntriesEstimated: true });
  });

  it('is more for random texts, and for further fields', () => {
    expect(sizeOf(cost({ digest: 1 }))).toBeGreaterThan(3 * (sizeOf(cost({ state: 1 })) as number));
    expect(sizeOf(cost({ customer: 1, state: 1 }))).toBeGreaterThan(sizeOf(cost({ customer: 1 })) as number);
  });

  it('adds up what it makes superfluous, if that is known', () => {
    expect(cost({ customer: 1, state: 1 }, { supersedes: ['customer_1'] })?.supersededBytes).toBe(8_000_000);
    expect(cost({ customer: 1, state: 1 }, { supersedes: ['other_1'] })?.supersededBytes).toBe(null);
    const without = storage({ indexSizes: null });
    expect(cost({ customer: 1, state: 1 }, { supersedes: ['customer_1'], of: without })?.supersededBytes).toBe(null);
  });

  it.each<[string, () => IndexCost | null]>([
    ['objects are keys', () => cost({ shape: 1 })],
    ['the length of strings is not known', () => cost({ old: 1 })],
    ['strings are compared by a collation', () => cost({ state: 1 }, { collation: { locale: 'de' } })],
    ['entries hold the _id of a clustered collection', () => cost({ customer: 1 }, { clustered: true })],
  ])('has no size if %s', (_, of) => {
    expect(of()).toMatchObject({ entries: DOCUMENTS, size: null });
  });

  it.each<[string, () => IndexCost | null]>([
    ['the documents are not counted', () => cost({ customer: 1 }, { of: storage({ count: null }) })],
    ['their number could not be read', () => cost({ customer: 1 }, { of: absent('privilege', 'not authorized.') })],
    ['the sample does not contain a field', () => cost({ customer: 1, unseen: 1 })],
  ])('is unknown if %s', (_, of) => {
    expect(of()).toBe(null);
  });
});

describe('the writes that an index adds to', () => {
  const index = [{ namespace: 'shop.orders', key: { customer: 1, 'items.sku': 1 } }] as const;
  const figures = { documentsWritten: 40, executions: 40 };
  const update = (change: object): GivenOperation => ({
    kind: 'update',
    command: { q: { _id: 1 }, u: change },
    figures,
  });
  const writes = (operations: readonly GivenOperation[], further: object = {}) =>
    indexWrites(index, joinedCluster({ collections: { orders: {} }, operations, ...further }).workload);

  it.each<[string, GivenOperation, number]>([
    ['an insert', { kind: 'insert', command: {}, figures }, 40],
    ['a delete', { kind: 'delete', command: { q: { _id: 1 } }, figures }, 40],
    ['an update of one of its fields', update({ $set: { customer: 2 } }), 40],
    ['an update within one', update({ $set: { 'items.0.sku': 'a' } }), 40],
    ['an update around one', update({ $push: { items: { sku: 'a' } } }), 40],
    ['a replacement', update({ customer: 2 }), 40],
    ['an update of another field', update({ $inc: { visits: 1 } }), 0],
    ['an update of a field that begins alike', update({ $set: { customers: 1 } }), 0],
    ['a read', { command: { filter: { customer: 1 } }, figures }, 0],
  ])('count %s', (_, operation, documents) => {
    expect(writes([operation])).toEqual({ documents, window: 'profiler, 2 days', perDay: documents / 2 });
  });

  it('are none of another collection', () => {
    expect(writes([{ kind: 'insert', on: 'customers', command: {}, figures }])?.documents).toBe(0);
  });

  it('are not told per day if they were recorded for less than an hour', () => {
    expect(writes([update({ $set: { customer: 2 } })], { days: 0.01 })).toMatchObject({ documents: 40, perDay: null });
  });

  it.each<[string, readonly GivenOperation[], object]>([
    ['only slow operations were recorded', [], { coverage: { operations: 'slow', slowMilliseconds: 100 } }],
    ['only a part was recorded', [], { coverage: { operations: 'part' } }],
    [
      'an aggregate writes to the collection',
      [{ on: 'carts', kind: 'aggregate', command: { pipeline: [{ $merge: { into: 'orders' } }] }, figures }],
      {},
    ],
    [
      'the source does not report how many were written',
      [{ kind: 'insert', command: {}, figures: { executions: 3, documentsWritten: null } }],
      {},
    ],
  ])('are unknown if %s', (_, operations, further) => {
    expect(writes([update({ $set: { customer: 2 } }), ...operations], further)).toBe(null);
  });
});
