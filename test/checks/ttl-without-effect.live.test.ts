/** What TTL indexes delete that are hidden, or on a capped collection, on a real server whose TTL monitor runs each second. */
import { setTimeout } from 'node:timers/promises';
import { MongoClient, type Collection, type MongoServerError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ttlWithoutEffect } from '../../checks/ttl-without-effect.js';
import type { EmbeddedMongod } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { lint } from '../../src/lint/lint.js';
import { startStandalone } from '../support/servers.js';

const PAST = { at: new Date(0) };
const EXPIRY_POLL_MS = 200;
const EXPIRING = { expireAfterSeconds: 0 };

/** The test's time limit ends it. */
async function emptied(collection: Collection): Promise<true> {
  while ((await collection.countDocuments()) > 0) await setTimeout(EXPIRY_POLL_MS);
  return true;
}

describe('a TTL index', () => {
  let server: EmbeddedMongod;
  let client: MongoClient;
  beforeAll(async () => {
    server = await startStandalone({ args: ['--setParameter', 'ttlMonitorSleepSecs=1'] });
    client = new MongoClient(server.uri);
  });
  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  const found = async ({ namespace }: Collection) =>
    (await lint({ uri: server.uri, include: [namespace], checks: [ttlWithoutEffect] })).findings.map(
      ({ path }) => path,
    );

  it('that is hidden deletes by dates, and not by text: only the latter is found', async () => {
    const [dates, text] = ['dates', 'text'].map((name) => client.db('shop').collection(name)) as [
      Collection,
      Collection,
    ];
    await text.insertMany(Array.from({ length: 100 }, () => ({ at: '1970-01-01' })));
    await text.createIndex({ at: 1 }, { ...EXPIRING, hidden: true });
    expect(await found(text)).toEqual(['at_1']);
    await dates.createIndex({ at: 1 }, { expireAfterSeconds: 2_147_483_647, hidden: true });
    await dates.insertMany(Array.from({ length: 100 }, () => ({ ...PAST })));
    expect(await found(dates)).toEqual([]);
    await client.db('shop').command({ collMod: 'dates', index: { name: 'at_1', ...EXPIRING } });
    expect(await emptied(dates)).toBe(true);
    expect(await text.countDocuments()).toBe(100);
  });

  it('on a capped collection is refused, or deletes', async () => {
    const capped = await client.db('shop').createCollection('capped', { capped: true, size: 65_536 });
    await capped.insertOne({ ...PAST });
    const outcome = await capped.createIndex({ at: 1 }, EXPIRING).then(
      async () => (await emptied(capped)) && 'deletes',
      ({ codeName }: MongoServerError) => codeName,
    );
    // 6.0.5, 6.0.27 and 7.0.28 refuse it. Later versions create it (SERVER-77586).
    expect(['CannotCreateIndex', 'deletes']).toContain(outcome);
    expect(await found(capped)).toEqual([]);
  });

  it('is lost when its collection becomes a capped one', async () => {
    const carts = client.db('shop').collection('carts');
    await carts.insertOne({ at: 'never' });
    await carts.createIndex({ at: 1 }, EXPIRING);
    await client.db('shop').command({ convertToCapped: 'carts', size: 65_536 });
    expect((await carts.indexes()).map(({ name }) => name)).toEqual(['_id_']);
  });
});
