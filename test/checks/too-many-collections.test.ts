import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { tooManyCollections } from '../../checks/too-many-collections/check.js';
import type { ClusterVerdict } from '../../src/check.js';
import type { Collection, IndexDescription, KnownCollection, Server, StorageStatistics } from '../../src/check.js';
import { absent, present } from '../../src/presence.js';
import { ID_INDEX, index as indexOn } from '../support/checks/index-builders.js';

type Known = KnownCollection<'storage' | 'indexes' | 'fieldTypes'>;

function known(
  name: string,
  storage: Partial<StorageStatistics> | null = {},
  rest: Partial<Collection> = {},
): [string, Known] {
  const namespace = `shop.${name}`;
  const value = {
    count: 10,
    size: 1_000,
    averageDocumentSize: 100,
    storageSize: 4_096,
    totalIndexSize: 4_096,
    indexSizes: { _id_: 4_096 },
    orphans: 0,
    shards: 0,
    ...storage,
  };
  return [
    namespace,
    {
      collection: { namespace, database: 'shop', name, kind: 'collection', clustered: false, ...rest },
      storage: storage === null ? absent('privilege', 'no') : present(value),
      indexes: present([ID_INDEX]),
      fieldTypes: absent('insufficient', 'no documents'),
    },
  ];
}
const times = (count: number, make: (index: number) => [string, Known]) =>
  Array.from({ length: count }, (_, index) => make(index));
const letters = (index: number): string =>
  (index < 26 ? '' : letters(Math.floor(index / 26) - 1)) + String.fromCharCode(97 + (index % 26));
const words = (count: number, storage: Partial<StorageStatistics> | null = {}, rest: Partial<Collection> = {}) =>
  times(count, (index) => known(letters(index), storage, rest));
const day = (index: number) => new Date(1.7e12 + index * 86_400_000).toISOString().slice(0, 10);
const DEFAULTS = { info: 5_000, warning: 10_000, family: 100, familyWarning: 1_000, openFiles: 0.8 };
const verdicts = (collections: readonly [string, Known][], limits: Partial<typeof DEFAULTS> = {}) =>
  tooManyCollections.judge(
    {
      collections: new Map(collections),
      server: {
        version: '6.0.5',
        collections: collections.filter(([, { collection }]) => collection.kind !== 'view').length,
      },
    },
    { ...DEFAULTS, ...limits },
  );
const notJudgedOf = (verdict: ClusterVerdict) => ('notJudged' in verdict ? verdict.notJudged : 'exempt');
const found = (collections: readonly [string, Known][], limits: Partial<typeof DEFAULTS> = {}) =>
  verdicts(collections, limits).map((verdict) =>
    'severity' in verdict
      ? `${verdict.severity} ${verdict.namespace} ${String(verdict.evidence['collections'])}`
      : notJudgedOf(verdict),
  );
const onShards = (...names: string[]) => ({
  shards: names.length,
  byShard: names.map((shard) => ({ shard, count: 1, size: 1, orphans: 0 })),
});

describe('collections on one node', () => {
  it.each<[string, [string, Known][], string[]]>([
    ['5,000', words(5_000), ['info * 5000']],
    ['10,000, time-series and capped ones among them', words(10_000, {}, { kind: 'timeseries' }), ['warning * 10000']],
    ['10,000 of which nothing is known', words(10_000, null), ['warning * 10000']],
    [
      '12,000 over two shards, more than half on one',
      [
        ...words(5_400, onShards('a')),
        ...words(6_600, onShards('b')).map(([name, each]): [string, Known] => [`${name}.b`, each]),
      ],
      ['info * 6600'],
    ],
    ['5,000 on each of two shards', words(5_000, onShards('a', 'b')), ['info * 5000']],
  ])('%s', (_, collections, expected) => {
    expect(found(collections)).toEqual(expected);
  });

  it.each<[string, [string, Known][]]>([
    ['4,999', words(4_999)],
    ['10,000 views', words(10_000, null, { kind: 'view' })],
    [
      '9,000 over two shards',
      [
        ...words(4_500, onShards('a')),
        ...words(4_500, onShards('b')).map(([name, each]): [string, Known] => [`${name}.b`, each]),
      ],
    ],
  ])('is silent on %s', (_, collections) => {
    expect(found(collections)).toEqual([]);
  });

  it('counts indexes, files and empty ones', () => {
    const [verdict] = verdicts(words(6_000, { count: 0, indexSizes: { _id_: 1, a_1: 1 } }));
    expect(verdict).toMatchObject({
      evidence: { collections: 6_000, indexes: 12_000, files: 18_000, emptyCollections: 6_000 },
    });
  });
});

