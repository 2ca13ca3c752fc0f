/** What is a difference of a collection's options, fields and sizes, and what was not compared. */
import { describe, expect, it } from 'vitest';
import type { Collection } from '../../src/inventory/collection.js';
import { absent, present } from '../../src/presence.js';
import { shardedCollection } from '../support/checks/sharded-evidence.js';
import { profileOf } from '../support/documents/profiles.js';
import { comparedCollection, drift, driftOf, type ComparedCollectionSpec } from '../support/drift.js';

const documents = (count: number, of: (index: number) => object) =>
  Array.from({ length: count }, (_, index) => ({ _id: index, ...of(index) }));
const only = (namespace: string) => comparedCollection(namespace);
const sharded = (changes: object) => comparedCollection('shop.orders', { collection: shardedCollection(changes) });
const sizes = ([count, averageDocumentSize]: [number, number]) => ({ sizes: { count, averageDocumentSize } });
const fields = (before: ComparedCollectionSpec, after: ComparedCollectionSpec) =>
  driftOf(before, after).differences.map(({ name, in: side, changes }) => [
    name,
    side,
    ...changes.map(({ what }) => what),
  ]);

describe('drift of collections', () => {
  it.each<[string, Partial<Collection>, Partial<Collection>, subject: string, changes: unknown]>([
    [
      'type',
      {},
      { kind: 'view', viewOn: 'a', pipeline: [] },
      'options',
      [{ what: 'type', old: 'collection', new: 'view' }],
    ],
    [
      'capped',
      {},
      { capped: { sizeBytes: 4096 } },
      'options',
      [{ what: 'capped', old: null, new: '{ "sizeBytes": 4096 }' }],
    ],
    [
      'expiry',
      { expireAfterSeconds: 60 },
      { expireAfterSeconds: 90 },
      'options',
      [{ what: 'expireAfterSeconds', old: '60', new: '90' }],
    ],
    [
      'collation',
      {},
      { collation: { locale: 'de' } },
      'options',
      [{ what: 'collation', old: null, new: '{ "locale": "de" }' }],
    ],
    [
      'images',
      {},
      { preAndPostImages: true },
      'options',
      [{ what: 'changeStreamPreAndPostImages', old: null, new: 'true' }],
    ],
    [
      'validator',
      {},
      { validator: { $jsonSchema: { required: ['a'] } } },
      'validator',
      [{ what: 'validator', old: null, new: '{ "$jsonSchema": { "required": ["a"] } }' }],
    ],
    [
      'validator in one place',
      { validator: { $jsonSchema: { required: ['a'], properties: { a: { bsonType: 'int' } } } } },
      { validator: { $jsonSchema: { required: ['a'], properties: { a: { bsonType: ['int', 'null'] } } } } },
      'validator',
      [{ what: '$jsonSchema.properties.a.bsonType', old: 'int', new: '["int", "null"]' }],
    ],
    [
      'validation',
      { validator: { a: { $exists: true } } },
      { validator: { a: { $exists: true } }, validation: { level: 'moderate', action: 'warn' } },
      'validator',
      [
        { what: 'validationLevel', old: 'strict', new: 'moderate' },
        { what: 'validationAction', old: 'error', new: 'warn' },
      ],
    ],
    [
      'view',
      { kind: 'view', viewOn: 'a', pipeline: [{ $match: { a: '?number' } }] },
      { kind: 'view', viewOn: 'b', pipeline: [{ $match: { b: '?number' } }] },
      'view',
      [
        { what: 'viewOn', old: 'a', new: 'b' },
        { what: 'pipeline', old: '[{ "$match": { "a": "?number" } }]', new: '[{ "$match": { "b": "?number" } }]' },
      ],
    ],
  ])('tells another %s', (_, before, after, subject, changes) => {
    const { differences } = driftOf({ collection: before }, { collection: after });
    expect(differences).toMatchObject([{ subject, namespace: 'shop.orders', in: 'both', declared: true, changes }]);
  });

  it('names the side that alone has a collection', () => {
    const { differences, compared } = drift(
      { collections: [only('a.x'), only('a.y')] },
      { collections: [only('a.y'), only('a.z')] },
    );
    expect(compared).toBe(1);
    expect(differences.map(({ namespace, message }) => [namespace, message])).toEqual([
      ['a.x', 'Collection is only in old.jsonl.'],
      ['a.z', 'Collection is only in new.jsonl.'],
    ]);
  });

  it('compares collections in whatever order they come', () => {
    const names = ['a.a', 'a.b', 'b.a', 'b.b'];
    const result = drift({ collections: names.map(only) }, { collections: names.toReversed().map(only) });
    expect(result).toMatchObject({ compared: 4, differences: [], notCompared: [] });
  });

  it('does not take for missing what a side was not asked for, or could not list', () => {
    const lacking = { collections: [only('a.y')] };
    const both = { collections: [only('a.x'), only('a.y')] };
    const notAsked = drift({ ...lacking, run: { globs: [{ include: ['a.y'], exclude: [] }] } }, both);
    expect(notAsked.differences).toEqual([]);
    expect(notAsked.notCompared).toMatchObject([{ namespace: 'a.x', side: 'old', reason: 'not-asked' }]);
    const unlisted = [{ database: 'a', absent: absent('privilege', 'listing a: grant listCollections.') }];
    const unread = drift(both, { ...lacking, run: { inventory: { unlisted } } });
    expect(unread.differences).toEqual([]);
    expect(unread.notCompared).toMatchObject([
      { namespace: 'a.x', side: 'new', reason: 'privilege', detail: 'new.jsonl: listing a: grant listCollections.' },
    ]);
  });

  it.each<[string, ComparedCollectionSpec]>([
    ['index', { evidence: { indexes: absent('privilege', 'no right.') } }],
    ['field', { evidence: { documents: absent('privilege', 'no right.') } }],
    ['size', { evidence: { storage: absent('privilege', 'no right.') } }],
    ['options', { collection: { optionsUnknown: true } }],
  ])('does not take an unread %s for alike', (subject, unread) => {
    const [older, newer] = [driftOf(unread, {}), driftOf({}, unread)];
    expect(older).toMatchObject({ differences: [], notCompared: [{ subject, side: 'old', reason: 'privilege' }] });
    expect(newer).toMatchObject({ differences: [], notCompared: [{ subject, side: 'new', reason: 'privilege' }] });
  });

  it('compares databases of different names', () => {
    const map = [{ from: 'shop_test', to: 'shop' }];
    const result = drift({ collections: [only('shop_test.orders')] }, { collections: [only('shop.orders')] }, map);
    expect(result).toMatchObject({ compared: 1, differences: [] });
    const twice = { collections: [only('shop_test.orders'), only('shop.orders')] };
    expect(() => drift(twice, twice, map)).toThrow('shop_test.orders and shop.orders would both be shop.orders');
  });

  it('tells versions and topologies, and compares shard keys of sharded clusters only', () => {
    const cluster = { ...comparedRunCluster, topology: 'sharded' as const, version: '7.0.1' };
    const upgraded = drift({ collections: [only('shop.orders')] }, { collections: [sharded({})], run: { cluster } });
    expect(upgraded.differences).toMatchObject([
      { subject: 'server', namespace: null, declared: false, changes: [{ what: 'version' }, { what: 'topology' }] },
    ]);
    expect(upgraded.notCompared).toMatchObject([{ subject: 'options', namespace: null, side: 'old' }]);
    const both = drift(
      { collections: [sharded({})], run: { cluster } },
      { collections: [sharded({ key: [{ path: 'tenant', hashed: true }] })], run: { cluster } },
    );
    expect(both.differences).toMatchObject([
      { subject: 'options', changes: [{ what: 'shard key', old: '{ at: 1 }', new: '{ tenant: "hashed" }' }] },
    ]);
  });
});

