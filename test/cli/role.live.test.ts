import { runInNewContext } from 'node:vm';
import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineCheck, defineClusterCheck, type AnyCheck, type AnyCollectionCheck } from '../../src/check.js';
import { roleScript } from '../../src/cli/role-command.js';
import { connect, type Connection } from '../../src/connect/connect.js';
import { isBefore } from '../../src/connect/server-version.js';
import type { Privilege } from '../../src/evidence/source.js';
import { EVIDENCE_NAMES, type NeededPrivileges, privilegesOf } from '../../src/evidence/sources.js';
import type { Skipped } from '../../src/finding.js';
import { neededEvidence } from '../../src/findings/evidence-plan.js';
import { readShardedCollections } from '../../src/inventory/sharding.js';
import { lint } from '../../src/lint/lint.js';
import { reportSchema } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import type { EmbeddedServer } from '../support/mongod/embedded-server.js';
import { findMongod6027 } from '../support/mongod/mongod-6.0.27.js';
import { startWithAuth } from '../support/servers.js';
import { recordingShell } from '../support/shell-database.js';

/** Asks for all evidence that a server without shards has, and says what of it is missing. */
const everything: readonly AnyCheck[] = [
  defineCheck({
    id: 'all-of-a-collection',
    title: 'All of a collection',
    summary: 'everything that can be known of a collection',
    appliesTo: ['collection'],
    needs: ['storage', 'indexes', 'indexUsage', 'documents', 'largestDocuments'],
    thresholds: {},
    judge: () => [],
  }),
  defineClusterCheck({
    id: 'all-of-the-workload',
    title: 'All of the workload',
    summary: 'everything that can be known of the workload',
    needs: [],
    clusterNeeds: ['workload'],
    thresholds: {},
    judge: ({ workload }) =>
      [workload.counters, ...Object.values(workload.sources)]
        .flatMap((source) => (source.present ? ('gaps' in source.value ? source.value.gaps : []) : [source]))
        .filter(({ reason }) => reason === 'privilege')
        .map(({ reason, detail }) => ({ notJudged: reason, detail })),
  }),
];

/** Measured: 6.0.5 has none, 6.0.27 and 7.0.28 have them, and their privileges. */
function hasQueryStats({ version }: EmbeddedServer): boolean {
  return !isBefore(version, '6.0.27');
}

const onConfig = ({ resource }: Privilege) => 'db' in resource && resource.db === 'config';

/** Runs the script as mongosh would; returns what the server refused. */
async function runScript(script: string, client: MongoClient): Promise<string[]> {
  const commands: { db: string; command: Document }[] = [];
  const db = recordingShell((command) => commands.push(command));
  runInNewContext(script, { db, passwordPrompt: () => 'pass-word' });
  const refused: string[] = [];
  for (const { db: name, command } of commands) {
    try {
      await client.db(name).command(structuredClone(command));
    } catch (error) {
      // The script goes on after this one refusal, and after no other.
      if (!/Unrecognized action/.test((error as Error).message)) throw error;
      refused.push((error as Error).message);
    }
  }
  return refused;
}

function uriOf(server: EmbeddedServer, user: string): string {
  return server.uri.replace(/\/\/.*@/, `//${user}:pass-word@`);
}

function useServer(start: () => Promise<EmbeddedServer>): {
  readonly server: EmbeddedServer;
  readonly client: MongoClient;
} {
  const used: { server?: EmbeddedServer; client?: MongoClient } = {};
  beforeAll(async () => {
    used.server = await start();
    used.client = new MongoClient(used.server.uri);
    const shop = used.client.db('shop');
    await shop.command({ profile: 2 });
    await shop.collection('orders').insertMany(Array.from({ length: 300 }, (_, index) => ({ index, items: [index] })));
    await shop.collection('orders').find({ index: 3 }).toArray();
    await shop.createCollection('readings', { timeseries: { timeField: 'at' } });
    await shop.collection('readings').insertOne({ at: new Date() });
    await shop.createCollection('big', { viewOn: 'orders', pipeline: [{ $match: { index: { $gt: 9 } } }] });
    await used.client.db('crm').collection('leads').insertOne({ name: 'a' });
  });
  afterAll(async () => {
    await used.client?.close();
    await used.server?.stop();
  });
  return used as Required<typeof used>;
}

