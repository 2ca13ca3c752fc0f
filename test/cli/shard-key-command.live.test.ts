import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseShardKey } from '../../src/cli/shard-key-command.js';
import type { EmbeddedMongod } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import type { CandidateKeyVerdict } from '../../src/judgement/shard-keys/candidate-key.js';
import { runCaptured } from '../support/captured-io.js';
import { startReplicaSet } from '../support/servers.js';
import { uuidV4, type Birth } from '../support/sharding/key-kinds.js';
import { startShardedCluster, type ShardedCluster } from '../support/sharding/sharded-cluster.js';
import { grown, plantSharded } from '../support/sharding/sharded-collections.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { routerLine, slowLine } from '../support/workload/log-text.js';

const among =
  (count: number) =>
  ({ random }: Birth) =>
    random.below(count);
const orders = () =>
  grown((birth) => ({
    at: new Date(birth.time),
    customer: among(300)(birth),
    state: `secret-${among(3)(birth)}`,
    tags: ['a', 'b'],
    region: `r${among(5)(birth)}`,
  }));

const repeated = (count: number, line: string) => Array.from({ length: count }, () => line);

function verdictsOf({ aspects }: CandidateKeyVerdict): Record<string, string> {
  return Object.fromEntries(aspects.map(({ aspect, verdict }) => [aspect, verdict]));
}

async function judged(
  uri: string,
  namespace: string,
  key: string,
  more: readonly string[] = [],
): Promise<CandidateKeyVerdict & { exitCode: number }> {
  const { exitCode, stdout, stderr } = await runCaptured(['shard-key', namespace, key, '--format', 'json', ...more], {
    MONGODB_URI: uri,
  });
  expect(stderr).toBe('');
  return { ...(JSON.parse(stdout) as CandidateKeyVerdict), exitCode };
}

