/** A build at production's size, on two real servers. Of production's log, the times alone are stood in: they span a day. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryWithoutItsIndex } from '../../checks/query-without-its-index.js';
import { createTemporaryFolder, type TemporaryFolder } from '../../src/demo/embedded-mongod/embedded-mongod.js';
import { collectEvidence } from '../../src/lint/collect-evidence.js';
import { judgeEvidence } from '../../src/lint/judge-evidence.js';
import { lint, type LintOptions } from '../../src/lint/lint.js';
import type { Report } from '../../src/report/report.js';
import { findMongod } from '../support/mongod/find-mongod.js';
import { startLoggingServer, type LoggingServer } from '../support/workload/logging-server.js';
import { spreadOverADay } from '../support/workload/spread-log.js';

const PRODUCTION_DOCUMENTS = 20_000;
const FIXTURES = 60;
/** In a day. */
const EXECUTIONS = 120;

/** An order's reads by `_id` for each one with its payments. */
const PLAIN_READS = 9;

/** An order, an order with its payments, and a customer by the address of his e-mails. */
async function useShop(shop: Db, executions: number, documents: number): Promise<void> {
  for (let number = 0; number < executions; number += 1) {
    const _id = (number * 7) % documents;
    await shop
      .collection('orders')
      .aggregate([
        { $match: { _id } },
        { $lookup: { from: 'payments', localField: '_id', foreignField: 'order', as: 'payments' } },
      ])
      .toArray();
    for (let read = 0; read < PLAIN_READS; read += 1)
      await shop.collection<{ _id: number }>('orders').findOne({ _id: _id + read });
    await shop.collection('customers').findOne({ email: `customer${_id}@example.com` });
  }
}

async function plant(shop: Db, documents: number): Promise<void> {
  const numbers = Array.from({ length: documents }, (_, number) => number);
  await shop.collection<{ _id: number }>('orders').insertMany(numbers.map((_id) => ({ _id, total: _id % 90 })));
  await shop.collection('payments').insertMany(numbers.map((order) => ({ order, amount: 10 + (order % 80) })));
  await shop.collection('customers').insertMany(numbers.map((one) => ({ email: `customer${one}@example.com`, one })));
}

const rows = ({ findings }: Report) =>
  findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ severity, check, namespace, path }) => [severity, check, namespace, path]);

