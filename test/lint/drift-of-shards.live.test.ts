/** An index that one of two real shards lacks. Their router is stood in for; the shards are collected from directly. */
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTemporaryFolder } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { startShardedCluster, type ShardedCluster } from '../support/sharding/sharded-cluster.js';
import { grown, plantSharded } from '../support/sharding/sharded-collections.js';

let cluster: ShardedCluster;
let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;

beforeAll(async () => {
  folder = await createTemporaryFolder(tmpdir());
  cluster = await startShardedCluster();
  const orders = cluster.client.db('shop').collection('orders');
  await orders.createIndexes([{ key: { status: 1 } }, { key: { total: 1 } }]);
  const documents = grown(({ index }) => ({ customer: index, status: 'a', total: 1 }));
  await plantSharded(cluster, 'shop.orders', documents, { customer: 1 });
});
afterAll(async () => {
  await cluster?.stop();
  await folder?.remove();
});

async function compared(): Promise<{ readonly exitCode: number; readonly told: readonly string[] }> {
  for (const [name, client] of cluster.shards) {
    const uri = `mongodb://${client.options.hosts.join()}/?directConnection=true`;
    const argv = ['collect', '--include', 'shop.*', '--output', `${name}.jsonl`, '--quiet'];
    await runCaptured(argv, { MONGODB_URI: uri }, folder.path);
  }
  const argv = ['compare', 'sh1.jsonl', 'sh2.jsonl', '--fail-on', 'drift', '--format', 'json'];
  const { exitCode, stdout } = await runCaptured(argv, {}, folder.path);
  const { differences = [] } = (JSON.parse(stdout) as Report).drift ?? {};
  return { exitCode, told: differences.filter(({ declared }) => declared).map(({ message }) => message) };
}

it('is a difference that fails, and none once it is there', async () => {
  const sh2 = cluster.shards.get('sh2')?.db('shop').collection('orders');
  await sh2?.dropIndex('status_1');
  expect(await compared()).toEqual({
    exitCode: 1,
    told: ['Index `status_1` `{ status: 1 }` is only in sh1.jsonl.'],
  });
  await sh2?.createIndex({ status: 1 });
  expect(await compared()).toMatchObject({ told: [] });
});
