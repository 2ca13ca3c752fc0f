import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connect, type Connection } from '../../src/connect/connect.js';
import { LostMemberError } from '../../src/connect/server-error.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { command } from '../support/wire/phases.js';
import { wrongDocumentLength, wrongMessageLength } from '../support/wire/reply-treatments.js';
import type { ClientRoad, ReplyTreatment } from '../support/wire/wire-fault.js';
import { WireProxy } from '../support/wire/wire-proxy.js';

const client = sharedClient();
const database = freshDatabase(client);
const DOCUMENTS = 300;
beforeAll(async () => {
  await database.collection('orders').insertMany(Array.from({ length: DOCUMENTS }, (_, number) => ({ number })));
});

/** What is left of such a reply would be taken for the beginning of the next. */
const DAMAGES: readonly (readonly [string, ReplyTreatment])[] = [
  ['a message that is too short', wrongMessageLength('too short')],
  ['a document that is too long', wrongDocumentLength('too long')],
  ['a document that is too short', wrongDocumentLength('too short')],
];

describe.each(DAMAGES)('after %s', (_, damage) => {
  let proxy: WireProxy;
  let connection: Connection;
  let damaged: ClientRoad | undefined;
  beforeEach(async () => {
    damaged = undefined;
    proxy = await WireProxy.start({ uri: sharedReplicaSetUri() });
    connection = await connect({ uri: proxy.uri, timeout: 8_000, maxTime: 600_000, concurrency: 1 });
    proxy.faults = [
      {
        on: command('count'),
        times: 1,
        reply: (exchange) => {
          damaged = exchange.client;
          return damage(exchange);
        },
      },
    ];
  });
  afterEach(async () => {
    await connection.close();
    await proxy.stop();
  });
  const count = () => connection.reader.command(database.databaseName, { count: 'orders' });

  it('the connection is closed, and what is read next is answered', async () => {
    await expect(count()).rejects.toBeInstanceOf(Error);
    await damaged?.closed;
    expect(damaged).toBeDefined();
    expect(await count()).toMatchObject({ n: DOCUMENTS });
  });

  it('a cursor that was under way fails, rather than ends as if it had read all', async () => {
    const cursor = connection.reader.findRaw(database.databaseName, 'orders', {}, { batchSize: 10 });
    expect(await cursor.hasNext()).toBe(true);
    // Over a slow link a batch holds fewer than the 10 that were asked for.
    expect(cursor.readBufferedDocuments()).not.toHaveLength(0);
    await expect(count()).rejects.toBeInstanceOf(Error);
    await expect(cursor.hasNext()).rejects.toThrow(LostMemberError);
    await cursor.close();
  });
});