describe('mongolint shard-key, on a collection that is not sharded', () => {
  let server: EmbeddedMongod;
  beforeAll(async () => {
    server = await startReplicaSet();
    const client = new MongoClient(server.uri);
    const database = client.db('shop');
    await database.command({ profile: 2 });
    const collection = database.collection<Document>('orders');
    await collection.createIndex({ customer: 1 });
    await collection.insertMany(orders());
    for (let run = 0; run < 9; run += 1) await collection.find({ customer: run, at: { $gt: new Date(0) } }).toArray();
    await collection.find({ state: 'secret-1' }).toArray();
    await database.createCollection('recent', { viewOn: 'orders', pipeline: [] });
    await database.createCollection('readings', { timeseries: { timeField: 'at' } });
    await client.close();
  });
  afterAll(() => server?.stop());

  it.each<[string, string, Record<string, string>]>([
    [
      'good',
      '{ customer: 1, at: 1 }',
      { fields: 'good', cardinality: 'good', frequency: 'good', monotonicity: 'good', targeting: 'good' },
    ],
    [
      'good',
      '{ customer: "hashed" }',
      { cardinality: 'good', frequency: 'good', monotonicity: 'good', targeting: 'good' },
    ],
    ['good', 'customer: 1, _id: hashed', { cardinality: 'good', monotonicity: 'good', targeting: 'good' }],
    ['bad', '{ at: 1 }', { cardinality: 'good', monotonicity: 'bad', targeting: 'good' }],
    ['bad', '{ _id: 1 }', { cardinality: 'good', monotonicity: 'bad', targeting: 'bad' }],
    ['bad', '{ _id: "hashed" }', { cardinality: 'good', monotonicity: 'good', targeting: 'bad' }],
    ['bad', '{ state: 1 }', { cardinality: 'bad', frequency: 'bad', monotonicity: 'good' }],
    ['bad', '{ region: 1, at: 1 }', { cardinality: 'good', monotonicity: 'bad' }],
    ['bad', '{ missing: 1, customer: 1 }', { fields: 'bad' }],
    ['bad', '{ tags: 1 }', { fields: 'bad', cardinality: 'bad' }],
  ])('finds %s: %s', async (verdict, key, expected) => {
    const found = await judged(server.uri, 'shop.orders', key);
    expect(verdictsOf(found)).toMatchObject(expected);
    expect(found).toMatchObject({
      good: verdict === 'good',
      exitCode: verdict === 'good' ? 0 : 1,
      documentsSampled: 600,
      documents: 600,
    });
    expect(JSON.stringify(found)).not.toContain('secret-');
  });

  it('judges against the shards that there are to be', async () => {
    expect(verdictsOf(await judged(server.uri, 'shop.orders', '{ customer: 1 }', ['--shards', '4']))).toMatchObject({
      cardinality: 'good',
    });
    expect(verdictsOf(await judged(server.uri, 'shop.orders', '{ customer: 1 }', ['--shards', '100']))).toMatchObject({
      cardinality: 'bad',
    });
  });

  it('proposes a key that the data supports, for people', async () => {
    const { exitCode, stdout } = await runCaptured(['shard-key', 'shop.orders', '{ at: 1 }', server.uri], {
      COLUMNS: '100',
    });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('shop.orders by { at: 1 }, judged on 600 of 600 documents');
    expect(stdout).toMatch(
      /✗ monotonicity {2}`at` follows insertion order \(correlation 1\.00\): one chunk takes all inserts\.\n/,
    );
    expect(stdout).toContain('Do not shard by this key.\nBetter: { customer: 1, at: 1 }.');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  it.each([
    ['a view', 'shop.recent', '{ at: 1 }', 'shop.recent is a view'],
    ['a time-series collection', 'shop.readings', '{ at: 1 }', 'shop.readings is a time-series collection'],
    ['nothing', 'shop.order', '{ at: 1 }', 'The user can see no collection shop.order:'],
    ['no key', 'shop.orders', '{ at: 2 }', 'Each field of a shard key is 1 or "hashed"'],
    ['no mapping', 'shop.orders', '[1', 'Write the key as in mongosh, in quotes'],
  ])('says in one line why it can not judge %s', async (_, namespace, key, message) => {
    const { exitCode, stdout, stderr } = await runCaptured(['shard-key', namespace, key], { MONGODB_URI: server.uri });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(message);
  });

  it('asks for a connection string where there is none', async () => {
    expect(await runCaptured(['shard-key', 'shop.orders', '{ at: 1 }'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('MONGODB_URI'),
    });
  });
});

describe('mongolint shard-key, on a sharded collection', () => {
  let cluster: ShardedCluster;
  beforeAll(async () => {
    cluster = await startShardedCluster();
    await plantSharded(cluster, 'shop.orders', orders(), { at: 1 });
    await plantSharded(
      cluster,
      'shop.tokens',
      grown((birth) => ({ at: new Date(birth.time), n: among(1_000)(birth) }), { idOf: uuidV4 }),
      { n: 1 },
    );
  });
  afterAll(() => cluster?.stop());

  it.each([
    ['shop.orders', '{ at: 1 }', 'bad'],
    ['shop.orders', '{ customer: 1, at: 1 }', 'good'],
    // Within the chunks of the present key, by RecordIds.
    ['shop.tokens', '{ at: 1 }', 'bad'],
    ['shop.tokens', '{ _id: 1 }', 'good'],
  ])('%s by %s: %s', async (namespace, key, monotonicity) => {
    expect(verdictsOf(await judged(cluster.uri, namespace, key))).toMatchObject({ monotonicity });
  });

  // The log of mongos is stood in: see routerLine().
  it('tells by logs of mongos where operations went, though the shards logged each twice', async () => {
    const folder = await temporaryFolder();
    const find = { find: 'orders', filter: { customer: 5 } };
    const logs = {
      'mongos.log.gz': [
        ...repeated(27, routerLine(find, 2)),
        ...repeated(3, routerLine({ ...find, filter: { at: 1 } }, 1)),
      ],
      'sh1.log.gz': repeated(27, slowLine(find, { remote: '10.0.0.1:1' })),
      'sh2.log.gz': repeated(27, slowLine(find, { remote: '10.0.0.1:2' })),
    };
    for (const [name, lines] of Object.entries(logs)) await writeFile(join(folder, name), gzipSync(lines.join('\n')));
    const found = await judged(cluster.uri, 'shop.orders', '{ customer: 1 }', ['--log', join(folder, '*.log.gz')]);
    expect(found.aspects.find(({ aspect }) => aspect === 'targeting')?.text).toBe(
      'Of 30 recorded operations in logs of mongos, 90 % would go to one shard, 0 % to one or few, 10 % to all. ' +
        'With the current key { at: 1 }, mongos sent 90 % of 30 operations to several shards.',
    );
  });
});

describe('a key as it is written', () => {
  it.each([
    [
      '{ tenant: 1, _id: "hashed" }',
      [
        { path: 'tenant', hashed: false },
        { path: '_id', hashed: true },
      ],
    ],
    ["{'address.zip': 1}", [{ path: 'address.zip', hashed: false }]],
    ['{"tenant":1}', [{ path: 'tenant', hashed: false }]],
    [
      '{tenant:1,_id:"hashed"}',
      [
        { path: 'tenant', hashed: false },
        { path: '_id', hashed: true },
      ],
    ],
    ['{ "10": 1 }', [{ path: '10', hashed: false }]],
    ['{ "a:b":1 }', [{ path: 'a:b', hashed: false }]],
    [
      'tenant: 1, at: 1',
      [
        { path: 'tenant', hashed: false },
        { path: 'at', hashed: false },
      ],
    ],
  ])('%s is read', (text, key) => {
    expect(parseShardKey(text)).toEqual(key);
  });

  it.each(['', '{}', '{ a: -1 }', '{ a: "text" }', '{ a: "hashed", b: "hashed" }', 'a', '[a]', '{ a: 1', '{ a: 1.5 }'])(
    '%j is refused',
    (text) => {
      expect(() => parseShardKey(text)).toThrow(/^(?:Write|Each field of a shard key|A shard key)/);
    },
  );

  it.each([
    '{ a: process.exit(3) }',
    '{ a: (() => 1)() }',
    '{ a: constructor.constructor("return 1")() }',
    '{ ["a"]: 1 }',
    '{ a: 1 }; process.exit(3)',
  ])('%j is refused and not run', (text) => {
    expect(() => parseShardKey(text)).toThrow(/^Write the key/);
  });

  it('is refused if it is compound and the name of a field is a number, since their order would change', () => {
    expect(() => parseShardKey('{ tenant: 1, "2024": 1 }')).toThrow(/compound key .* number/);
  });
});
