import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { expectFaultHandled } from '../support/faults/expect-fault-handled.js';
import { useFaultyShop } from '../support/faults/faulty-shop.js';
import { boundsOf, runLinter, type Limits } from '../support/faults/linter-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { PHASES } from '../support/wire/phases.js';
import { WireProxy } from '../support/wire/wire-proxy.js';
import { slowLine } from '../support/workload/log-text.js';

const faulty = useFaultyShop();

/** Of 8 MB each when unzipped: far more than is read in the time of a run. */
const MEMBERS = 1_000;
const MAX_TIME = 10_000;

async function endlessLog(): Promise<string> {
  const log = join(await temporaryFolder(), 'mongod.log.gz');
  const line = `${slowLine({ find: 'orders', filter: { total: 5 } }, { ns: 'shop.orders', docsExamined: 1_500 })}\n`;
  const member = gzipSync(line.repeat(Math.ceil((8 * 1024 * 1024) / line.length)));
  await writeFile(log, Buffer.concat(Array.from({ length: MEMBERS }, () => member)));
  return log;
}

async function interrupted(argv: readonly string[], limits: Limits, signal: NodeJS.Signals | null) {
  const proxy = await WireProxy.start({ uri: faulty.shop.uri });
  const result = await runLinter({
    uri: proxy.uri,
    argv,
    limits,
    meanwhile: async (linter) => {
      await proxy.until(PHASES.getMore);
      if (signal !== null) linter.kill(signal);
    },
  });
  await proxy.stop();
  return result;
}

describe('hostile input, 1: a gzipped log that is still being read', () => {
  const ends = [
    { end: '--max-time', limits: { maxTime: MAX_TIME, timeout: MAX_TIME }, signal: null },
    { end: 'SIGTERM', limits: { maxTime: 120_000, timeout: 100_000 }, signal: 'SIGTERM' },
  ] as const;

  it.each(ends)('at $end costs the rest of the log only', async ({ limits, signal }) => {
    const result = await interrupted([...boundsOf(limits), '--log', await endlessLog()], limits, signal);
    const report = expectFaultHandled(result, faulty.healthy, { exit: [2], report: true });
    expect(report?.skipped.filter(({ detail }) => detail.includes('reading mongod.log.gz'))).not.toEqual([]);
  });

  it.each(ends)('at $end costs no evidence', async ({ limits, signal }) => {
    const file = join(await temporaryFolder(), 'shop.evidence.jsonl');
    const bounds = ['--max-time', String(limits.maxTime), '--timeout', String(limits.timeout)];
    const collected = await interrupted(
      ['collect', '--output', file, '--log', await endlessLog(), ...bounds],
      limits,
      signal,
    );
    expect(collected).toMatchObject({ code: 2, stderr: expect.not.stringContaining('bug') });
    const judged = await runLinter({ uri: '', argv: ['judge', file, '--format', 'json'] });
    const report = expectFaultHandled(judged, faulty.healthy, { exit: [2], report: true });
    expect(report?.skipped.filter(({ detail }) => detail.includes('reading mongod.log.gz'))).not.toEqual([]);
  });
});
