import { beforeAll, describe, expect, it } from 'vitest';
import { START_PROBES } from '../../src/connect/load-control.js';
import { lint } from '../../src/lint/lint.js';
import { exitCode } from '../../src/policy/exit-code.js';
import type { Report } from '../../src/report/report.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { PHASES } from '../support/wire/phases.js';
import { delayed } from '../support/wire/reply-treatments.js';
import type { WireFault } from '../support/wire/wire-fault.js';
import { WireProxy } from '../support/wire/wire-proxy.js';

const COLLECTIONS = 40;
/** In ms: beyond every floor, and many times what the first probes take, on a busy machine too. */
const SLOW = 2_500;
const POLICY = { failOn: 'never', maxWarnings: null, strict: false } as const;

// The server is real, and always fast; what slows its answers is the proxy in front of it.
const client = sharedClient();
const database = freshDatabase(client);

const posts = (index: number) => Array.from({ length: Math.ceil(2_000 / (index + 1)) }, () => ({ text: 'words' }));

beforeAll(async () => {
  for (let number = 0; number < COLLECTIONS; number += 1) {
    const threads = Array.from({ length: 100 }, (_, index) => ({ posts: posts(index) }));
    await database.collection(`threads_${number}`).insertMany(threads);
  }
});

/** The run on a server that is slow from one probe on, and until another. Probes are what asks for the status alone. */
async function lintWhileSlow(from: number, until: number): Promise<Report> {
  const proxy = await WireProxy.start({ uri: sharedReplicaSetUri() });
  const probes = () => proxy.commands.filter(PHASES.loadProbe).length;
  const isSlow: WireFault['on'] = (command) => !PHASES.hello(command) && probes() >= from && probes() <= until;
  proxy.faults = [
    // How the server answers at the start is known before the first collection is.
    { on: PHASES.listCollections, before: () => proxy.until(PHASES.loadProbe, START_PROBES + 1) },
    { on: isSlow, reply: delayed(SLOW) },
  ];
  try {
    return await lint({ uri: proxy.uri, include: [`${database.databaseName}.*`], timeout: 60_000 });
  } finally {
    await proxy.stop();
  }
}

describe('a run on a server whose answers take', () => {
  it.concurrent('as long as at the start goes on at its pace', async () => {
    const report = await lintWhileSlow(Infinity, Infinity);
    expect(report.summary.serverLoad).toBeUndefined();
    expect(report.failures).toEqual([]);
    expect(report.findings.length).toBeGreaterThanOrEqual(COLLECTIONS);
  });

  it.concurrent('much longer slows down, then stops with what it has, and says so', async () => {
    const report = await lintWhileSlow(START_PROBES + 1, Infinity);
    const { serverLoad } = report.summary;
    expect(serverLoad).toMatchObject({ stopped: true });
    expect(serverLoad?.slowestMs).toBeGreaterThanOrEqual(SLOW / 2);
    expect(serverLoad?.slowedMs).toBeGreaterThan(0);
    expect(report.failures?.map(({ reason }) => reason)).toEqual(['server-load']);
    const left = report.skipped.filter(({ reason }) => reason === 'server-load');
    expect(left.length).toBeGreaterThan(0);
    expect(left[0]?.detail).toMatch(
      /the server took .+ for what took .+ at the start, and the run stopped to spare it/,
    );
    const judged = new Set([...report.findings, ...report.skipped].map(({ namespace }) => namespace));
    for (const { namespace } of report.collections) expect(judged).toContain(namespace);
    expect(exitCode({ ...report, failures: report.failures ?? [] }, POLICY)).toBe(2);
  });

  it.concurrent('much longer for a while slows down, and ends whole', async () => {
    const report = await lintWhileSlow(START_PROBES + 1, START_PROBES + 7);
    expect(report.summary.serverLoad).toMatchObject({ stopped: false });
    expect(report.failures).toEqual([]);
    expect(report.findings.length).toBeGreaterThanOrEqual(COLLECTIONS);
  });
});
