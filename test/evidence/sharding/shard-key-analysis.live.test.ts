import { describe, expect, it } from 'vitest';
import { connect, type Connection } from '../../../src/connect/connect.js';
import { isBefore } from '../../../src/connect/server-version.js';
import { readShardKeyAnalysis } from '../../../src/evidence/sharding/shard-key-evidence.js';
import type { Collection } from '../../../src/inventory/collection.js';
import { shardKeyOf } from '../../../src/inventory/sharding.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../../support/database.js';

const SINCE_7_0 = [
  { present: true, value: { documentsSampled: 400, distinctValues: 400 } },
  {
    present: false,
    reason: 'insufficient',
    detail: expect.stringContaining('no index supports the key. To have it analyzed, run db.getSiblingDB('),
  },
];

describe('analyzeShardKey', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const orders = database.collection('orders');

  async function analysis(connection: Connection, key: string) {
    const { reader, cluster } = connection;
    const collection = { namespace: orders.namespace } as Collection;
    return readShardKeyAnalysis(reader, collection, shardKeyOf({ [key]: 1 }), cluster.version);
  }

  // It exists from 7.0 on: what is expected depends on the server that the tests run on.
  it('is read where there is an index, and says what to run where there is none', async () => {
    await orders.insertMany(Array.from({ length: 400 }, (_, number) => ({ number, customer: number % 4 })));
    await orders.createIndex({ number: 1 });
    const connection = await connect({
      uri: sharedReplicaSetUri(),
      timeout: 120_000,
      maxTime: 600_000,
      concurrency: 1,
    });
    try {
      const answers = [await analysis(connection, 'number'), await analysis(connection, 'customer')];
      const unknownCommand = { present: false, reason: 'unsupported' };
      expect(answers).toMatchObject(
        isBefore(connection.cluster.version, '7.0.0') ? [unknownCommand, unknownCommand] : SINCE_7_0,
      );
    } finally {
      await connection.close();
    }
  });
});
