import { Double, type Db, type Document, type MongoServerError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortOplog } from '../../checks/short-oplog.js';
import { lint } from '../../src/lint/lint.js';
import { startMemberSet, type MemberSet } from '../support/member-set.js';
import { useServer } from '../support/server-with-client.js';
import { startReplicaSet } from '../support/servers.js';

const MB = 1024 * 1024;
/** The oplog of the tests' servers has 64 MB. */
const WRITES = 14;
const BOTH: Document = { $changeStream: { fullDocument: 'required', fullDocumentBeforeChange: 'required' } };

/** What a change stream that asks for the document before and after an update gets. */
async function eventOf(database: Db, name: string): Promise<string> {
  const { cursor } = await database.command({ aggregate: name, pipeline: [BOTH], cursor: { batchSize: 0 } });
  await database.collection(name).updateOne({}, { $inc: { version: 1 } });
  try {
    for (;;) {
      const { cursor: batch } = await database.command({ getMore: cursor.id, collection: name, maxTimeMS: 1_000 });
      if (batch.nextBatch.length > 0) return 'an event';
    }
  } catch (error) {
    return String((error as MongoServerError).codeName);
  }
}

describe('short-oplog on a real server', () => {
  // Updates of 9 MB may be slow, and are to be recorded by the profiler alone.
  const server = useServer(() => startReplicaSet({ args: ['--slowms', '600000'] }));
  const lintIt = async (observedDays: number) => {
    const {
      findings,
      letPass = [],
      skipped,
    } = await lint({
      uri: server.uri,
      exclude: ['admin.*'],
      checks: [shortOplog],
      settings: { 'short-oplog': { thresholds: { observedDays } } },
    });
    expect(skipped.filter(({ check }) => check === 'short-oplog')).toEqual([]);
    return { found: findings.map(({ severity, namespace }) => `${severity} ${namespace}`), findings, letPass };
  };

  it('finds an oplog that is full after a minute, and nothing once it is enlarged', async () => {
    expect(await lintIt(0)).toMatchObject({ found: [], letPass: [] });
    const files = server.client.db('other').collection('files');
    for (let file = 0; file < WRITES; file += 1) await files.insertOne({ content: Buffer.alloc(5 * MB, file) });
    const { found, findings } = await lintIt(0);
    expect(found).toEqual(['warning local.oplog.rs']);
    expect(findings[0]?.evidence).toMatchObject({ maximumOplogBytes: 64 * MB });
    // By default, a server that has just begun is excused.
    expect(await lintIt(1)).toMatchObject({ found: [], letPass: [{ namespace: 'local.oplog.rs' }] });
    await server.client.db('admin').command({ replSetResizeOplog: 1, size: new Double(2_000) });
    expect(await lintIt(0)).toMatchObject({ found: [], letPass: [] });
  });

  it('finds documents whose change events fail, and nothing once they are kept without images', async () => {
    const database = server.client.db('plans');
    const options = { changeStreamPreAndPostImages: { enabled: true } };
    const [plans, small] = await Promise.all(
      ['plans', 'small_plans'].map((name) => database.createCollection<Document>(name, options)),
    );
    await plans?.insertOne({ drawing: Buffer.alloc(9 * MB), version: 1 });
    await small?.insertOne({ drawing: Buffer.alloc(7 * MB), version: 1 });
    expect(await eventOf(database, 'small_plans')).toBe('an event');
    expect(await eventOf(database, 'plans')).toBe('BSONObjectTooLarge');
    expect((await lintIt(1)).found).toEqual(['info plans.plans']);
    await database.command({ profile: 2 });
    await plans?.updateOne({}, { $inc: { version: 1 } });
    await database.command({ profile: 0 });
    expect((await lintIt(1)).found).toEqual(['warning plans.plans']);
    await database.command({ collMod: 'plans', changeStreamPreAndPostImages: { enabled: false } });
    expect((await lintIt(1)).found).toEqual([]);
  });
});

describe('short-oplog on a replica set of three', () => {
  let set: MemberSet;
  beforeAll(async () => {
    set = await startMemberSet(3);
  });
  afterAll(() => set.stop());

  it('finds that a member which is down is behind by half of the window, and not before', async () => {
    const files = set.members[0]?.db('shop').collection('files');
    for (let file = 0; file < WRITES; file += 1) await files?.insertOne({ content: Buffer.alloc(5 * MB, file) });
    const found = async () => {
      const settings = { 'short-oplog': { thresholds: { windowDays: 0, observedDays: 0 } } };
      const { findings } = await lint({ uri: set.uri, include: ['shop'], checks: [shortOplog], settings });
      return findings.map(({ severity, namespace, evidence }) => [
        severity,
        namespace,
        Number(evidence['furthestBehindMs']) > 0,
      ]);
    };
    // Members may lag behind writes of 5 MB on a busy machine, and catch up.
    await expect.poll(found, { timeout: 240_000, interval: 1_000 }).toEqual([]);
    await set.stopMember(2);
    const goOn = async () => {
      await files?.insertOne({ content: null });
      return found();
    };
    await expect.poll(goOn, { timeout: 240_000, interval: 1_000 }).toEqual([['error', 'local.oplog.rs', true]]);
  });
});
