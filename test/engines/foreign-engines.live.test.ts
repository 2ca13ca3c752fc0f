import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { lint } from '../../src/lint/lint.js';
import { exitCode } from '../../src/policy/exit-code.js';
import { isFault } from '../../src/presence.js';
import type { Report } from '../../src/report/report.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { FOREIGN_ENGINES, THROTTLED_FOR_GOOD } from '../support/engines/foreign-engines.js';
import { plantCollections, UNBOUNDED } from '../support/engines/planted-collections.js';
import type { WireFault } from '../support/wire/wire-fault.js';
import { WireProxy } from '../support/wire/wire-proxy.js';

// The server is a real mongod. A proxy in front of it puts the documented answers of other engines into its own: their
// shapes are stood in for, all else is MongoDB. FerretDB itself is tested by `npm run test:ferretdb`.

const client = sharedClient();
const database = freshDatabase(client);
const ENFORCED = { failOn: 'warning', maxWarnings: null, strict: false } as const;

beforeAll(async () => {
  await plantCollections(database);
  await database.collection('orders').createIndex({ number: 1 });
  await database.createCollection('blank');
});

async function linted(faults: readonly WireFault[], timeout = 60_000): Promise<Report> {
  const proxy = await WireProxy.start({ uri: sharedReplicaSetUri(), faults });
  onTestFinished(() => proxy.stop());
  return lint({ uri: proxy.uri, include: [`${database.databaseName}.*`], timeout, maxTime: 240_000 });
}

function found({ findings }: Report, check: string): string[] {
  return findings
    .filter((finding) => finding.check === check)
    .map(({ namespace, path }) => `${namespace.replace(`${database.databaseName}.`, '')}.${path}`)
    .sort();
}

describe.each(Object.entries(FOREIGN_ENGINES))('%s', (_, { faults, engine, counts }) => {
  let report: Report;
  beforeAll(async () => {
    const proxy = await WireProxy.start({ uri: sharedReplicaSetUri(), faults });
    try {
      report = await lint({
        uri: proxy.uri,
        include: [`${database.databaseName}.*`],
        timeout: 60_000,
        maxTime: 240_000,
      });
    } finally {
      await proxy.stop();
    }
  });

  it('is named, and is no sharded cluster', () => {
    expect(report.cluster).toMatchObject({ engine });
    expect(report.cluster.topology).not.toBe('sharded');
  });

  it('has its three unbounded arrays found, and nothing else', () => {
    expect(found(report, 'unbounded-array')).toEqual([...UNBOUNDED].sort());
    const others = report.findings.filter(({ check }) => check !== 'unbounded-array' && check !== 'fast-growing-array');
    expect(others.map(({ check, namespace }) => `${check} ${namespace}`)).toEqual([
      `empty-collection ${database.databaseName}.blank`,
    ]);
  });

  it('is judged without a fault, and fails a build by its findings alone', () => {
    expect(report.skipped.filter(isFault)).toEqual([]);
    expect(exitCode(report, ENFORCED)).toBe(1);
    expect(exitCode(report, { ...ENFORCED, failOn: 'never' })).toBe(0);
  });

  it('is called clean in nothing that was not judged', () => {
    const { notJudgeable = [] } = report.cluster.engine ?? {};
    for (const id of notJudgeable) expect(report.skipped.map(({ check }) => check)).toContain(id);
    const posts = report.collections.find(({ namespace }) => namespace.endsWith('.posts'));
    expect(posts?.documents).toBe(counts ? 400 : null);
  });
});

describe('throttling', () => {
  it('beyond the limit of time is skipped with its reason', async () => {
    const report = await linted([THROTTLED_FOR_GOOD], 1_000);
    const ofPosts = report.skipped.filter(
      ({ check, namespace }) => check === 'unbounded-array' && namespace?.endsWith('.posts') === true,
    );
    expect(ofPosts).toMatchObject([{ reason: 'timeout', detail: expect.stringContaining('throttled') }]);
    expect(found(report, 'unbounded-array')).toEqual([]);
  });
});
