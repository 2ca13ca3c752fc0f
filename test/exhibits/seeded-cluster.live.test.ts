import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInChecks } from '../../checks/index.js';
import { isClusterCheck } from '../../src/check.js';
import { connect } from '../../src/connect/connect.js';
import { createTemporaryFolder } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { CLUSTER_SOURCES } from '../../src/evidence/cluster-sources.js';
import { COLLECTION_SOURCES } from '../../src/evidence/collection-sources.js';
import { CLUSTER_EVIDENCE_NAMES, EVIDENCE_NAMES } from '../../src/evidence/sources.js';
import { separated } from '../../src/findings/further-reasons.js';
import { lint } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { auditedReport, type AuditResult } from '../audit/audited-report.js';
import { fileToRecord } from '../oracle/recording.js';
import { bothReports } from '../support/both-reports.js';
import { collectedEvidence, type CollectedEvidence } from '../support/collected-evidence.js';
import { newFindings, runRemedies } from '../support/remedy.js';
import { startReplicaSet } from '../support/servers.js';
import { betweenCheckpoints } from '../support/settled-files.js';
import { startShardedCluster } from '../support/sharding/sharded-cluster.js';
import { exhibits, exhibitSettings, outcomeOf } from './index.js';
import { BY_HAND, runAsPrinted } from './remedies.js';
import { seedCluster, SHOWN_BY_ROUTER } from './seed-cluster.js';
import { shardedExhibits } from './sharded/index.js';

/** Longest wait for a read: nothing may be skipped because the machine is busy. */
const PATIENCE_MS = 120_000;
const FROM_THE_WORKLOAD = new Set(
  builtInChecks.filter((check) => isClusterCheck(check) && check.clusterNeeds.includes('workload')).map(({ id }) => id),
);
const SHARDED = shardedExhibits.flatMap(({ bad, twin }) => [bad.name, twin.name]);

const READING = { include: ['demo'], timeout: PATIENCE_MS, settings: exhibitSettings('demo') };
const placesOf = (findings: Report['findings']) =>
  findings.map(({ check, namespace, path }) => `${check} ${namespace} ${path}`);

/** Errors are for --verbose alone, and are no part of what is kept. */
function withoutErrors(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, one: unknown) => (key === 'error' ? undefined : one)));
}

