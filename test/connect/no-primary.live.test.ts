import { MongoClient } from 'mongodb';
import { ConnectionString } from 'mongodb-connection-string-url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lint } from '../../src/lint/lint.js';
import { startMemberSet, type MemberSet } from '../support/member-set.js';
import { startStandalone } from '../support/servers.js';

const [PRIMARY, SECONDARY, ARBITER] = [0, 1, 2];
const TIMEOUT = 5_000;
const DOCUMENTS = 100;

const posts = (length: number) => Array.from({ length }, () => ({ text: 'words' }));

/** A real replica set of a primary, a secondary that can't be elected, and an arbiter. The primary is stopped midway. */
describe('a replica set of two members and an arbiter', () => {
  let set: MemberSet;
  const hostOf = (member: number) => set.members[member]?.options.hosts[0]?.toString() ?? '';

  beforeAll(async () => {
    set = await startMemberSet(3, 1);
    const client = await new MongoClient(set.uri).connect();
    const threads = Array.from({ length: DOCUMENTS }, (_, index) => ({ posts: posts(Math.ceil(4_000 / (index + 1))) }));
    for (const name of ['threads', 'topics']) {
      await client
        .db('shop')
        .collection(name)
        .insertMany(
          threads.map((thread) => ({ ...thread })),
          { writeConcern: { w: 2 } },
        );
    }
    await client.close();
  });
  afterAll(() => set?.stop());

  it.each(['?directConnection=true', ''])('is not linted from the arbiter alone, which is named: "%s"', async (how) => {
    await expect(lint({ uri: `mongodb://${hostOf(ARBITER)}/${how}`, timeout: TIMEOUT })).rejects.toThrow(
      `${hostOf(ARBITER)} is an arbiter of the replica set members and holds no data. Connect to a member that does: ${hostOf(PRIMARY)}, ${hostOf(SECONDARY)}.`,
    );
  });

  it('is found from the arbiter if the connection string names the set', async () => {
    const uri = `mongodb://${hostOf(ARBITER)}/?replicaSet=members`;
    const report = await lint({ uri, timeout: TIMEOUT, include: ['shop.*'] });
    expect(report.failures).toEqual([]);
    expect(report.summary.documentsSampled).toBe(2 * DOCUMENTS);
  });

  it('is not linted over a direct connection to a member that is recovering', async () => {
    const secondary = set.members[SECONDARY]?.db('admin');
    await secondary?.command({ replSetMaintenance: 1 });
    try {
      await expect(
        lint({ uri: `mongodb://${hostOf(SECONDARY)}/?directConnection=true`, timeout: TIMEOUT }),
      ).rejects.toThrow(
        `${hostOf(SECONDARY)} is a member of the replica set members that can't be read now: it is starting, recovering or rolling back.`,
      );
    } finally {
      await secondary?.command({ replSetMaintenance: 0 });
    }
  });

  it('is linted from the secondary alone', async () => {
    const uri = `mongodb://${hostOf(SECONDARY)}/?directConnection=true`;
    const report = await lint({ uri, timeout: TIMEOUT, include: ['shop.*'] });
    expect(report.failures).toEqual([]);
    expect(report.cluster.readFrom).toBe('secondary');
    expect(report.summary.documentsSampled).toBe(2 * DOCUMENTS);
  });

  it('is linted without a primary, and says what needs one', async () => {
    await set.stopMember(PRIMARY);
    const report = await lint({ uri: set.uri, timeout: TIMEOUT, include: ['shop.*'] });
    expect(report.failures).toEqual([]);
    expect(report.cluster.readFrom).toBe('secondary');
    expect(report.findings.map(({ check, namespace }) => `${check} ${namespace}`)).toContain(
      'unbounded-array shop.threads',
    );
    expect(report.skipped.filter(({ reason }) => reason === 'connection')).toEqual([]);
    const usage = report.skipped.filter(
      ({ check, namespace }) => check === 'unused-index' && namespace === 'shop.threads',
    );
    expect(usage.map(({ detail }) => detail)).toEqual([expect.stringContaining('no primary')]);
  });
});

it('names a member whose replica set is not initiated', async () => {
  const server = await startStandalone({ args: ['--replSet', 'later'] });
  try {
    const uri = new ConnectionString(server.uri);
    uri.searchParams.set('directConnection', 'true');
    await expect(lint({ uri: uri.href, timeout: TIMEOUT })).rejects.toThrow(
      / is a member of a replica set that is not initiated, .*: run rs\.initiate\(\) there/,
    );
  } finally {
    await server.stop();
  }
});
