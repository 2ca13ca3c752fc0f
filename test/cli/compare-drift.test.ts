/** What `mongolint compare` tells of two evidence files beyond findings, in every format. */
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTemporaryFolder, type TemporaryFolder } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { writeEvidence } from '../../src/evidence-file/write-evidence.js';
import type { KeptCollection } from '../../src/evidence/source.js';
import { REPORT_FORMATS } from '../../src/report/formats.js';
import type { Report } from '../../src/report/report.js';
import { runCaptured } from '../support/captured-io.js';
import { index } from '../support/checks/index-builders.js';
import { comparedCollection } from '../support/drift.js';
import { EVIDENCE_SETTINGS, plainRun } from '../support/evidence-runs.js';
import { recordedReport } from '../support/report/recorded-reports.js';

const documents = Array.from({ length: 60 }, (_, number) => ({ _id: number, status: 'a' }));
const collection = (namespace: string, indexes: readonly string[], count = 60) =>
  comparedCollection(namespace, {
    indexes: indexes.map((name) => index({ [name]: 1 })),
    documents,
    sizes: { count, averageDocumentSize: 100 },
  });

let temporary: TemporaryFolder;
let folder: string;
const compare = (...argv: string[]) => runCaptured(['compare', ...argv], {}, folder);

beforeAll(async () => {
  temporary = await createTemporaryFolder(tmpdir());
  folder = temporary.path;
  const files: Readonly<Record<string, readonly KeptCollection[]>> = {
    staging: [collection('shop.orders', ['status']), collection('shop.carts', []), collection('shop.tmp_a', [])],
    production: [collection('shop.orders', ['status', 'customer'], 3_100_000), collection('shop.carts', [])],
    larger: [
      collection('shop.orders', ['status'], 3_100_000),
      collection('shop.carts', []),
      collection('shop.tmp_a', []),
    ],
    tested: [collection('shop_test.orders', ['status']), collection('shop_test.carts', [])],
  };
  for (const [name, collections] of Object.entries(files)) {
    const options = { run: plainRun(collections), plan: { kept: new Set<never>() }, settings: EVIDENCE_SETTINGS };
    const written = { ...options, collections: collections.length, onCollection: () => {}, onCluster: () => {} };
    await writeEvidence(join(folder, `${name}.jsonl`), written);
  }
  await writeFile(join(folder, 'report.json'), JSON.stringify(recordedReport('demo')));
});

afterAll(() => temporary?.remove());

async function jsonOf(...argv: string[]) {
  const { stdout, ...run } = await compare(...argv, '--format', 'json');
  return { ...run, report: JSON.parse(stdout) as Report };
}

describe('mongolint compare of evidence', () => {
  it('tells what differs, with its direction', async () => {
    const { exitCode, report } = await jsonOf('staging.jsonl', 'production.jsonl');
    expect(exitCode).toBe(0);
    expect(report.drift?.differences.map(({ namespace, message }) => `${namespace}: ${message}`)).toEqual([
      'shop.orders: Index `customer_1` `{ customer: 1 }` is only in production.jsonl.',
      'shop.orders: Size: documents 60 in staging.jsonl, 3,100,000 in production.jsonl.',
      'shop.tmp_a: Collection is only in staging.jsonl.',
    ]);
    expect(report.drift).toMatchObject({ old: 'staging.jsonl', new: 'production.jsonl', compared: 2, notCompared: [] });
  });

  it('fails on what is declared with --fail-on drift, and on nothing else', async () => {
    const drift = ['--fail-on', 'drift'];
    expect(await compare('staging.jsonl', 'production.jsonl', ...drift)).toMatchObject({ exitCode: 1 });
    expect(await compare('staging.jsonl', 'larger.jsonl', ...drift)).toMatchObject({ exitCode: 0 });
    expect(await compare('staging.jsonl', 'staging.jsonl', ...drift, '--strict')).not.toMatchObject({ exitCode: 1 });
    const excluded = ['--exclude', '*.tmp_*', '--exclude', '*.orders'];
    expect(await compare('staging.jsonl', 'production.jsonl', ...drift, ...excluded)).toMatchObject({ exitCode: 0 });
  });

  it('compares databases of different names, and tells findings of both as one', async () => {
    const { report, exitCode } = await jsonOf(
      'tested.jsonl',
      'production.jsonl',
      '--map',
      'shop_test=shop',
      '--fail-on',
      'drift',
    );
    expect(exitCode).toBe(1);
    expect(report.drift).toMatchObject({ compared: 2 });
    expect(report.drift?.differences.map(({ namespace, subject }) => [namespace, subject])).toEqual([
      ['shop.orders', 'index'],
      ['shop.orders', 'size'],
    ]);
    const only = ['--map', 'shop_test=shop', '--include', 'shop.carts'];
    expect((await jsonOf('tested.jsonl', 'production.jsonl', ...only)).report.drift).toMatchObject({
      compared: 1,
      differences: [],
    });
    const { report: unmapped } = await jsonOf('tested.jsonl', 'production.jsonl');
    expect(unmapped.drift).toMatchObject({ compared: 0 });
    expect(report.summary.baseline).toMatchObject({ gone: 0 });
  });

  it.each<[string, string[], string]>([
    [
      'drift of a report',
      ['report.json', 'staging.jsonl', '--fail-on', 'drift'],
      '--fail-on drift needs two evidence files, and report.json is not one: write it with `mongolint collect`.\n',
    ],
    [
      'a map of a report',
      ['staging.jsonl', 'report.json', '--map', 'a=b'],
      '--map needs two evidence files, and report.json is not one: write it with `mongolint collect`.\n',
    ],
    [
      'a database that is not there',
      ['staging.jsonl', 'production.jsonl', '--map', 'shop_test=shop'],
      '--map: staging.jsonl has no database shop_test. Write the name in the older file first.\n',
    ],
    [
      'a map of one name',
      ['tested.jsonl', 'staging.jsonl', '--map', 'shop_test'],
      "error: option '--map <from=to>': its value is invalid. It is not of the form FROM=TO, as in shop_test=shop.\n",
    ],
  ])('refuses %s', async (_, argv, message) => {
    expect(await compare(...argv)).toEqual({ exitCode: 2, stdout: '', stderr: message });
  });

  it('refuses drift where nothing is compared', async () => {
    const expected = { exitCode: 2, stdout: '', stderr: "error: --fail-on drift is for 'mongolint compare'\n" };
    expect(await runCaptured(['judge', 'staging.jsonl', '--fail-on', 'drift'], {}, folder)).toEqual(expected);
    expect(await runCaptured(['mongodb://127.0.0.1:1', '--fail-on', 'drift'], {}, folder)).toEqual(expected);
  });

  it.each(['table', 'markdown', 'html'])('shows differences as %s', async (format) => {
    const { stdout } = await compare('staging.jsonl', 'production.jsonl', '--format', format);
    for (const text of ['Drift', 'customer_1', 'only in production.jsonl', 'shop.tmp_a', '3,100,000'])
      expect(stdout).toContain(text);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('2 schema differences');
  });

  it('is read again by mongolint report', async () => {
    const { stdout } = await compare('staging.jsonl', 'production.jsonl', '--format', 'json');
    await writeFile(join(folder, 'compared.json'), stdout);
    for (const { name } of REPORT_FORMATS)
      expect(await runCaptured(['report', 'compared.json', '--format', name], {}, folder)).toMatchObject({
        exitCode: 0,
      });
  });
});
