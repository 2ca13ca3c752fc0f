/** Long lists on a real server: the printed queries have the same documents, and examine fewer keys. */
import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longInList } from '../../checks/long-in-list.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { judgedRun, total } from '../support/judged-run.js';
import { runShellCode } from '../support/shell-code.js';

const CUSTOMERS = 3_000;
const ORDERS = 12_000;
const LISTED = 600;
const EXECUTIONS = 3;
const BATCH = 200;
const client = new MongoClient(sharedReplicaSetUri(), { appName: 'shop' });
afterAll(() => client.close());

const ofOrder = (documents: readonly Document[]) => documents.map(({ _id, at }) => [_id, at] as unknown[]);
const times = async (run: () => Promise<unknown>) => {
  for (let round = 0; round < EXECUTIONS; round += 1) await run();
};

describe('long-in-list on a real server', () => {
  const database = freshDatabase(client);
  const orders = database.collection<{ _id: number; customer: number; at: number }>('orders');

  beforeAll(async () => {
    await orders.insertMany(
      Array.from({ length: ORDERS }, (_, number) => ({
        _id: number,
        customer: (number * 7_919) % CUSTOMERS,
        at: (number * 31) % ORDERS,
      })),
    );
    await orders.createIndex({ customer: 1, at: -1 });
  });

  async function recorded(run: () => Promise<unknown>) {
    const { findings, skipped, entries } = await judgedRun(database, run, { checks: [longInList] });
    expect(skipped).toEqual([]);
    return {
      findings,
      keys: total(
        entries.filter(({ ns }) => ns === orders.namespace),
        'keysExamined',
      ),
    };
  }

  it('prints batches that an index gives in order, with the keys that they examine', async () => {
    const ids = Array.from({ length: 1_000 }, (_, number) => number * 3);
    const page = 20;
    let before: Document[] = [];
    const ran = await recorded(() =>
      times(async () => {
        const filter = { customer: { $in: ids } };
        before = await orders.find(filter).sort({ at: -1 }).limit(page).toArray();
      }),
    );
    expect(ran.findings).toMatchObject([{ severity: 'info', path: 'customer', evidence: { medianValues: 1_000 } }]);
    const steps = ran.findings[0]!.remedy.steps;
    const code = steps.map((step) => step.code).find((each) => each?.includes('.limit(limit)')) ?? '';
    let after: Document[] = [];
    const batches = await recorded(() =>
      times(async () => {
        const all: Document[] = [];
        for (let first = 0; first < ids.length; first += BATCH) {
          const values = { customerValues: ids.slice(first, first + BATCH), limit: page };
          all.push(...((await runShellCode(client, code, values)) as Document[]));
        }
        after = all.toSorted((one, other) => Number(other['at']) - Number(one['at'])).slice(0, page);
      }),
    );
    expect(ofOrder(after)).toEqual(ofOrder(before));
    expect(batches.findings).toEqual([]);
    expect(batches.keys).toBeLessThan(ran.keys / 2);
    const told = Number(ran.findings[0]!.evidence['keysExaminedInBatchesEstimated']);
    expect(Math.abs(batches.keys / EXECUTIONS - told)).toBeLessThan(0.05 * told);
  });

  it('says at least how many values there were in a command that the profiler cut', async () => {
    const ids = Array.from({ length: 9_000 }, (_, number) => number + 0.12345);
    const ran = await recorded(() => times(() => orders.find({ customer: { $in: ids } }).toArray()));
    expect(ran.findings).toMatchObject([{ severity: 'info', path: 'customer', confidence: 'medium' }]);
    const { medianValuesAtLeast } = ran.findings[0]!.evidence;
    expect(medianValuesAtLeast).toBeGreaterThan(3_000);
    expect(medianValuesAtLeast).toBeLessThanOrEqual(9_000);
  });

  it('is silent about 200 values', async () => {
    const ids = Array.from({ length: BATCH }, (_, number) => number);
    const ran = await recorded(() => times(() => orders.find({ customer: { $in: ids } }).toArray()));
    expect(ran.findings).toEqual([]);
  });

  it('is silent about a list that is tested on what an index of another field gives', async () => {
    const ids = Array.from({ length: LISTED }, (_, number) => number);
    await orders.createIndex({ at: -1 });
    const newest = () =>
      orders
        .find({ customer: { $in: ids } })
        .sort({ at: -1 })
        .limit(10)
        .hint({ at: -1 })
        .toArray();
    const ran = await recorded(() => times(newest));
    await orders.dropIndex('at_-1');
    expect(ran.findings).toEqual([]);
  });
});
