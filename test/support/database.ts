import { randomBytes } from 'node:crypto';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, inject } from 'vitest';

/**
 * Connection string of the replica set that the tests share.
 *
 * @throws Error where no server could be started, with the reason.
 */
export function sharedReplicaSetUri(): string {
  const shared = inject('sharedReplicaSet');
  if ('failure' in shared) throw new Error(`This test needs a MongoDB server. ${shared.failure}`);
  return shared.uri;
}

/** Its version, for what differs from version to version: "6.0.5". */
export function sharedServerVersion(): string {
  const shared = inject('sharedReplicaSet');
  if ('failure' in shared) throw new Error(`This test needs a MongoDB server. ${shared.failure}`);
  return shared.version;
}

/** A client of the shared replica set, closed after the tests of the file or `describe` in which this is called. */
export function sharedClient(): MongoClient {
  const client = new MongoClient(sharedReplicaSetUri());
  afterAll(() => client.close());
  return client;
}

/**
 * A database that no other test uses. It is dropped after the tests of the file or `describe` in which this is called: call
 * it there, not in a hook or a test, and after registering the hook that closes the client, as hooks run last to first.
 */
export function freshDatabase(client: MongoClient): Db {
  const database = client.db(`test_${randomBytes(6).toString('hex')}`);
  afterAll(async () => {
    await database.dropDatabase();
  });
  return database;
}