const comparedRunCluster = {
  version: '6.0.27',
  engine: { name: 'MongoDB', version: null },
  name: 'rs0',
  atlas: false,
  readFrom: 'primary',
} as const;

describe('drift of sizes', () => {
  it.each<[string, [number, number], [number, number], string[]]>([
    ['ten times as many documents', [1_000, 100], [10_000, 100], ['documents']],
    ['nine times as many', [1_000, 100], [9_000, 100], []],
    ['few documents, whatever the factor', [3, 100], [300, 100], []],
    ['an empty one beside a full one', [0, 0], [5, 100], ['documents']],
    ['documents twice as large', [1_000, 100], [1_000, 200], ['average document']],
    ['documents of less than twice the size', [1_000, 100], [1_000, 190], []],
    ['an average of few documents', [50, 100], [5_000, 900], ['documents']],
  ])('of %s', (_, before, after, expected) => {
    const { differences } = driftOf(sizes(before), sizes(after));
    expect(differences.flatMap(({ changes }) => changes.map(({ what }) => what))).toEqual(expected);
    expect(differences.every(({ declared }) => !declared)).toBe(true);
  });
});

describe('drift of fields', () => {
  it('tells a renamed field from both sides, and nothing that lies below it', () => {
    const before = { documents: documents(60, () => ({ address: { city: 'a', zip: 'b' } })) };
    const after = { documents: documents(1_000, () => ({ location: { city: 'a', zip: 'b' } })), complete: false };
    expect(fields(before, after)).toEqual([
      ['address', 'old', 'documents'],
      ['location', 'new', 'documents'],
    ]);
  });

  it('tells types that only one side has', () => {
    const before = { documents: documents(100, () => ({ total: '5' })) };
    const after = { documents: documents(100, () => ({ total: 5 })) };
    const [difference] = driftOf(before, after).differences;
    expect(difference?.message).toBe(
      'Field `total`: string in 100 % of 100 in old.jsonl, in none of 100 in new.jsonl and number in none of 100 in old.jsonl, in 100 % of 100 in new.jsonl.',
    );
    expect(difference?.declared).toBe(false);
  });

  it('does not report kinds of numbers, nor a field that few documents hold', () => {
    const [ints, doubles] = [documents(100, () => ({ total: 5 })), documents(100, () => ({ total: 5.5 }))];
    expect(fields({ documents: ints }, { documents: doubles })).toEqual([]);
    const rare = documents(100, (index) => (index < 4 ? { note: 'a' } : {}));
    const none = documents(100, () => ({}));
    expect(fields({ documents: rare }, { documents: none })).toEqual([]);
  });

  it('does not take for missing what a few documents lack by chance', () => {
    const before = { documents: documents(1_000, (index) => (index % 5 === 0 ? { note: 'a' } : {})), complete: false };
    expect(fields(before, { documents: documents(10, () => ({})) })).toEqual([]);
    expect(fields(before, { documents: documents(100, () => ({})) })).toEqual([['note', 'old', 'documents']]);
  });

  it('does not compare names that are data', () => {
    const byDay = (count: number) =>
      documents(count, (index) => ({ visits: { [`2026-01-${String((index % 28) + 1).padStart(2, '0')}`]: 1 } }));
    expect(fields({ documents: byDay(200) }, { documents: documents(60, () => ({ visits: { monday: 1 } })) })).toEqual(
      [],
    );
  });

  it('does not compare a sample of the first documents, and says so', () => {
    const first = { sample: { method: 'natural-order', complete: false, boundedBy: null, elapsed: 1 } } as const;
    const profile = { ...first, profile: profileOf(documents(100, () => ({ a: 1 }))) };
    const result = driftOf(
      { documents: documents(100, () => ({ b: 1 })) },
      { evidence: { documents: present(profile) } },
    );
    expect(result.differences).toEqual([]);
    expect(result.notCompared).toMatchObject([{ subject: 'field', side: 'new', reason: 'insufficient' }]);
  });

  it('says the same of each of many random samples', () => {
    let state = 1;
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    // Half of the documents hold it, and few: neither is near a line.
    const drawn = (share: number) => ({
      documents: documents(1_000, () => (random() < share ? { note: 'a' } : {})),
      complete: false,
    });
    for (const [one, other, expected] of [
      [0.5, 0.5, 0],
      [0.3, 0.0005, 1],
      [0.05, 0, 0],
      [0.9, 0.2, 0],
    ] as const) {
      const told = Array.from({ length: 40 }, () => fields(drawn(one), drawn(other)).length);
      expect(new Set(told)).toEqual(new Set([expected]));
    }
  });
});
