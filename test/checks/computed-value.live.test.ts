import { type Document } from 'mongodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { computedValue } from '../../checks/computed-value.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

const ORDERS = 11_000;
const READERS = 30;
const BY_STATUS: Document = { $group: { _id: '$status', total: { $sum: '$total' } } };

async function readAll(run: () => Promise<unknown>): Promise<void> {
  for (let reader = 0; reader < READERS; reader += 1) await run();
}

describe('computed-value on a real server', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const orders = database.collection('orders');
  const totals = database.collection<{ _id: string; total: number }>('totals');

  const lintIt = async () => {
    const { findings } = await lintShared({
      include: [database.databaseName],
      checks: [computedValue],
      settings: { 'computed-value': { thresholds: { executions: READERS } } },
    });
    return findings;
  };

  beforeAll(async () => {
    await orders.insertMany(
      Array.from({ length: ORDERS }, (_, number) => ({ number, status: `s${number % 4}`, total: number % 90 })),
    );
  });
  beforeEach(async () => {
    await database.collection('system.profile').drop();
  });

  it('finds totals that each reader computes, and nothing once they are kept, which are the same', async () => {
    const compute = () => orders.aggregate<Document>([BY_STATUS, { $sort: { _id: 1 } }]).toArray();
    const computed = await compute();
    await recordOperations(database, () => readAll(compute));
    const findings = await lintIt();
    expect(
      findings.map(({ severity, confidence, namespace, path }) => [severity, confidence, namespace, path]),
    ).toEqual([['warning', 'medium', orders.namespace, null]]);
    expect(findings[0]?.evidence).toMatchObject({ executions: READERS, documentsExamined: ORDERS, writesRecorded: 0 });
    await database.collection('system.profile').drop();
    // As the second step says: by a job, which runs once.
    await recordOperations(database, async () => {
      await orders.aggregate([BY_STATUS, { $merge: totals.collectionName }]).toArray();
      await readAll(() => totals.find().sort({ _id: 1 }).toArray());
    });
    expect(await totals.find().sort({ _id: 1 }).toArray()).toEqual(computed);
    expect(await lintIt()).toEqual([]);
  });

  it('is one if each reader writes, too, and none if each asks for a part that no index finds', async () => {
    await recordOperations(database, () =>
      readAll(async () => {
        await orders.updateOne({ number: 7 }, { $inc: { total: 1 } });
        await orders.aggregate([BY_STATUS]).toArray();
        await orders.aggregate([{ $match: { status: 's1' } }, BY_STATUS]).toArray();
      }),
    );
    const findings = await lintIt();
    expect(findings.map(({ severity }) => severity)).toEqual(['warning']);
    expect(findings[0]?.message).toContain('reads 11,000 documents to return 4, each time (30 executions');
  });
});
