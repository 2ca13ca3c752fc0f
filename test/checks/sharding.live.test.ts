import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MaxKey, MinKey, ObjectId, UUID, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scatterGather } from '../../checks/scatter-gather.js';
import type { Finding } from '../../src/finding.js';
import type { Report } from '../../src/report/report.js';
import { shardedExhibits } from '../exhibits/sharded/index.js';
import { FIXTURE_DOCUMENTS, inFixtureSize, type Kept } from '../support/fixture-size.js';
import { DAY_MS, EXCHANGEABLE_KINDS, MONOTONIC_KINDS, uuidV4, type Birth } from '../support/sharding/key-kinds.js';
import { startShardedCluster, type ShardedCluster } from '../support/sharding/sharded-cluster.js';
import {
  DOCUMENTS,
  findingsOn,
  grown,
  lintSharding,
  plantSharded,
  SHARDING_CHECKS,
} from '../support/sharding/sharded-collections.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { routerLine } from '../support/workload/log-text.js';

/** The server hashes whatever kind alike. */
const HASHED_KINDS = MONOTONIC_KINDS.slice(0, 2);

// Config server, shards, metadata, splits and migrations are real; the router is stood in for, see router-stand-in.ts.
let cluster: ShardedCluster;
beforeAll(async () => void (cluster = await startShardedCluster()));
afterAll(() => cluster?.stop());

describe('keys of one field on a sharded cluster', () => {
  const reports = new Map<string, Report>();

  beforeAll(async () => {
    for (const [index, [, valueOf]] of MONOTONIC_KINDS.entries()) {
      await plantSharded(
        cluster,
        `bad.kind${index}`,
        grown((birth) => ({ key: valueOf(birth) })),
        { key: 1 },
      );
    }
    for (const [index, [, valueOf]] of EXCHANGEABLE_KINDS.entries()) {
      await plantSharded(
        cluster,
        `good.kind${index}`,
        grown((birth) => ({ key: valueOf(birth) })),
        { key: 1 },
      );
    }
    for (const [index, [, valueOf]] of HASHED_KINDS.entries()) {
      await plantSharded(
        cluster,
        `hashed.kind${index}`,
        grown((birth) => ({ key: valueOf(birth) })),
        { key: 'hashed' },
      );
    }
    for (const database of ['bad', 'good', 'hashed']) reports.set(database, await lintSharding(cluster, database));
  });

  it.each(MONOTONIC_KINDS.map(([name], index) => [name, index] as const))('%s are monotonic', (_, index) => {
    const found = findingsOn(reports.get('bad') as Report, `bad.kind${index}`);
    expect(found.map(({ check, path }) => ({ check, path }))).toEqual([{ check: 'monotonic-shard-key', path: 'key' }]);
    const [{ evidence }] = found as [Finding];
    expect(Math.abs(Number(evidence['correlation']))).toBeGreaterThan(0.95);
    expect(evidence).toMatchObject({
      documents: DOCUMENTS,
      insertionOrder: 'the time in _id',
      insertionPoints: 1,
      shards: 2,
      chunks: 2,
    });
  });

  it.each(EXCHANGEABLE_KINDS.map(([name], index) => [name, index] as const))('%s are not', (_, index) => {
    expect(findingsOn(reports.get('good') as Report, `good.kind${index}`)).toEqual([]);
  });

  it.each(HASHED_KINDS.map(([name], index) => [name, index] as const))('the hash of %s is not', (_, index) => {
    expect(findingsOn(reports.get('hashed') as Report, `hashed.kind${index}`)).toEqual([]);
  });

  it('leaves nothing out', () => {
    for (const report of reports.values()) expect(report.skipped).toEqual([]);
  });

  it('says where the newest documents are', () => {
    const dates = MONOTONIC_KINDS.findIndex(([name]) => name === 'dates');
    const falling = MONOTONIC_KINDS.findIndex(([name]) => name === 'falling counters');
    const [growing] = findingsOn(reports.get('bad') as Report, `bad.kind${dates}`) as [Finding];
    expect(growing.evidence).toMatchObject({ newestInHighestChunk: 1, newestInLowestChunk: 0 });
    expect(growing.message).toContain('ends at MaxKey, now on shard sh2: 100 % of the 50 newest documents are in it');
    const [shrinking] = findingsOn(reports.get('bad') as Report, `bad.kind${falling}`) as [Finding];
    expect(shrinking.evidence).toMatchObject({ newestInHighestChunk: 0, newestInLowestChunk: 1 });
    expect(shrinking.message).toContain('begins at MinKey, now on shard sh1');
  });
});

const dateOf = ({ time }: Birth) => new Date(time);
const among =
  (count: number) =>
  ({ random }: Birth) =>
    random.below(count);