// What docker-compose.yml does in containers: seed, then lint. The router of the sharded cluster is stood in for here.
describe.each([
  // What a busy machine is slow at is none of the exhibits. While one of the checkpoints of each minute is taken, sizes are
  // of no moment.
  [
    'a replica set',
    () => startReplicaSet({ args: ['--slowms', '600000', '--syncdelay', '0'] }),
    exhibits,
    ['sharding', 'shardKey', 'load'],
  ],
  // The stand-in for the router passes $collStats on a time-series collection to the shards, as no mongos does.
  ['a sharded cluster', () => startShardedCluster(), SHOWN_BY_ROUTER, ['reads', 'buckets', 'oplogWindow']],
] as const)('%s with the data of the demo', (_, start, planted, impossible) => {
  const isSharded = planted === SHOWN_BY_ROUTER;
  let server: { readonly uri: string; stop(): Promise<void> };
  let client: MongoClient;
  let report: Report;
  let judged: Report;
  let audit: AuditResult | null;
  let collected: readonly CollectedEvidence[];

  beforeAll(async () => {
    server = await start();
    client = new MongoClient(server.uri);
    await seedCluster(server.uri);
    const folder = await createTemporaryFolder(tmpdir());
    const kept = await fileToRecord(isSharded ? 'demo-sharded' : 'demo');
    const file = kept ?? join(folder.path, 'zipped.jsonl.gz');
    const lintAndAudit = async () => {
      ({ linted: report, judged } = await bothReports(server.uri, file, { reading: READING }));
      // What audits expect is read from the profiler, which mongos has not.
      audit = isSharded ? null : await auditedReport(report, client.db('demo'));
    };
    await (isSharded ? lintAndAudit() : betweenCheckpoints([client], 'demo', lintAndAudit));
    await folder.remove();
    const demo = client.db('demo');
    await demo.createCollection('seen', { viewOn: exhibits[0]?.bad.name as string, pipeline: [{ $match: { a: 1 } }] });
    const connection = await connect({ uri: server.uri, timeout: PATIENCE_MS, maxTime: 300_000, concurrency: 4 });
    collected = await collectedEvidence(connection, ['demo']);
    await connection.close();
    await demo.collection('seen').drop();
  });
  afterAll(async () => {
    await client?.close();
    await server?.stop();
  });

  // mongos keeps no profile: what operations show is seen on the shards, or with query stats and logs.
  it.each(planted.filter(({ check }) => !isSharded || !FROM_THE_WORKLOAD.has(check)))(
    '$check reports only the first: $story',
    (exhibit) => expect(outcomeOf(exhibit, report)).toMatchObject({ fired: true, silent: true }),
  );

  it('has collections that only a sharded cluster can show where there are shards, and nowhere else', () => {
    const names = new Set(report.collections.map(({ namespace }) => namespace.slice('demo.'.length)));
    expect(SHARDED.filter((name) => names.has(name))).toEqual(isSharded ? SHARDED : []);
  });

  it('is not planted twice', async () => {
    await expect(seedCluster(server.uri)).rejects.toThrow('The database demo is not empty');
    const first = client.db('demo').collection(exhibits[0]?.bad.name as string);
    expect(await first.countDocuments()).toBe(400);
  });

  it('gives evidence of every source that this kind of cluster has', () => {
    const there = new Set(collected.flatMap(({ source, piece }) => (piece.present ? [source] : [])));
    const names = [...EVIDENCE_NAMES, ...CLUSTER_EVIDENCE_NAMES].filter(
      (name) => !(impossible as readonly string[]).includes(name),
    );
    expect([...there]).toEqual(expect.arrayContaining(names));
  });

  it.each(
    [...COLLECTION_SOURCES, ...CLUSTER_SOURCES].flatMap(({ name, schema }) =>
      schema === undefined ? [] : [[name, schema] as const],
    ),
  )('gives evidence as the schema of %s says, by which nothing is lost', (name, schema) => {
    for (const { of, piece } of collected.filter(({ source, piece: one }) => source === name && one.present)) {
      const value = piece.present ? piece.value : null;
      const parsed = schema.safeParse(value);
      expect({ of, issues: parsed.error?.issues ?? [] }).toEqual({ of, issues: [] });
      expect(withoutErrors(parsed.data)).toEqual(withoutErrors(value));
    }
  });

  it('is judged from its file of evidence as it is while it is collected, byte for byte', () => {
    expect(JSON.stringify(judged, null, 1)).toBe(JSON.stringify(report, null, 1));
    expect(report.findings.length, `skipped: ${JSON.stringify(report.skipped)}`).toBeGreaterThan(20);
  });

  // What follows needs everything to be judged.
  if (isSharded) return;

  it('finds nothing at warning or above in any well-designed twin', () => {
    const twins = new Set(exhibits.map(({ twin }) => `demo.${twin.name}`));
    const loud = report.findings.filter(({ namespace, severity }) => twins.has(namespace) && severity !== 'info');
    expect(placesOf(loud)).toEqual([]);
  });

  it('has figures that plain queries recompute', () => {
    expect(audit?.wrong).toEqual([]);
    expect(audit?.audited).toBeGreaterThan(100);
  });

  it('judges every collection, and skips nothing', async () => {
    expect(report.skipped).toEqual([]);
    const names = await client
      .db('demo')
      .listCollections({ name: { $not: /^system\./ } }, { nameOnly: true })
      .toArray();
    expect(report.collections).toHaveLength(names.length);
    const namesPlanted = new Set(exhibits.flatMap(({ bad, twin }) => [bad.name, twin.name]));
    expect(names.length).toBeGreaterThanOrEqual(namesPlanted.size);
  });

  // The last one: it changes what is planted.
  it('finds none of them, and nothing new, once all remedies are applied', async () => {
    const database = client.db('demo');
    const mended = report.findings.filter(({ remedy }) => remedy.commands !== undefined);
    await runRemedies(client, mended);
    // What ran before is not known any more: only what the remedies leave unchanged would run on.
    await database.collection('system.profile').drop();
    const separate = report.findings.flatMap(separated);
    for (const { check, bad } of exhibits) {
      const own = separate.find((finding) => finding.check === check && finding.namespace === `demo.${bad.name}`);
      const isDone = own !== undefined && (await runAsPrinted(client, own));
      if (!isDone) await BY_HAND[check]?.(database, bad.name);
    }
    const after = await lint({ uri: server.uri, ...READING });
    expect(newFindings(report, after)).toEqual([]);
    const left = new Set(after.findings.map(({ fingerprint }) => fingerprint));
    expect(placesOf(mended.filter(({ fingerprint }) => left.has(fingerprint)))).toEqual([]);
    expect(exhibits.filter((exhibit) => outcomeOf(exhibit, after).fired).map(({ check }) => check)).toEqual([]);
  });
});
