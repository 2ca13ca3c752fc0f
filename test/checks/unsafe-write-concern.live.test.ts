import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { unsafeWriteConcern } from '../../checks/unsafe-write-concern.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

const WRITES = 120;

describe('unsafe-write-concern on a real server', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const found = async () => {
    const { findings } = await lintShared({ include: [database.databaseName], checks: [unsafeWriteConcern] });
    return findings;
  };
  const pay = async (appName: string, w?: number) => {
    const application = new MongoClient(sharedReplicaSetUri(), { appName, ...(w !== undefined && { w }) });
    try {
      const payments = application.db(database.databaseName).collection('payments');
      for (let number = 0; number < WRITES; number += 1) await payments.insertOne({ number });
      // What was sent without asking for an answer has arrived before this has one.
      await application.db('admin').command({ ping: 1 });
    } finally {
      await application.close();
    }
  };

  it('finds an application that asks for no answer beside one that does, and nothing once it does, too', async () => {
    await database.createCollection('payments');
    await database.command({ profile: 2 });
    await pay('web');
    expect(await found()).toEqual([]);
    await pay('till', 0);
    await expect
      .poll(() => database.collection('system.profile').countDocuments({ op: 'insert', appName: 'till' }))
      .toBe(WRITES);
    const [finding, ...others] = await found();
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      severity: 'warning',
      namespace: `${database.databaseName}.payments`,
      evidence: { unacknowledged: WRITES, byMajority: WRITES },
    });
    await database.command({ profile: 0 });
    await database.collection('system.profile').drop();
    await database.command({ profile: 2 });
    await pay('web');
    await pay('till');
    await database.command({ profile: 0 });
    expect(await found()).toEqual([]);
  });
});
