import { afterAll, beforeAll, expect } from 'vitest';
import type { Report } from '../../../src/report/report.js';
import { WireProxy, type WireProxyOptions } from '../wire/wire-proxy.js';
import { expectFaultHandled, type ExpectedOutcome } from './expect-fault-handled.js';
import { runLinter, type ProcessOptions } from './linter-process.js';
import { SharedProcess } from './shared-process.js';
import { startShop, type Shop } from './shop.js';

/** How a case runs the command. */
export interface FaultyRunOptions extends Partial<ProcessOptions> {
  /** True for a run in a process that other cases use too, unwatched; by default it has a process of its own. */
  readonly sharesProcess?: boolean;
}

/** A shop to lint in the tests of a file, and what a run on it finds if nothing goes wrong. */
export interface FaultyShop {
  readonly shop: Shop;
  readonly healthy: Report;
  /** Runs the command, and expects that what went wrong was handled. Returns the report, if there is one. */
  lint(expected: ExpectedOutcome, options?: FaultyRunOptions): Promise<Report | null>;
  /** The same through a proxy, at least one of whose faults must have happened. */
  lintThroughProxy(
    expected: ExpectedOutcome,
    faults: NonNullable<WireProxyOptions['faults']>,
    options?: FaultyRunOptions & { readonly bytesPerSecond?: number },
  ): Promise<Report | null>;
}

/** Documents of 300 KB are left out beyond so many bytes, so that the runs are short. */
const SAMPLE_BYTES = ['--sample-bytes', '6000000'];
/** Starts a shop of their own for the tests of the file in which this is called. */
export function useFaultyShop(): FaultyShop {
  let shop: Shop | undefined;
  let healthy: Report | undefined;
  const shared = new SharedProcess();
  beforeAll(async () => {
    shop = await startShop();
    const { code, stdout, stderr } = await runLinter({ uri: shop.uri, args: SAMPLE_BYTES });
    expect({ code, stderr }).toMatchObject({ code: 1 });
    healthy = JSON.parse(stdout) as Report;
    const found = healthy.findings.map(({ check, namespace }) => `${check} ${namespace}`);
    expect(found).toEqual(expect.arrayContaining(['unbounded-array shop.threads', 'redundant-index shop.orders']));
  });
  afterAll(async () => {
    shared.stop();
    await shop?.stop();
  });
  const lint: FaultyShop['lint'] = async (expected, options = {}) => {
    const { args = [], sharesProcess = false, ...others } = options;
    const run = { uri: started(shop).uri, ...others, args: [...SAMPLE_BYTES, ...args] };
    const result = await (sharesProcess ? shared.run(run) : runLinter(run));
    return expectFaultHandled(result, started(healthy), expected);
  };
  return {
    lint,
    async lintThroughProxy(expected, faults, { bytesPerSecond, ...options } = {}) {
      const proxy = await WireProxy.start({
        uri: options.uri ?? started(shop).uri,
        faults,
        ...(bytesPerSecond !== undefined && { bytesPerSecond }),
      });
      try {
        const report = await lint(expected, { ...options, uri: proxy.uri });
        const happened = faults.length === 0 || proxy.commands.some((command) => faults.some(({ on }) => on(command)));
        expect({ happened }).toEqual({ happened: true });
        return report;
      } finally {
        await proxy.stop();
      }
    },
    get shop() {
      return started(shop);
    },
    get healthy() {
      return started(healthy);
    },
  };
}

function started<T>(what: T | undefined): T {
  if (what === undefined) throw new Error('Not started yet: call this in a test.');
  return what;
}