describe('families of collections', () => {
  it.each<[string, [string, Known][], string, string]>([
    ['one a day', times(100, (index) => known(`readings_${day(index)}`)), 'info shop.readings_* 100', 'date'],
    [
      'one a month, year and month run together',
      times(150, (index) => known(`log${1980 + Math.floor(index / 12)}${String(1 + (index % 12)).padStart(2, '0')}`)),
      'info shop.log* 150',
      'date',
    ],
    [
      'one for each device',
      times(1_000, (index) => known(`device.${index}.readings`)),
      'warning shop.device.*.readings 1000',
      'number or id',
    ],
    [
      'one for each ObjectId',
      times(120, (index) => known(`orders_${(0xabcdef + index).toString(16).padStart(24, 'a')}`)),
      'info shop.orders_* 120',
      'number or id',
    ],
    ...(['md5', 'sha1', 'sha256'] as const).map((algorithm): [string, [string, Known][], string, string] => [
      `one for each ${algorithm} of a name`,
      times(120, (index) => known(`events${createHash(algorithm).update(`app ${index}`).digest('hex')}`)),
      'info shop.events* 120',
      'number or id',
    ]),
    [
      'one for each UUID',
      times(120, (index) => known(`t-${(0xabcdef + index).toString(16).padStart(8, 'a')}-aaaa-4bbb-8ccc-dddddddddddd`)),
      'info shop.t-* 120',
      'number or id',
    ],
  ])('%s', (_, collections, expected, dividedBy) => {
    expect(found(collections)).toEqual([expected]);
    expect(verdicts(collections)[0]).toMatchObject({
      confidence: 'medium',
      evidence: { dividedBy, documents: 10 * collections.length },
    });
  });

  it.each<[string, [string, Known][]]>([
    ['99', times(99, (index) => known(`readings_${day(index)}`))],
    ['names that differ in words', times(500, (index) => known(`app_${letters(index)}`))],
    ['views', times(500, (index) => known(`readings_${index}`, null, { kind: 'view' }))],
  ])('is silent on %s', (_, collections) => {
    expect(found(collections)).toEqual([]);
  });

  it('is where too many collections on a node are best begun with', () => {
    const both = verdicts([...words(100), ...times(200, (index) => known(`readings_${day(index)}`))], { info: 300 });
    expect(both.map((verdict) => verdict.namespace)).toEqual(['*', 'shop.readings_*']);
    expect(both[0]).toMatchObject({
      remedy: { steps: [{ text: expect.stringMatching(/^Begin with shop\.readings_\*: 200 collections/) }, {}, {}] },
    });
  });
});

/** With an index beside that on `_id`, and fields that all documents have. */
function shaped(
  name: string,
  fields: readonly string[],
  indexes: readonly IndexDescription[] = [indexOn({ customer: 1 })],
): [string, Known] {
  const [namespace, each] = known(name);
  const types = fields.map((path) => ({
    path,
    types: { string: 10 },
    documents: 10,
    elementsPerArray: null,
    longestString: 9,
  }));
  const fieldTypes = present({ documents: 10, complete: true, fields: types });
  return [namespace, { ...each, indexes: present([ID_INDEX, ...indexes]), fieldTypes }];
}
const ORDER = ['_id', 'customer', 'total', 'at', 'status', 'lines[].sku'];
const tenants = (count: number, make: (tenant: string) => [string, Known]) =>
  times(count, (index) => make(letters(index)));

