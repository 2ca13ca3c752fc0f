/** A find for each document of a list, on a real server: the printed queries have the same documents, and are no finding. */
import { MongoClient, type Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nPlusOneQuery } from '../../checks/n-plus-one-query.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { judgedRun, total } from '../support/judged-run.js';
import { findWithValues, pipelineWithValues } from '../support/printed-pipeline.js';

const LISTED = 600;
const CUSTOMERS = 450;
/** Of 600 orders of 500 customers, those whose customer is known. */
const LISTED_OF_CUSTOMERS = 550;
const client = new MongoClient(sharedReplicaSetUri(), { appName: 'export' });
afterAll(() => client.close());

interface Order {
  readonly _id: number;
  readonly customer: number;
}

const byId = (documents: readonly Document[]) =>
  documents.toSorted((one, other) => Number(one['_id']) - Number(other['_id']));

describe('n-plus-one-query on a real server', () => {
  const database = freshDatabase(client);
  const orders = database.collection<Order>('orders');
  const customers = database.collection<{ _id: number; name: string }>('customers');

  beforeAll(async () => {
    await orders.insertMany(
      Array.from({ length: 2 * LISTED }, (_, number) => ({ _id: number, customer: number % 500 })),
    );
    await customers.insertMany(
      Array.from({ length: CUSTOMERS }, (_, number) => ({ _id: number, name: `No. ${number}` })),
    );
  });

  const recorded = async (run: () => Promise<void>) => {
    const { findings } = await judgedRun(database, run, { checks: [nPlusOneQuery] });
    const $or = ['command', 'originatingCommand'].flatMap((place) => [
      { [`${place}.find`]: 'customers' },
      { [`${place}.pipeline.$lookup.from`]: 'customers' },
    ]);
    const entries = await database.collection('system.profile').find({ $or }).toArray();
    const executions = entries.filter(({ op }) => op !== 'getmore').length;
    return { findings, executions, examined: total(entries, 'docsExamined') };
  };

  it('is found, and gone with either of the printed queries, which return the same documents', async () => {
    const one = new Map<number, Document>();
    let listed: Order[] = [];
    let joined: Order[] = [];
    const before = await recorded(async () => {
      listed = await orders.find().sort({ _id: 1 }).limit(LISTED).toArray();
      for (const { customer } of listed) {
        const found = await customers.findOne({ _id: customer });
        if (found !== null) one.set(found._id, found);
      }
    });
    expect([before.executions, before.examined]).toEqual([LISTED, LISTED_OF_CUSTOMERS]);
    expect(before.findings).toMatchObject([
      {
        check: 'n-plus-one-query',
        severity: 'warning',
        path: '_id',
        ranBy: [{ appName: 'export', share: 1 }],
        evidence: {
          executions: LISTED,
          listedIn: `${database.databaseName}.orders`,
          documentsListed: LISTED,
          lists: 1,
        },
      },
    ]);
    const codes = before.findings[0]?.remedy.steps.flatMap(({ code }) => code ?? []) ?? [];

    const { filter } = findWithValues(codes[0] ?? '', [listed.map(({ customer }) => customer)]);
    let atOnce: Document[] = [];
    const after = await recorded(async () => {
      atOnce = await customers.find(filter).toArray();
    });
    expect(byId(atOnce)).toEqual(byId([...one.values()]));
    expect(after).toEqual({ findings: [], executions: 1, examined: CUSTOMERS });

    const { collection, pipeline } = pipelineWithValues(codes[1] ?? '', [LISTED, 'customer']);
    expect(collection).toBe('orders');
    const withJoin = await recorded(async () => {
      joined = (await orders.aggregate([...pipeline]).toArray()) as Order[];
    });
    const expected = listed.map((order) => ({ ...order, customers: [one.get(order.customer) ?? []].flat() }));
    expect(joined).toEqual(expected);
    // The documents listed and those joined, in one round trip instead of 601.
    expect(withJoin).toEqual({ findings: [], executions: 1, examined: LISTED + LISTED_OF_CUSTOMERS });
  });
});