/** Lints as a user who has these privileges and no other; what that user could not see, or why nothing could be linted. */
async function missingTo(
  used: { server: EmbeddedServer; client: MongoClient },
  user: string,
  privileges: readonly Privilege[],
): Promise<readonly Skipped[] | string> {
  const admin = used.client.db('admin');
  await admin.command({ createRole: user, privileges, roles: [] });
  await admin.command({ createUser: user, pwd: 'pass-word', roles: [user] });
  try {
    const { skipped } = await lint({ uri: uriOf(used.server, user), checks: everything });
    return skipped.filter(({ reason }) => reason === 'privilege');
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the role of mongolint role', () => {
  const used = useServer(() => startWithAuth());

  it('shows as much as the root user sees', async () => {
    const { stdout } = await runCaptured(['role']);
    await runScript(stdout, used.client);
    const asUser = await runCaptured(['--format', 'json'], { MONGODB_URI: uriOf(used.server, 'mongolint') });
    const asRoot = await runCaptured(['--format', 'json'], { MONGODB_URI: used.server.uri });
    const [user, root] = [asUser, asRoot].map(({ stdout: json }) => reportSchema.parse(JSON.parse(json)));
    expect(user?.skipped.filter(({ reason }) => reason === 'privilege')).toEqual([]);
    expect(user?.skipped.map(({ check, reason }) => `${check} ${reason}`)).toEqual(
      root?.skipped.map(({ check, reason }) => `${check} ${reason}`),
    );
    expect(user?.collections.map(({ namespace }) => namespace)).toEqual([
      'crm.leads',
      'shop.big',
      'shop.orders',
      'shop.readings',
    ]);
    expect(asUser.exitCode).toBe(asRoot.exitCode);
  });

  it('allows no write', async () => {
    const client = new MongoClient(uriOf(used.server, 'mongolint'));
    await expect(client.db('shop').collection('orders').insertOne({ a: 1 })).rejects.toMatchObject({
      codeName: 'Unauthorized',
    });
    await expect(client.db('shop').collection('orders').createIndex({ a: 1 })).rejects.toMatchObject({
      codeName: 'Unauthorized',
    });
    await expect(client.db('shop').command({ profile: 0 })).rejects.toMatchObject({ codeName: 'Unauthorized' });
    await client.close();
  });

  it('can be given the role for connections straight to shards, which the script names in a comment', async () => {
    const { stdout } = await runCaptured(['role']);
    const [role] = /(?<=\["?)directShardOperations/.exec(stdout) ?? [];
    const grant = { grantRolesToRole: 'mongolint', roles: [role] };
    expect(await used.client.db('admin').command(grant)).toMatchObject({ ok: 1 });
    const revoke = { revokeRolesFromRole: 'mongolint', roles: [role] };
    expect(await used.client.db('admin').command(revoke)).toMatchObject({ ok: 1 });
  });

  it('is brought up to date by role --update', async () => {
    const privilegesOfRole = async () => {
      const { roles } = await used.client.db('admin').command({ rolesInfo: 'mongolint', showPrivileges: true });
      return roles[0].privileges as unknown[];
    };
    const before = await privilegesOfRole();
    await used.client.db('admin').command({ updateRole: 'mongolint', privileges: [] });
    const { stdout } = await runCaptured(['role', '--update']);
    expect(stdout).not.toContain('createUser');
    await runScript(stdout, used.client);
    expect(await privilegesOfRole()).toEqual(before);
  });

  it('leaves out what this server does not know', async () => {
    const script = roleScript(privilegesOf(neededEvidence(everything))).replaceAll('"mongolint"', '"all-evidence"');
    const refused = await runScript(script, used.client);
    expect(refused).toHaveLength(hasQueryStats(used.server) ? 0 : 1);
    for (const each of refused) expect(each).toContain('queryStatsRead');
    const { skipped } = await lint({ uri: uriOf(used.server, 'all-evidence'), checks: everything });
    // If the server knows no such privilege, not even the root user may read query stats.
    expect(skipped.filter(({ reason }) => reason === 'privilege')).toEqual([]);
  });

  const { always, whereKnown } = privilegesOf(neededEvidence(everything));
  const single = always
    .filter((privilege) => !onConfig(privilege))
    .flatMap(({ resource, actions }) => actions.map((action) => ({ resource, action })));

  it.each(single.map((one, index) => [JSON.stringify(one.resource), one.action, index] as const))(
    'needs on %s the action %s',
    async (resource, action, index) => {
      const all = [...always, ...(hasQueryStats(used.server) ? whereKnown : [])];
      const without = all
        .map((privilege) => ({
          ...privilege,
          actions: privilege.actions.filter(
            (other) => other !== action || JSON.stringify(privilege.resource) !== resource,
          ),
        }))
        .filter(({ actions }) => actions.length > 0);
      expect(await missingTo(used, `without-${index}`, all)).toEqual([]);
      expect(await missingTo(used, `lacking-${index}`, without)).not.toEqual([]);
    },
  );
});

describe('what is read of the databases config and local', () => {
  const used = useServer(() => startWithAuth());
  const all = defineCheck({ ...(everything[0] as AnyCollectionCheck), id: 'all-evidence', needs: EVIDENCE_NAMES });
  const { always } = privilegesOf(neededEvidence([all]));
  const explicit = always.flatMap((privilege) =>
    'db' in privilege.resource && privilege.resource.db !== '' ? [{ privilege, resource: privilege.resource }] : [],
  );

  async function connectedWith(user: string, privileges: readonly Privilege[]): Promise<Connection> {
    const admin = used.client.db('admin');
    await admin.command({ createRole: user, privileges, roles: [] });
    await admin.command({ createUser: user, pwd: 'pass-word', roles: [user] });
    return connect({ uri: uriOf(used.server, user), timeout: 120_000, maxTime: 600_000, concurrency: 1 });
  }

  it('is how collections are sharded', async () => {
    const connection = await connectedWith('sharding-reader', always);
    expect(await readShardedCollections(connection.reader, '6.0.5')).toMatchObject({ present: true });
    await connection.close();
  });

  it.each(
    explicit.map(({ privilege, resource }) => [`${resource.db}.${resource.collection}`, privilege, resource] as const),
  )('is granted for %s alone', async (name, privilege, { db, collection }) => {
    const withAll = await connectedWith(`with-${name}`, always);
    expect(await withAll.reader.aggregate(db, collection, []).toArray()).toEqual(expect.any(Array));
    await withAll.close();
    const without = await connectedWith(
      `without-${name}`,
      always.filter((other) => other !== privilege),
    );
    await expect(without.reader.aggregate(db, collection, []).toArray()).rejects.toMatchObject({
      codeName: 'Unauthorized',
    });
    await without.close();
  });
});

describe('the role on a server with query stats', () => {
  const used = useServer(async () =>
    startWithAuth({ mongod: await findMongod6027(), args: ['--setParameter', 'internalQueryStatsRateLimit=-1'] }),
  );

  it('reads them with the privilege that newer servers know, and not without', async () => {
    const privileges: NeededPrivileges = privilegesOf(neededEvidence(everything));
    expect(await runScript(roleScript(privileges), used.client)).toEqual([]);
    const all = [...privileges.always, ...privileges.whereKnown];
    expect(await missingTo(used, 'with-query-stats', all)).toEqual([]);
    for (const action of ['queryStatsRead', 'queryStatsReadTransformed']) {
      const without = all.map(({ resource, actions }) => ({
        resource,
        actions: actions.filter((other) => other !== action),
      }));
      expect(await missingTo(used, `without-${action}`, without)).toEqual([
        { check: 'all-of-the-workload', reason: 'privilege', detail: expect.stringContaining('queryStatsRead') },
      ]);
    }
  });
});
