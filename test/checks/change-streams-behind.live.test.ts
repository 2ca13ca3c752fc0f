import { setTimeout as delay } from 'node:timers/promises';
import type { MongoClient, ResumeToken } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { changeStreamsBehind } from '../../checks/change-streams-behind.js';
import { lint } from '../../src/lint/lint.js';
import { useServer } from '../support/server-with-client.js';
import { startReplicaSet } from '../support/servers.js';

/** The oplog of servers for tests, in MB. */
const OPLOG = 64;
const MEGABYTE = 'x'.repeat(1_000_000);

/** The next event's token, of a stream that goes on from a token if there is one. */
async function follow(client: MongoClient, resumeAfter?: ResumeToken): Promise<ResumeToken> {
  const orders = client.db('shop').collection('orders');
  const stream = orders.watch([], resumeAfter === undefined ? {} : { resumeAfter });
  const next = stream.next();
  const writing = setInterval(() => void orders.insertOne({}), 50);
  try {
    return (await next)._id;
  } finally {
    clearInterval(writing);
    await stream.close();
  }
}

describe('change-streams-behind on a real server', () => {
  // Each operation is in the log. The server removes no more of the oplog than what a checkpoint has: there is one each second.
  const server = useServer(() => startReplicaSet({ args: ['--slowms', '0', '--syncdelay', '1'] }));
  const foundSince = async (since: Date, behind = 3_600_000) => {
    const settings = { 'change-streams-behind': { thresholds: { behind } } };
    const { findings } = await lint({
      uri: server.uri,
      checks: [changeStreamsBehind],
      settings,
      since: since.toISOString(),
    });
    return findings;
  };

  it('finds a stream that resumes from before, and none that is followed', async () => {
    const begun = new Date();
    const token = await follow(server.client);
    expect(await foundSince(begun, 1_000)).toEqual([]);
    await delay(2_000);
    await follow(server.client, token);
    const [finding, ...others] = await foundSince(begun, 1_000);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ severity: 'info', namespace: 'shop.orders', path: null });
    expect(finding?.evidence['furthestBehindMs']).toBeGreaterThanOrEqual(1_000);
    expect(await foundSince(begun)).toEqual([]);
  });

  it('finds one whose changes the oplog has no more, and nothing once it begins anew', async () => {
    const begun = new Date();
    const token = await follow(server.client);
    const fill = async (megabytes: number) => {
      const logs = server.client.db('shop').collection('logs');
      for (let written = 0; written < megabytes; written += 10)
        await logs.insertMany(Array.from({ length: 10 }, () => ({ MEGABYTE })));
    };
    await fill(OPLOG + 20);
    const resumed = async () => {
      await fill(10);
      return follow(server.client, token).then(
        () => 'resumed',
        (error: { codeName?: string }) => error.codeName,
      );
    };
    await expect.poll(resumed, { interval: 500 }).toBe('ChangeStreamHistoryLost');
    const [finding, ...others] = await foundSince(begun);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      severity: 'warning',
      namespace: 'shop.orders',
      evidence: { changeStreamsLost: 1 },
    });

    const cured = new Date();
    await follow(server.client, await follow(server.client));
    expect(await foundSince(cured)).toEqual([]);
  });
});
