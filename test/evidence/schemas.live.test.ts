import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyCheck } from '../../src/check.js';
import { connect, type Connection } from '../../src/connect/connect.js';
import { exhibits } from '../../src/demo/exhibits/index.js';
import { seedCluster } from '../../src/demo/seed-cluster.js';
import { GrowthRun } from '../../src/growth/growth-run.js';
import {
  CLUSTER_EVIDENCE_NAMES,
  CLUSTER_SOURCES,
  COLLECTION_SOURCES,
  EVIDENCE_NAMES,
} from '../../src/evidence/sources.js';
import { resolvedSettings } from '../../src/findings/check-settings.js';
import { evidencePlan } from '../../src/findings/needed-evidence.js';
import type { Evidence } from '../../src/presence.js';
import { beginCollecting, collectCluster, collectCollections } from '../../src/lint/collect.js';
import { startReplicaSet } from '../support/servers.js';
import { startShardedCluster } from '../support/sharding/sharded-cluster.js';

const asking = (check: object) =>
  ({ title: '', summary: '', thresholds: {}, judge: () => [], ...check }) as unknown as AnyCheck;
/** Ask for all the evidence that there is. */
const checks = [
  asking({ id: 'all-of-a-collection', appliesTo: ['collection'], needs: EVIDENCE_NAMES }),
  asking({ id: 'all-of-the-cluster', scope: 'cluster', needs: EVIDENCE_NAMES, clusterNeeds: CLUSTER_EVIDENCE_NAMES }),
];

interface Collected {
  readonly source: string;
  readonly of: string;
  readonly piece: Evidence<unknown>;
}

async function collectAll(connection: Connection): Promise<Collected[]> {
  const growth = new GrowthRun(connection.reader, 'primary', null, new Date());
  const collecting = await beginCollecting(connection, growth, {
    plan: evidencePlan(checks, resolvedSettings({})),
    include: ['demo'],
    concurrency: 4,
    logFiles: [],
    known: [],
    isRead: () => true,
    isOwn: () => true,
    bounds: { sample: { documents: 200, bytes: 64 * 1024 * 1024 }, deep: true, showValues: true },
  });
  const kept = await collectCollections(collecting, (collected) => collected);
  const ofCluster = { ...(await collectCluster(collecting, kept)) };
  // What checks get in place of the workload holds what follows from it, too.
  const workload = await collecting.begun.workload;
  return [
    ...kept.map((one) => [one.collection.namespace, one.evidence] as const),
    ['cluster', { ...ofCluster, workload }] as const,
  ].flatMap(([of, evidence]) =>
    Object.entries(evidence).map(([source, piece]) => ({ source, of, piece: piece as Evidence<unknown> })),
  );
}

describe.each([
  ['a replica set', () => startReplicaSet(), ['sharding', 'shardKey']],
  ['a sharded cluster', () => startShardedCluster(), ['reads']],
] as const)('the evidence of %s', (_, start, impossible) => {
  let server: { readonly uri: string; stop(): Promise<void> };
  let collected: Collected[];
  beforeAll(async () => {
    server = await start();
    await seedCluster(server.uri);
    const client = new MongoClient(server.uri);
    await client
      .db('demo')
      .command({ create: 'seen', viewOn: exhibits[0]?.bad.name, pipeline: [{ $match: { a: 1 } }] });
    await client.close();
    const connection = await connect({ uri: server.uri, timeout: 15_000, maxTime: 300_000, concurrency: 4 });
    collected = await collectAll(connection);
    await connection.close();
  });
  afterAll(() => server?.stop());

  it('is there, of every source that this kind of cluster has', () => {
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
  )('is as the schema of %s says, and nothing is lost by it', (name, schema) => {
    for (const { of, piece } of collected.filter(({ source, piece: one }) => source === name && one.present)) {
      const value = piece.present ? piece.value : null;
      const parsed = schema.safeParse(value);
      expect({ of, issues: parsed.error?.issues ?? [] }).toEqual({ of, issues: [] });
      expect(withoutErrors(parsed.data)).toEqual(withoutErrors(value));
    }
  });
});

/** Errors are for --verbose alone, and are no part of what is kept. */
function withoutErrors(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, one: unknown) => (key === 'error' ? undefined : one)));
}
