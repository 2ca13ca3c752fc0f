import { describe, expect, it } from 'vitest';
import { retriedTransactions } from '../../checks/retried-transactions.js';
import { lint } from '../../src/lint/lint.js';
import { useServer } from '../support/server-with-client.js';
import { startReplicaSet } from '../support/servers.js';

const [CLERKS, SALES, CONFLICTS] = [12, 25, 100];
/** Few of them meet on a machine that is busy. */
const MOST_ROUNDS = 20;

describe('retried-transactions on a real server', () => {
  const server = useServer(() => startReplicaSet());
  const found = async (include: string, info = 0.1) => {
    const settings = { 'retried-transactions': { thresholds: { info } } };
    const { findings } = await lint({ uri: server.uri, include: [include], checks: [retriedTransactions], settings });
    return findings;
  };
  /** Twelve clerks sell at once: all from one shelf, or each from a shelf of its own. */
  const sell = async (name: string, shelfOf: (clerk: number) => number) => {
    const database = server.client.db(name);
    const [shelves, sales] = [
      database.collection<{ _id: number; left: number }>('shelves'),
      database.collection('sales'),
    ];
    await database.dropDatabase();
    await shelves.insertMany(Array.from({ length: CLERKS }, (_, shelf) => ({ _id: shelf, left: 1_000 })));
    await database.createCollection('sales');
    await database.command({ profile: 2 });
    let rounds = 0;
    let conflicts = 0;
    const wanted = shelfOf(1) === shelfOf(0) ? 2 * CONFLICTS : 0;
    do {
      const clerks = Array.from({ length: CLERKS }, async (_, clerk) => {
        for (let sale = 0; sale < SALES; sale += 1)
          await server.client.withSession((session) =>
            session.withTransaction(async () => {
              await shelves.updateOne({ _id: shelfOf(clerk) }, { $inc: { left: -1 } }, { session });
              await sales.insertOne({ clerk }, { session });
            }),
          );
      });
      await Promise.all(clerks);
      rounds += 1;
      conflicts = await database.collection('system.profile').countDocuments({ errName: 'WriteConflict' });
    } while (conflicts < wanted && rounds < MOST_ROUNDS);
    if (conflicts < wanted)
      throw new Error(`${conflicts} of ${wanted} conflicts were recorded in ${rounds} rounds: too few clerks met.`);
    expect(await sales.countDocuments()).toBe(rounds * CLERKS * SALES);
    await database.command({ profile: 0 });
  };

  it('is silent about clerks who sell from shelves of their own', async () => {
    await sell('apart', (clerk) => clerk);
    expect(await found('apart')).toEqual([]);
  });

  it('finds clerks who sell from one shelf, by their write, and nothing once each has a shelf', async () => {
    await sell('together', () => 0);
    const [finding, ...others] = await found('together');
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ namespace: 'together.shelves', path: null, evidence: { source: 'profiler' } });
    expect(finding?.message).toContain('update by `_id` failed in');
    const { failed, executions } = finding!.evidence;
    expect(Number(failed)).toBeGreaterThanOrEqual(CONFLICTS);
    expect(Number(executions)).toBeGreaterThan(Number(failed));

    await sell('together', (clerk) => clerk);
    // The server still counts what was aborted before.
    expect(await found('together', 1)).toEqual([]);
  });

  it('finds by the counters of the server what was not recorded', async () => {
    await sell('unrecorded', () => 0);
    await server.client.db('unrecorded').collection('system.profile').drop();
    expect(await found('unrecorded')).toMatchObject([{ namespace: '*', evidence: { source: 'serverStatus' } }]);
  });
});