describe('a build at the size of production', () => {
  let production: LoggingServer;
  let build: LoggingServer;
  let evidence: string;
  let shop: Db;
  let folder: TemporaryFolder;

  const linted = (options: Partial<LintOptions> = {}) =>
    lint({ uri: build.uri, include: ['shop_test.*'], production: evidence, map: ['shop_test=shop'], ...options });

  beforeAll(async () => {
    folder = await createTemporaryFolder(tmpdir());
    const mongod = await findMongod();
    production = await startLoggingServer(mongod, ['--slowms', '0', '--profile', '0']);
    build = await startLoggingServer(mongod, ['--profile', '2', '--slowms', '0']);
    const live = production.client.db('shop');
    await plant(live, PRODUCTION_DOCUMENTS);
    await live.collection('customers').createIndex({ email: 1 });
    await useShop(live, EXECUTIONS, PRODUCTION_DOCUMENTS);
    const log = join(folder.path, 'mongod.log');
    await writeFile(log, spreadOverADay(readFileSync(production.logPath, 'utf8')));
    evidence = join(folder.path, 'production.evidence.jsonl.gz');
    await collectEvidence({ uri: production.uri, logFiles: [log], output: evidence });
    shop = build.client.db('shop_test');
    await plant(shop, FIXTURES);
    await shop.collection('customers').createIndex({ email: 1 });
    await useShop(shop, 10, FIXTURES);
  });
  afterAll(async () => {
    await build?.stop();
    await production?.stop();
    await folder?.remove();
  });

  it('is told that a join of its few documents is too small, without production', async () => {
    const report = await lint({ uri: build.uri, include: ['shop_test.*'] });
    expect(rows(report)).toEqual([]);
    expect(report.skipped).toContainEqual(
      expect.objectContaining({ check: 'missing-lookup-index', reason: 'too-small' }),
    );
  });

  it('fails by the join, as severely as production deserves', async () => {
    const report = await linted();
    expect(report.production).toMatchObject({ version: report.cluster.version, collections: 3 });
    expect(rows(report)).toEqual([['error', 'missing-lookup-index', 'shop_test.payments', 'order']]);
    expect(report.findings[0]).toMatchObject({
      message: expect.stringMatching(/60 documents here, 20,000 in production, 12\d executions a day\.$/),
      judgedAt: { documents: PRODUCTION_DOCUMENTS, from: 'production' },
      evidence: {
        documentsHere: FIXTURES,
        foreignDocuments: PRODUCTION_DOCUMENTS,
        window: expect.stringMatching(/in production$/),
      },
    });
  });

  it('says first of all to change the code that builds the database, with the line that declares an index', async () => {
    const { findings } = await linted();
    const missing = findings.find(({ check }) => check === 'missing-lookup-index');
    expect(missing?.remedy.steps[0]).toMatchObject({
      text: expect.stringMatching(/^Change the code that builds this database, .* The command is for those that stay/),
      code: expect.stringMatching(/^schema\.index\(\{ "?order"?: 1 \}/),
    });
    expect(missing?.remedy.commands).toHaveLength(1);
  });

  it('says of each finding which collection of production its figures are from', async () => {
    const { findings } = await linted({ settings: { 'missing-validator': {} } });
    expect(findings.length).toBeGreaterThan(1);
    for (const { message, judgedAt, evidence: figures } of findings) {
      expect(message).toContain('60 documents here, 20,000 in production');
      expect(judgedAt).toEqual({ documents: PRODUCTION_DOCUMENTS, from: 'production' });
      expect(figures.window).toMatch(/in production$/);
    }
  });

  it('passes once the branch adds the index, and says that production has yet to build it', async () => {
    await shop.collection('payments').createIndex({ order: 1 });
    const { findings, ...report } = await linted();
    expect(rows({ findings, ...report })).toEqual([]);
    const added = findings.filter(({ check }) => check === 'missing-in-production');
    expect(added).toMatchObject([
      { check: 'missing-in-production', severity: 'info', namespace: 'shop_test.payments', path: 'order_1' },
    ]);
    expect(added[0]?.remedy.steps[0]?.code).toContain('getSiblingDB("shop")');
  });

  it('fails by an index that the branch drops and queries of production need', async () => {
    await shop.collection('customers').dropIndex('email_1');
    const report = await linted();
    expect(rows(report)).toEqual([['error', 'query-without-its-index', 'shop_test.customers', 'email_1']]);
    expect(report.findings[0]).toMatchObject({
      message: expect.stringMatching(/60 documents here, 20,000 in production, 12\d executions a day\.$/),
      evidence: { fieldNotHere: null },
      judgedAt: { documents: PRODUCTION_DOCUMENTS, from: 'production' },
    });
    const small = await linted({ expect: [{ glob: 'shop_test.customers', documents: FIXTURES }] });
    expect(rows(small)).toEqual([]);
    expect(small.skipped).toContainEqual(
      expect.objectContaining({
        check: 'query-without-its-index',
        namespace: 'shop_test.customers',
        reason: 'too-small',
      }),
    );
  });

  it('fails by a field that the branch renames, with its index, while queries of production ask by the old name', async () => {
    await shop.collection('customers').updateMany({}, { $rename: { email: 'mail' } });
    await shop.collection('customers').createIndex({ mail: 1 });
    const report = await linted();
    expect(rows(report)).toEqual([['error', 'query-without-its-index', 'shop_test.customers', 'email_1']]);
    expect(report.findings[0]).toMatchObject({
      message: expect.stringContaining('No document here has `email`, and an index here has `mail` in its place'),
      evidence: { fieldNotHere: 'email', fieldInItsPlace: 'mail' },
    });
  });

  it('passes with what the remedy says, under whichever name', async () => {
    await shop.collection('customers').createIndex({ email: 1 }, { name: 'by_address' });
    expect(rows(await linted())).toEqual([]);
  });

  it('tells of a collection that production does not have, and judges it by what is here', async () => {
    await shop.collection('refunds').insertMany([{ order: 1 }, { order: 2 }]);
    const { findings } = await linted();
    expect(findings.filter(({ namespace }) => namespace === 'shop_test.refunds')).toMatchObject([
      { check: 'missing-in-production', severity: 'info', path: null, evidence: { documentsHere: 2 } },
    ]);
  });

  it('judges the same from a file of the build', async () => {
    const file = join(folder.path, 'build.evidence.jsonl');
    await collectEvidence({ uri: build.uri, include: ['shop_test.*'], output: file });
    const { report } = await judgeEvidence({ file, production: evidence, map: ['shop_test=shop'] });
    expect(report.findings).toEqual((await linted()).findings);
  });

  it('does not judge operations on collections that only production has', async () => {
    await shop.collection('payments').drop();
    const { skipped } = await linted();
    expect(skipped.map(({ detail }) => detail)).toContainEqual(expect.stringContaining('shop.payments'));
  });

  it('refuses checks that compare with production, if there is nothing else to run', async () => {
    await expect(lint({ uri: build.uri, checks: [queryWithoutItsIndex] })).rejects.toThrow(
      'query-without-its-index: give evidence of production, with --production FILE.',
    );
  });

  it('refuses a file that can not be read, before it connects', async () => {
    const file = join(folder.path, 'none.jsonl.gz');
    await expect(lint({ uri: 'mongodb://127.0.0.1:1/', production: file })).rejects.toThrow(
      `${file} can't be read: there is no such file.`,
    );
  });

  it('refuses names of databases without evidence of production', async () => {
    await expect(lint({ uri: build.uri, map: ['shop_test=shop'] })).rejects.toThrow('map needs production');
  });

  it.each([
    [
      { map: [] },
      "None of these collections is in production's evidence: its databases are shop, those here are shop_test.",
    ],
    [
      { map: ['shop_test=shopp'] },
      'map: shop_test=shopp: the evidence of production has no database shopp; did you mean "shop"?',
    ],
    [{ map: ['a=shop', 'b=shop'] }, 'map: a and b are both shop in production'],
    [{ map: ['a=shop', 'a=other'] }, 'map: a is given twice'],
  ])('refuses %j', async (options, message) => {
    await expect(linted(options)).rejects.toThrow(message);
  });
});
