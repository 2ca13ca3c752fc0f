/** A build at production's size, on two real servers. Of production's log, the times alone are stood in: they span a day. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../../src/demo/embedded-mongod/temporary-folder.js';
import { lint, type LintOptions } from '../../src/lint/lint.js';
import { collectEvidence } from '../../src/lint/collect-evidence.js';
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
  let remove: (() => Promise<void>) | undefined;

  const linted = (options: Partial<LintOptions> = {}) =>
    lint({ uri: build.uri, include: ['shop_test.*'], production: evidence, map: ['shop_test=shop'], ...options });

  beforeAll(async () => {
    const folder = await createTemporaryFolder(tmpdir());
    remove = () => folder.remove();
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
    await remove?.();
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
    expect(rows(report)).toEqual([
      ['error', 'missing-lookup-index', 'shop_test.payments', 'order'],
      // Nearly all documents that the operations on orders examine are scanned for joins.
      ['warning', 'heavy-lookup', 'shop_test.orders', null],
    ]);
    expect(report.findings[0]).toMatchObject({
      message: expect.stringMatching(/60 documents here, 20,000 in production, 12\d executions a day\.$/),
      judgedAt: { documents: PRODUCTION_DOCUMENTS, from: 'production' },
      evidence: { documentsHere: FIXTURES, foreignDocuments: PRODUCTION_DOCUMENTS },
    });
  });

  it('passes once the branch adds the index', async () => {
    await shop.collection('payments').createIndex({ order: 1 });
    expect(rows(await linted())).toEqual([]);
  });
});
