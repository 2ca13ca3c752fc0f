/**
 * Five files of evidence of one real server, between which arrays grow. The earlier four are dated back by days, which a test
 * can't wait for; all else is as it was collected.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { readEvidence } from '../../src/evidence-file/read-evidence.js';
import { writeEvidence } from '../../src/evidence-file/write-evidence.js';
import type { Finding } from '../../src/finding.js';
import type { Report } from '../../src/report/report.js';
import { MS_PER_DAY } from '../../src/time-units.js';
import { runCaptured } from '../support/captured-io.js';
import { elements, rateError, times, TOLERANCE } from '../support/growth/planted-growth.js';
import { RandomDistributions } from '../support/random-distributions.js';
import { useServer } from '../support/server-with-client.js';
import { startStandalone } from '../support/servers.js';

/** Few enough for all to be kept from file to file: of more, chance would choose some. */
const DOCUMENTS = 150;
/** Elements that each array gets between two files. */
const PER_DAY = 3;

/** A copy that says it was collected so many days ago. */
async function datedBack(file: string, copy: string, days: number): Promise<void> {
  const run = await readEvidence(file);
  const { marks, settings, collections } = run.header;
  const startedAt = new Date(run.startedAt.getTime() - days * MS_PER_DAY);
  const of = { plan: { kept: new Set<never>() }, settings, collections, ...(marks !== undefined && { marks }) };
  const end = async () => {
    const { finishedAt, isOutOfTime, isStopped, serverLoad, gaps, errorCodes, historyFault } = await run.end();
    return { finishedAt, isOutOfTime, isStopped, serverLoad, gaps, errorCodes, historyFault };
  };
  await writeEvidence(copy, { run: { ...run, startedAt, end }, ...of, onCollection: () => {}, onCluster: () => {} });
  await run.close();
}

function growing({ report }: { readonly report: Report }): Finding[] {
  return report.findings.filter(({ check }) => check === 'fast-growing-array');
}

describe('evidence of one cluster at five times', () => {
  const server = useServer(() => startStandalone());
  const random = new RandomDistributions(16);
  let temporary: { readonly path: string; remove(): Promise<void> } | undefined;
  let folder: string;
  const files = [4, 3, 2, 1, 0].map((days) => `${days}-days-ago.evidence.jsonl.gz`);

  async function judged(...argv: string[]): Promise<{ report: Report; stderr: string }> {
    const { stdout, stderr } = await runCaptured(['judge', ...argv, '--format', 'json'], {}, folder);
    if (stdout === '') throw new Error(stderr);
    return { report: JSON.parse(stdout) as Report, stderr };
  }
  beforeAll(async () => {
    temporary = await createTemporaryFolder(tmpdir());
    folder = temporary.path;
    const shop = server.client.db('shop');
    await shop
      .collection('products')
      .insertMany(times(DOCUMENTS, () => ({ reviews: elements(20 + random.below(60)) })));
    await shop.collection('parcels').insertMany(times(DOCUMENTS, () => ({ stops: elements(5 + random.below(20)) })));
    const collected = join(folder, 'collected.jsonl.gz');
    for (const [index, file] of files.entries()) {
      for (const { _id } of await shop
        .collection('products')
        .find({}, { projection: { _id: 1 } })
        .toArray())
        await shop
          .collection<Document>('products')
          .updateOne({ _id }, { $push: { reviews: { $each: elements(random.poisson(PER_DAY)) } } } as never);
      const { exitCode, stderr } = await runCaptured(['collect', server.uri, '--output', collected, '--quiet']);
      if (exitCode !== 0) throw new Error(stderr);
      await datedBack(collected, join(folder, file), files.length - 1 - index);
    }
  });

  afterAll(() => temporary?.remove());

  it('is one target: growth is found by the earlier files', async () => {
    const all = await judged(...files.toReversed());
    expect(all.stderr).toContain('0-days-ago.evidence.jsonl.gz is judged with 4-days-ago.evidence.jsonl.gz, ');
    expect(all.report.target).toBeUndefined();
    expect(growing(all)).toMatchObject([
      {
        namespace: 'shop.products',
        path: 'reviews',
        confidence: 'medium',
        evidence: { source: 'history', runs: 5, windowDays: expect.closeTo(4, 1) },
      },
    ]);
    expect(rateError(growing(all)[0], PER_DAY)).toBeLessThan(TOLERANCE);
  });

  it('is silent by the newest file alone', async () => {
    const alone = await judged(files.at(-1) as string);
    expect(growing(alone)).toEqual([]);
    expect(alone.report.findings.length + alone.report.skipped.length).toBeGreaterThan(0);
  });
});