describe('families by the name of a tenant', () => {
  it.each<[string, [string, Known][], string[]]>([
    ['a common beginning', tenants(100, (tenant) => shaped(`orders_${tenant}`, ORDER)), ['info shop.orders_* 100']],
    ['a common end', tenants(130, (tenant) => shaped(`${tenant}.orders`, ORDER)), ['info shop.*.orders 130']],
    [
      'a common beginning and end',
      tenants(110, (tenant) => shaped(`t-${tenant}-orders`, ORDER)),
      ['info shop.*-orders 110'],
    ],
    [
      'two kinds for each tenant',
      tenants(120, (tenant) => shaped(`${tenant}_orders`, ORDER)).concat(
        tenants(120, (tenant) => shaped(`${tenant}_users`, ['_id', 'mail', 'name'], [indexOn({ mail: 1 })])),
      ),
      ['info shop.*_orders 120', 'info shop.*_users 120'],
    ],
    [
      'some with a field more',
      tenants(100, (tenant) => shaped(`orders_${tenant}`, tenant.length > 1 ? [...ORDER, 'note'] : ORDER)),
      ['info shop.orders_* 100'],
    ],
    ['a thousand', tenants(1_000, (tenant) => shaped(`orders_${tenant}`, ORDER)), ['warning shop.orders_* 1000']],
    ['99', tenants(99, (tenant) => shaped(`orders_${tenant}`, ORDER)), []],
    ['different fields', tenants(200, (tenant) => shaped(`app_${tenant}`, ['_id', `${tenant}1`, `${tenant}2`])), []],
    ['unknown fields', tenants(200, (tenant) => known(`app_${tenant}`)), []],
    ['no common part', tenants(200, (tenant) => shaped(tenant, ORDER)), []],
    ['numbers, told once', times(200, (each) => shaped(`orders_${each}`, ORDER)), ['info shop.orders_* 200']],
  ])('%s', (_, collections, expected) => {
    expect(found(collections)).toEqual(expected);
  });
});

const judged = (linted: readonly [string, Known][], collections?: number) =>
  tooManyCollections
    .judge(
      {
        collections: new Map(linted),
        server: { version: '6.0.5', ...(collections !== undefined && { collections }) },
      },
      DEFAULTS,
    )
    .map((verdict) => ('severity' in verdict ? `${verdict.severity}: ${verdict.message}` : notJudgedOf(verdict)));

describe('what is not linted', () => {
  it.each<[string, string[], string[]]>([
    [
      'counts on the node, whatever is linted',
      judged(words(10), 12_000),
      ['warning: One node holds 12,000 collections. '],
    ],
    ['is as much as all that is linted', judged(words(6_000), 6_000), ['info: One node holds 6,000 collections with ']],
    ['may be more than is known', judged(words(6_000)), ['info: One node holds at least 6,000 coll']],
    ['does not matter if enough is linted', judged(words(10_000)), ['warning: One node holds at least 10,000 coll']],
    ['does not matter if little is linted', judged(words(10)), []],
    [
      'on shards that are not told',
      judged(words(6_000, onShards('a')), 9_000),
      ['info: One node holds at least 6,000'],
    ],
  ])('%s', (_, verdict, expected) => {
    expect(verdict.map((each, at) => each.slice(0, expected[at]?.length))).toEqual(expected);
  });
});

/** Of so many collections, with a limit of open files, or without. */
function nearLimit(
  collections: number,
  openFilesLimit: Server['openFilesLimit'],
  storage: Partial<StorageStatistics> = {},
): string[] {
  const server = { version: '6.0.5', collections, ...(openFilesLimit !== undefined && { openFilesLimit }) };
  const linted = new Map(words(collections, storage));
  return tooManyCollections
    .judge({ collections: linted, server }, { ...DEFAULTS, family: Infinity })
    .map((verdict) =>
      'severity' in verdict
        ? `${verdict.severity}: ${verdict.evidence['files']} of ${verdict.evidence['openFilesLimit']}`
        : `${notJudgedOf(verdict)}: ${'detail' in verdict ? verdict.detail : ''}`,
    );
}
const REFUSED = absent('privilege', 'not authorized');

describe('files that the server may have open at once', () => {
  it.each<[string, string[], string[]]>([
    ['four in five, with an index each', nearLimit(410, present(1_024)), ['warning: 820 of 1024']],
    ['more than there may be', nearLimit(1_000, present(1_024)), ['warning: 2000 of 1024']],
    ['with many indexes', nearLimit(450, present(4_096), indexed(8)), ['warning: 4050 of 4096']],
    ['few of many', nearLimit(410, present(64_000)), []],
    ['just below', nearLimit(409, present(1_024)), []],
    ['not asked for', nearLimit(409, undefined), []],
    ['not told, and few', nearLimit(4_999, REFUSED), []],
    [
      'not told, and as many as the advised limit',
      nearLimit(4_999, REFUSED, indexed(11)),
      ['privilege: not authorized'],
    ],
    [
      'not told, and too many collections',
      nearLimit(30_000, REFUSED),
      ['warning: 60000 of undefined', 'privilege: not authorized'],
    ],
  ])('%s', (_, told, expected) => {
    expect(told).toEqual(expected);
  });
});

function indexed(count: number): Partial<StorageStatistics> {
  return { indexSizes: Object.fromEntries(Array.from({ length: count }, (_, index) => [`i${index}`, 1])) };
}