describe('keys whose order of insertion _id does not report', () => {
  it.each([
    [
      'ObjectIds in _id, beside a date',
      'created',
      () => grown((birth) => ({ at: dateOf(birth) })),
      '_id',
      'a date that agrees with the time in _id',
    ],
    ['ObjectIds in _id, and no date', 'alone', () => grown(() => ({ a: 1 })), '_id', 'RecordIds within chunks'],
    [
      'dates, and UUIDs of version 4 in _id',
      'dates',
      () => grown((birth) => ({ at: dateOf(birth) }), { idOf: uuidV4 }),
      'at',
      'RecordIds within chunks',
    ],
    [
      'dates that arrive up to a day late, and UUIDs of version 4 in _id',
      'late',
      () => grown(({ time, random }) => ({ at: new Date(time - random.next() * DAY_MS) }), { idOf: uuidV4 }),
      'at',
      'RecordIds within chunks',
    ],
  ])('%s are monotonic', async (_, name, documents, path, insertionOrder) => {
    await plantSharded(cluster, `order.${name}`, documents(), { [path]: 1 });
    const report = await lintSharding(cluster, `order.${name}`);
    expect(report.skipped).toEqual([]);
    expect(report.findings).toMatchObject([{ check: 'monotonic-shard-key', path, evidence: { insertionOrder } }]);
    expect(Number(report.findings[0]?.evidence['correlation'])).toBeGreaterThan(0.95);
  });

  it('UUIDs of version 4 in _id are not, though a migration gave them new RecordIds', async () => {
    await plantSharded(
      cluster,
      'order.random',
      grown(() => ({ a: 1 }), { idOf: uuidV4 }),
      { _id: 1 },
    );
    const report = await lintSharding(cluster, 'order.random');
    expect(report).toMatchObject({ findings: [], skipped: [] });
  });

  it('documents of one shard are compared by their RecordIds at large', async () => {
    const { client } = cluster;
    await client
      .db('order')
      .collection<{ _id: unknown }>('whole')
      .insertMany(grown((birth) => ({ at: dateOf(birth) }), { idOf: uuidV4 }) as never);
    await cluster.shardCollection('order.whole', { at: 1 });
    const { findings } = await lintSharding(cluster, 'order.whole');
    expect(findings).toMatchObject([
      { check: 'monotonic-shard-key', confidence: 'medium', evidence: { insertionOrder: 'RecordIds' } },
    ]);
  });
});

const compound = () =>
  grown((birth) => ({
    type: 'order',
    region: `region ${among(5)(birth)}`,
    month: dateOf(birth).toISOString().slice(0, 7),
    tenant: among(400)(birth),
    at: dateOf(birth),
  }));
const secret = ({ index }: Birth) => `secret-${String(index).padStart(6, '0')}`;

describe('compound keys', () => {
  it.each([
    ['a region, then a date', 'region_date', { region: 1, at: 1 }, 'at', 5],
    ['a constant, then a date', 'constant_date', { type: 1, at: 1 }, 'at', 1],
    ['a month, then a date', 'month_date', { month: 1, at: 1 }, 'at', 1],
    ['a date, then a tenant', 'date_tenant', { at: 1, tenant: 1 }, 'at', 1],
    ['a date, then a hash', 'date_hash', { at: 1, _id: 'hashed' }, 'at', 1],
  ])('%s: monotonic', async (_, name, key, path, points) => {
    await plantSharded(cluster, `compound.${name}`, compound(), key);
    const { findings } = await lintSharding(cluster, `compound.${name}`);
    expect(findings).toMatchObject([{ check: 'monotonic-shard-key', path }]);
    expect(Math.round(Number(findings[0]?.evidence['insertionPoints']))).toBe(points);
  });

  it.each([
    ['a tenant of many, then a date', 'tenant_date', { tenant: 1, at: 1 }],
    ['a month, then a tenant', 'month_tenant', { month: 1, tenant: 1 }],
    ['a region, then a hash', 'region_hash', { region: 1, _id: 'hashed' }],
  ])('%s: not', async (_, name, key) => {
    await plantSharded(cluster, `compound.${name}`, compound(), key);
    const report = await lintSharding(cluster, `compound.${name}`);
    expect(report).toMatchObject({ findings: [], skipped: [] });
  });
});

/**
 * What an expert says of the sharded exhibits if they hold 40 documents, written before mongolint saw them: nobody shards a
 * collection to keep it small, so no size excuses a key. Only what is measured needs documents.
 */
const FIXTURES: readonly [string, 'warning' | 'error' | 'insufficient' | 'nothing', string][] = [
  ['monotonic-shard-key', 'insufficient', 'an order of insertion shows by 60 documents'],
  ['low-cardinality-shard-key', 'warning', 'four values are as few at any size'],
  ['jumbo-chunk', 'error', 'the balancer has given up on one of two chunks, whatever they hold'],
  ['unbalanced-chunks', 'nothing', 'shards may differ by three chunks, and all of it is less than one'],
  ['inconsistent-indexes', 'warning', 'an index is there or not'],
];

const someOfAll: Kept = (documents) =>
  documents.filter((_, index) => index % (documents.length / FIXTURE_DOCUMENTS) === 0);

