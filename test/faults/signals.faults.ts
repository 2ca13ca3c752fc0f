import { expect, describe, it } from 'vitest';
import { expectFaultHandled } from '../support/faults/expect-fault-handled.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { runLinter } from '../support/faults/linter-process.js';
import { PHASES, type Phase } from '../support/wire/phases.js';
import { swallow } from '../support/wire/reply-treatments.js';
import { WireProxy } from '../support/wire/wire-proxy.js';

const faulty = useFaultyShop();

/** In ms, from a signal to the end. Kubernetes grants 30 s, this less. On a busy machine the process starts late. */
const LONGEST_AFTER_SIGNAL = 10_000;
/** In ms. */
const SIGNALLED_EVERY = 200;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const AT: readonly { readonly phase: Phase; readonly report: boolean }[] = [
  { phase: 'buildInfo', report: false },
  { phase: 'listCollections', report: false },
  { phase: 'sample', report: true },
  { phase: 'getMore', report: true },
];

describe.each(SIGNALS)('%s', (signal) => {
  it.concurrent.each(AT)('while a reply in the phase $phase does not come', async ({ phase, report }) => {
    const proxy = await WireProxy.start({ uri: faulty.shop.uri, faults: [{ on: PHASES[phase], reply: swallow() }] });
    let signalled = 0;
    const result = await runLinter({
      uri: proxy.uri,
      // The command's own time would end it before.
      limits: { maxTime: 120_000, timeout: 100_000 },
      meanwhile: async (linter) => {
        await proxy.until(PHASES[phase]);
        // The oplog is read while databases are listed: without these, there is nothing to report.
        if (report) await proxy.until(PHASES.sample);
        signalled = performance.now();
        linter.kill(signal);
      },
    });
    expect(performance.now() - signalled).toBeLessThan(LONGEST_AFTER_SIGNAL);
    await proxy.stop();
    expectFaultHandled(result, faulty.healthy, { exit: [2], report });
  });

  it.concurrent('again and again ends the process, at the first or the second', async () => {
    const proxy = await WireProxy.start({
      uri: faulty.shop.uri,
      faults: [{ on: PHASES.sample, reply: swallow() }],
    });
    const result = await runLinter({
      uri: proxy.uri,
      meanwhile: async (linter) => {
        await proxy.until(PHASES.sample);
        const again = setInterval(() => linter.kill(signal), SIGNALLED_EVERY);
        linter.once('exit', () => clearInterval(again));
        linter.kill(signal);
      },
    });
    await proxy.stop();
    // A run that reports before the second signal comes has ended by the first. `supervisor.live.test.ts` blocks one for it.
    const bySecond = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal];
    expect([2, bySecond]).toContain(result.code);
  });
});
