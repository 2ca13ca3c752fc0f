import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { lint, type LintOptions } from '../../src/lint/lint.js';
import { exitCode } from '../../src/policy/exit-code.js';
import type { Report } from '../../src/report/report.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { PHASES } from '../support/wire/phases.js';
import { emptyBatches, swallow, trickle } from '../support/wire/reply-treatments.js';
import type { WireFault } from '../support/wire/wire-fault.js';
import { WireProxy } from '../support/wire/wire-proxy.js';

// A real server behind a road that stands in for bad links and broken servers. What is measured is the wall clock.

const COLLECTIONS = 6;
/** In ms: what a busy machine may add to the limit of a run. */
const LATEST_END = 30_000;

const client = sharedClient();
const database = freshDatabase(client);

beforeAll(async () => {
  for (let index = 0; index < COLLECTIONS; index += 1) {
    const threads = Array.from({ length: 200 }, (_, thread) => ({
      posts: Array.from({ length: Math.ceil(2_000 / (thread + 1)) }, () => ({ text: 'words' })),
    }));
    await database.collection(`threads_${index}`).insertMany(threads);
  }
});

const isRead: WireFault['on'] = (sent) => PHASES.sample(sent) || PHASES.getMore(sent);
const isReadOfFirst: WireFault['on'] = (sent) => PHASES.sample(sent) && sent['find'] === 'threads_0';

interface TimedRun {
  readonly report: Report;
  readonly elapsed: number;
}

async function timedRun(
  faults: readonly WireFault[],
  options: Partial<LintOptions> & { bytesPerSecond?: number },
): Promise<TimedRun> {
  const { bytesPerSecond = Infinity, ...settings } = options;
  const proxy = await WireProxy.start({ uri: sharedReplicaSetUri(), faults, bytesPerSecond });
  onTestFinished(() => proxy.stop());
  const started = performance.now();
  const report = await lint({
    uri: proxy.uri,
    include: [`${database.databaseName}.*`],
    ...settings,
  });
  const elapsed = performance.now() - started;
  await vi.waitUntil(() => proxy.openConnections === 0, { timeout: 30_000 });
  return { report, elapsed };
}

function expectNoPass(report: Report): void {
  expect(exitCode(report, { failOn: 'never', maxWarnings: null, strict: false })).toBe(2);
}

describe('a run whose answers do not come ends at --max-time', () => {
  it('on a link of 20 KB per second, with what was found until then', async () => {
    const maxTime = 8_000;
    const { report, elapsed } = await timedRun([], { maxTime, bytesPerSecond: 20_000 });
    expect(elapsed).toBeLessThan(maxTime + LATEST_END);
    expectNoPass(report);
    expect(report.skipped.length).toBeGreaterThan(0);
  });

  it('with a server that sends batches without documents for ever', async () => {
    const maxTime = 4_000;
    const { report, elapsed } = await timedRun([{ on: isRead, reply: emptyBatches() }], { maxTime });
    expect(elapsed).toBeLessThan(maxTime + LATEST_END);
    expectNoPass(report);
    expect(report.collections.every(({ sampled }) => sampled === null)).toBe(true);
  });

  it('with a server that answers nothing any more, not even at the end', async () => {
    const maxTime = 4_000;
    const { report, elapsed } = await timedRun([{ on: PHASES.everything, from: 40, reply: swallow() }], {
      maxTime,
      timeout: 2_000,
    });
    expect(elapsed).toBeLessThan(maxTime + LATEST_END);
    expectNoPass(report);
  });
});

it('gives an answer up after --timeout, and goes on', async () => {
  // Long enough for every other answer, however busy the machine is.
  const timeout = 5_000;
  const { report, elapsed } = await timedRun([{ on: isReadOfFirst, reply: trickle(100) }], {
    timeout,
    maxTime: 120_000,
  });
  expect(elapsed).toBeLessThan(120_000);
  const { namespace } = database.collection('threads_0');
  expect(report.skipped).toContainEqual(
    expect.objectContaining({
      check: 'unbounded-array',
      namespace,
      reason: 'timeout',
      detail: `reading documents of ${namespace}: no complete answer within 7000 ms: the link or the server is slow; raise the limit with --timeout.`,
    }),
  );
  const found = report.findings.filter(({ check }) => check === 'unbounded-array');
  expect(found).toHaveLength(COLLECTIONS - 1);
});

it('ends soon after a signal, with a batch under way', async () => {
  const interruption = new AbortController();
  const proxy = await WireProxy.start({
    uri: sharedReplicaSetUri(),
    faults: [{ on: PHASES.sample, from: 3, reply: trickle(1_000) }],
  });
  onTestFinished(() => proxy.stop());
  const run = lint({
    uri: proxy.uri,
    include: [`${database.databaseName}.*`],
    concurrency: 1,
    interruption: interruption.signal,
  });
  await proxy.until(PHASES.sample, 3);
  const interrupted = performance.now();
  interruption.abort();
  const report = await run;
  expect(performance.now() - interrupted).toBeLessThan(LATEST_END);
  expect(report.findings.some(({ check }) => check === 'unbounded-array')).toBe(true);
  expect(report.skipped.map(({ reason }) => reason)).toContain('interrupted');
});
