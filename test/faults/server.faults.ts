import type { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Report } from '../../src/report/report.js';
import { expectFaultHandled } from '../support/faults/expect-fault-handled.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { runLinter, SHORT_LIMITS } from '../support/faults/linter-process.js';
import { plant } from '../support/faults/shop.js';
import { startMemberSet, type MemberSet } from '../support/member-set.js';
import { PHASES, type Phase } from '../support/wire/phases.js';
import type { WireFault } from '../support/wire/wire-fault.js';

// One after another: each case stops the whole server, for a while or for good.
const faulty = useFaultyShop();

const AT: readonly { readonly phase: Phase; readonly report: boolean }[] = [
  { phase: 'buildInfo', report: false },
  { phase: 'listCollections', report: false },
  { phase: 'sample', report: true },
  { phase: 'getMore', report: true },
];

const SHORT = { limits: SHORT_LIMITS, sharesProcess: true };

async function pid(): Promise<number> {
  return Number((await faulty.shop.client.db('admin').command({ serverStatus: 1 }))['pid']);
}

/** Once indexes are read, samples whose time is up are skipped, and what rests on the indexes is judged. */
const JUDGED_WITHOUT_SAMPLES: ReadonlySet<Phase> = new Set(['sample', 'getMore']);

describe('a server that is stopped by SIGSTOP', () => {
  it.each(AT)('before the first $phase', async ({ phase, report }) => {
    const server = await pid();
    const before: WireFault['before'] = () => void process.kill(server, 'SIGSTOP');
    try {
      const exit = JUDGED_WITHOUT_SAMPLES.has(phase) ? [1, 2] : [2];
      await faulty.lintThroughProxy({ exit, report }, [{ on: PHASES[phase], times: 1, before }], SHORT);
    } finally {
      process.kill(server, 'SIGCONT');
    }
  });
});

describe('a primary that steps down', () => {
  it.each(AT)('before the first $phase', async ({ phase }) => {
    const admin = faulty.shop.client.db('admin');
    const before: WireFault['before'] = async () =>
      void (await admin.command({ replSetStepDown: 2, secondaryCatchUpPeriodSecs: 0, force: true }));
    // It is back after seconds, and a secondary answers reads; what failed meanwhile is said.
    await faulty.lintThroughProxy({ exit: [1, 2], report: true }, [{ on: PHASES[phase], times: 1, before }], {
      sharesProcess: true,
    });
  });
});

describe('a replica set without a primary', () => {
  let set: MemberSet;
  let healthy: Report;
  beforeAll(async () => {
    set = await startMemberSet(2);
    const [primary] = set.members as [MongoClient];
    await plant(primary.db('shop', { writeConcern: { w: 2 } }));
    healthy = JSON.parse((await runLinter({ uri: set.uri })).stdout) as Report;
    await set.stopMember(0);
  });
  afterAll(() => set?.stop());

  it('is linted from its secondary', async () => {
    const result = await runLinter({ uri: set.uri });
    expectFaultHandled(result, healthy, { exit: [1, 2], report: true, keeps: ['shop.threads'] });
  });
});

describe('a server that is killed', () => {
  it('within the samples', async () => {
    const server = await pid();
    const before: WireFault['before'] = () => void process.kill(server, 'SIGKILL');
    await faulty.lintThroughProxy({ exit: [2], report: true }, [{ on: PHASES.getMore, times: 1, before }], {
      limits: SHORT_LIMITS,
    });
  });

  it('before anybody connects', async () => {
    await faulty.lint({ exit: [2], report: false }, { limits: SHORT_LIMITS });
  });
});
