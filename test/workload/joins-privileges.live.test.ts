import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import { heavyLookup } from '../../checks/heavy-lookup.js';
import { lookupTypeMismatch } from '../../checks/lookup-type-mismatch/check.js';
import { missingLookupIndex } from '../../checks/missing-lookup-index.js';
import { unindexedReference } from '../../checks/unindexed-reference.js';
import type { EmbeddedMongod } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { lint } from '../../src/lint/lint.js';
import { fineChecks } from '../../src/report/collection-state.js';
import type { Report } from '../../src/report/report.js';
import { findMongod6027 } from '../support/mongod/mongod-6.0.27.js';
import { startWithAuth } from '../support/servers.js';

const CLUSTER = { cluster: true };
/** What each source takes beside reading the data. */
const PRIVILEGES: Readonly<Record<string, Document>> = {
  profiler: { resource: { db: 'shop', collection: 'system.profile' }, actions: ['find'] },
  queryStats: { resource: CLUSTER, actions: ['queryStatsRead', 'queryStatsReadTransformed'] },
  recentLog: { resource: CLUSTER, actions: ['getLog'] },
  counters: { resource: CLUSTER, actions: ['serverStatus'] },
};
const SOURCES = Object.keys(PRIVILEGES);
const NAMED: Readonly<Record<string, string>> = {
  profiler: 'find on system.profile of the database',
  queryStats: 'queryStatsRead on the cluster',
  recentLog: 'getLog on the cluster',
  counters: 'serverStatus on the cluster',
};

const join = (from: string) => ({ $lookup: { from, localField: 'number', foreignField: 'order', as: from } });
const found = ({ findings }: Report) =>
  findings.map(({ check, namespace, path }) => `${check} ${namespace} ${path}`).sort();
const refused = ({ skipped }: Report, check: string) =>
  skipped.filter((entry) => entry.check === check && entry.reason === 'privilege').map(({ detail }) => detail);

describe('joins, for users who may not read every source', () => {
  let server: EmbeddedMongod;

  beforeAll(async () => {
    server = await startWithAuth({
      mongod: await findMongod6027(),
      args: ['--setParameter', 'internalQueryStatsRateLimit=-1'],
    });
    const root = await new MongoClient(server.uri, { appName: 'shop' }).connect();
    const shop = root.db('shop');
    await shop.collection('orders').insertMany(Array.from({ length: 10 }, (_, number) => ({ number })));
    for (const name of ['payments', 'notes']) {
      await shop.collection(name).insertMany(Array.from({ length: 1_500 }, (_, number) => ({ order: number })));
    }
    await shop.createCollection('noted', { viewOn: 'orders', pipeline: [join('notes')] });
    await shop.command({ profile: 2, slowms: -1 });
    await shop
      .collection('orders')
      .aggregate([join('payments')])
      .toArray();
    await shop.command({ profile: 0, slowms: 100 });
    for (const [user, lacking] of [
      ...SOURCES.map((source) => [source, [source]] as const),
      ['nothing', SOURCES] as const,
      ['all', []] as const,
    ]) {
      const privileges = SOURCES.filter((source) => !(lacking as readonly string[]).includes(source)).map(
        (source) => PRIVILEGES[source],
      );
      await root
        .db('admin')
        .command({ createRole: `without ${user}`, privileges, roles: [{ role: 'read', db: 'shop' }] });
      await root.db('admin').command({ createUser: user, pwd: 'password', roles: [`without ${user}`] });
    }
    await root.close();
  });
  afterAll(() => server?.stop());

  function lintAs(user: string): Promise<Report> {
    const uri = server.uri.replace(/\/\/[^@]*@/, `//${user}:password@`);
    return lint({
      uri,
      include: ['shop.*'],
      checks: [missingLookupIndex, heavyLookup, lookupTypeMismatch, unindexedReference, collectionScan],
    });
  }

  const BOTH = ['missing-lookup-index shop.notes order', 'missing-lookup-index shop.payments order'];

  it('are judged in full with all of them', async () => {
    const report = await lintAs('all');
    expect(report.skipped).toEqual([]);
    expect(found(report)).toEqual(BOTH);
  });

  it.each(SOURCES)(
    'without %s are judged by the others, and the privilege that is missing is named once',
    async (source) => {
      const report = await lintAs(source);
      expect(found(report)).toEqual(BOTH);
      // Severities hang on recorded operations, not on the counters of the whole server.
      const named = refused(report, 'heavy-lookup').map((detail) => detail.includes(NAMED[source] as string));
      expect(named).toEqual(source === 'counters' ? [] : [true]);
      expect(refused(report, 'missing-lookup-index')).toHaveLength(source === 'counters' ? 0 : 1);
      // Plans of operations that are only in query stats are not known.
      const others = report.skipped.filter(({ reason }) => reason !== 'privilege');
      const withoutPlans = others.filter(({ detail }) => detail.startsWith('query stats do not say how'));
      expect(withoutPlans.map(({ check }) => check)).toEqual(source === 'profiler' ? ['collection-scan'] : []);
      expect(others).toEqual(withoutPlans);
    },
  );

  it('with none of them are judged by the definitions of views', async () => {
    const report = await lintAs('nothing');
    expect(found(report)).toEqual(['missing-lookup-index shop.notes order']);
    expect(refused(report, 'heavy-lookup')).toHaveLength(SOURCES.length - 1);
    expect(report.skipped.map(({ reason }) => reason)).not.toContain('fault');
    // Views are no record of operations: the checks of those have judged nothing, and must not look as if they ran clean.
    expect(report.checks?.filter(({ judged }) => judged === 0).map(({ check }) => check)).toEqual([
      'heavy-lookup',
      'collection-scan',
    ]);
    expect(report.summary.checks).toMatchObject({ ran: 3 });
    const { inFull, inPart } = fineChecks(report);
    expect([...inFull, ...inPart]).not.toContain('collection-scan');
  });
});
