/** Two databases of a real server, collected and compared: what migrations made of one and not of the other. */
import { tmpdir } from 'node:os';
import { type Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';

const validator = (type: string) => ({
  $jsonSchema: { required: ['total'], properties: { total: { bsonType: type } } },
});

async function migrate(database: Db): Promise<void> {
  await database.createCollection('orders', { validator: validator('int') });
  await database.collection('orders').insertMany(Array.from({ length: 60 }, (_, total) => ({ total, customer: 'a' })));
  await database.collection('orders').createIndexes([
    { key: { customer: 1, total: -1 }, name: 'by_customer' },
    { key: { at: 1 }, name: 'expiring', expireAfterSeconds: 3600 },
    { key: { status: 1 }, name: 'open', partialFilterExpression: { open: true } },
    { key: { note: 'text' }, name: 'words', weights: { note: 2 } },
    { key: { email: 1 }, name: 'email', unique: true, sparse: true, collation: { locale: 'de', strength: 2 } },
  ]);
  await database.createCollection('totals', { viewOn: 'orders', pipeline: [{ $group: { _id: '$customer' } }] });
}

describe('the drift of two databases', () => {
  const client = sharedClient();
  const [staging, production] = [freshDatabase(client), freshDatabase(client)];
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
  const run = (...argv: string[]) => runCaptured(argv, { MONGODB_URI: sharedReplicaSetUri() }, folder.path);
  const collect = async (database: Db, name: string) => {
    const argv = ['collect', '--include', `${database.databaseName}.*`, '--output', `${name}.jsonl.gz`, '--quiet'];
    expect(await run(...argv)).toMatchObject({ exitCode: 0, stderr: '' });
  };
  const compare = async (...argv: string[]) => {
    const map = `${staging.databaseName}=${production.databaseName}`;
    const files = ['staging.jsonl.gz', 'production.jsonl.gz'];
    const { exitCode, stdout } = await run('compare', ...files, '--map', map, '--format', 'json', ...argv);
    return { exitCode, drift: (JSON.parse(stdout) as Report).drift };
  };

  beforeAll(async () => {
    folder = await createTemporaryFolder(tmpdir());
    await migrate(staging);
    await migrate(production);
    await collect(staging, 'staging');
  });
  afterAll(() => folder?.remove());

  it('is none after the same migrations, and then each change that one of them lacks', async () => {
    await collect(production, 'production');
    const alike = await compare('--fail-on', 'drift', '--strict');
    expect(alike.drift).toMatchObject({ compared: 2, differences: [], notCompared: [] });
    expect(alike.exitCode).not.toBe(1);

    const orders = production.collection('orders');
    await orders.dropIndex('by_customer');
    await orders.createIndex({ total: -1, customer: 1 }, { name: 'by_customer' });
    await orders.dropIndex('open');
    await orders.createIndex({ status: 1 }, { name: 'opened', partialFilterExpression: { open: true } });
    await production.command({ collMod: 'orders', index: { name: 'expiring', expireAfterSeconds: 60 } });
    await production.command({ collMod: 'orders', index: { name: 'email', hidden: true } });
    await production.command({ collMod: 'orders', validator: validator('long'), validationAction: 'warn' });
    await production.command({ collMod: 'totals', viewOn: 'orders', pipeline: [{ $group: { _id: '$status' } }] });
    await production.createCollection('carts');
    await collect(production, 'production');
    const { exitCode, drift } = await compare('--fail-on', 'drift');
    expect(exitCode).toBe(1);
    const told = drift?.differences.map(({ subject, name, in: side, changes }) => {
      return [subject, name, side, ...changes.map(({ what, old, new: after }) => `${what}: ${old} > ${after}`)];
    });
    expect(told).toEqual([
      ['collection', null, 'new'],
      [
        'validator',
        null,
        'both',
        '$jsonSchema.properties.total.bsonType: int > long',
        'validationAction: error > warn',
      ],
      ['index', 'by_customer', 'both', 'key: { customer: 1, total: -1 } > { total: -1, customer: 1 }'],
      ['index', 'expiring', 'both', 'expireAfterSeconds: 3600 > 60'],
      ['index', 'email', 'both', 'hidden: null > true'],
      ['index', 'opened', 'both', 'name: open > opened'],
      ['view', null, 'both', expect.stringContaining('pipeline: ')],
    ]);
  });
});