describe('the sharded exhibits in the size of a fixture', () => {
  let report: Report;
  beforeAll(async () => {
    const fixtures = inFixtureSize(cluster.client.db('fixtures'), someOfAll);
    for (const { bad, twin } of shardedExhibits) {
      await bad.plant(fixtures);
      await twin.plant(fixtures);
    }
    report = await lintSharding(cluster, 'fixtures');
  });

  it.each(FIXTURES)('%s: %s', (check, expected) => {
    const exhibit = shardedExhibits.find((each) => each.check === check);
    const of = (name: string | undefined) => [
      ...findingsOn(report, `fixtures.${name}`).flatMap((each) => (each.check === check ? [each.severity] : [])),
      ...report.skipped.flatMap((each) =>
        each.check === check && each.namespace === `fixtures.${name}` ? [each.reason] : [],
      ),
    ];
    expect(of(exhibit?.bad.name)).toEqual(expected === 'nothing' ? [] : [expected]);
    expect(of(exhibit?.twin.name).filter((each) => each !== 'insufficient')).toEqual([]);
  });
});

describe('a report on a sharded cluster', () => {
  it('holds no value of a document, chunk bounds included', async () => {
    await plantSharded(
      cluster,
      'private.letters',
      grown((birth) => ({ number: secret(birth), kind: `secret-${among(2)(birth)}` })),
      { number: 1 },
    );
    await plantSharded(
      cluster,
      'private.kinds',
      grown((birth) => ({ kind: `secret-${among(2)(birth)}` })),
      { kind: 1 },
    );
    const report = await lintSharding(cluster, 'private');
    expect(new Set(report.findings.map(({ check }) => check))).toEqual(
      new Set(['monotonic-shard-key', 'low-cardinality-shard-key']),
    );
    expect(JSON.stringify(report)).not.toContain('secret-');
  });
});

type Entry = Document & { _id: string };

/**
 * What the config database of 8.0 holds of a collection that was moved or tracked, and never sharded. The fields are those of
 * the server's source and manual; the server here is an older one, which neither writes nor reads `unsplittable`.
 */
describe('an unsharded collection that 8.0 keeps on record', () => {
  it('is no sharded one', async () => {
    const documents = grown(() => ({}));
    const [tracked, sharded] = ['tracked.ids', 'tracked.sharded'];
    await plantSharded(cluster, sharded, documents, { _id: 1 });
    await cluster.client
      .db('tracked')
      .collection('ids')
      .insertMany(documents as { _id: ObjectId }[]);
    const config = cluster.config.db('config');
    const shardedEntry = await config.collection<Entry>('collections').findOne({ _id: sharded });
    const shardedChunk = await config.collection('chunks').findOne({ uuid: shardedEntry?.['uuid'] });
    const uuid = new UUID();
    const entry = { ...shardedEntry, _id: tracked, uuid, key: { _id: 1 }, unique: false, unsplittable: true };
    const [min, max] = [{ _id: new MinKey() }, { _id: new MaxKey() }];
    await config.collection<Entry>('collections').insertOne(entry);
    await config.collection('chunks').insertOne({ ...shardedChunk, _id: new ObjectId(), uuid, min, max, jumbo: true });
    const report = await lintSharding(cluster, 'tracked');
    expect(findingsOn(report, sharded).map(({ check }) => check)).toContain('monotonic-shard-key');
    expect(findingsOn(report, tracked)).toEqual([]);
    expect(report.skipped).toEqual([]);
  });
});

/** Of the orders whose queries go to all shards. */
const CUSTOMERS = 40;
const emailOf = ({ index }: Birth) => `${index}@example.com`;
const orders = () => grown((birth) => ({ customer: birth.index % CUSTOMERS, email: emailOf(birth) }));
const asked = emailOf({ index: DOCUMENTS - 1 } as Birth);

// Lines of mongos are stood in, see log-text.ts.
async function lintRouted(name: string, filter: Document, shards: number): Promise<readonly Finding[]> {
  const lines = Array.from({ length: 30 }, () =>
    routerLine({ find: name, filter }, shards, { ns: `routed.${name}`, nreturned: 1 }),
  );
  const logFiles = [join(await temporaryFolder(), 'mongos.log')];
  await writeFile(logFiles[0] as string, lines.join('\n'));
  return findingsOn(
    await lintSharding(cluster, `routed.${name}`, { checks: [...SHARDING_CHECKS, scatterGather], logFiles }),
    `routed.${name}`,
  );
}

describe('queries that go to all shards', () => {
  beforeAll(async () => {
    await plantSharded(cluster, 'routed.by_customer', orders(), { customer: 1 });
    await plantSharded(cluster, 'routed.by_email', orders(), { email: 1 });
  });

  it('are found, and gone if they name the shard key', async () => {
    const found = await lintRouted('by_customer', { email: asked }, 2);
    expect(found.map(({ check, severity }) => ({ check, severity }))).toEqual([
      { check: 'scatter-gather', severity: 'info' },
    ]);
    const customer = (DOCUMENTS - 1) % CUSTOMERS;
    expect(await lintRouted('by_customer', { email: asked, customer }, 1)).toEqual([]);
  });

  it('are none where the field leads the shard key', async () => {
    expect(await lintRouted('by_email', { email: asked }, 1)).toEqual([]);
  });
});
