/** The conversion that a join makes until its values are converted, on a real server: it finds what the join finds then. */
import { runInNewContext } from 'node:vm';
import { ObjectId, type Document } from 'mongodb';
import { expect, it } from 'vitest';
import { lookupTypeMismatch } from '../../checks/lookup-type-mismatch/check.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { lint } from '../../src/lint/lint.js';
import { freshDatabase, sharedClient, sharedReplicaSetUri } from '../support/database.js';
import { runShellCode } from '../support/shell-code.js';

const ORDERS = 2_000;
const CUSTOMERS = 100;
const PAGE = 20;
const client = sharedClient();
const database = freshDatabase(client);

it('by the printed let, with the index on the other side', async () => {
  const ids = Array.from({ length: CUSTOMERS }, () => new ObjectId());
  const customerOf = (number: number) => ids[number % CUSTOMERS]?.toHexString();
  await database.collection('customers').insertMany(ids.map((_id) => ({ _id })));
  const orders = database.collection('orders');
  await orders.insertMany(Array.from({ length: ORDERS }, (_, number) => ({ customer: customerOf(number) })));
  const joined = (by: Document, comment: string) => {
    const lookup = { from: 'customers', as: 'found', ...by };
    const page = [{ $sort: { _id: 1 } }, { $limit: PAGE }, { $lookup: lookup }, { $project: { found: true } }];
    return orders.aggregate(page, { comment }).toArray();
  };
  const byFields = { localField: 'customer', foreignField: '_id' };
  let before: Document[] = [];
  await recordOperations(database, async () => {
    before = await joined(byFields, 'before');
  });
  expect(before.flatMap(({ found }) => found as Document[])).toEqual([]);

  const options = { uri: sharedReplicaSetUri(), include: [database.databaseName], checks: [lookupTypeMismatch] };
  const { findings } = await lint(options);
  const [untilThen = '', convert = ''] = findings[0]?.remedy.steps.flatMap(({ code }) => code ?? []) ?? [];
  const conversion = runInNewContext(`({ ${untilThen} })`) as Document;
  const pipeline = [{ $match: { $expr: { $eq: ['$_id', '$$key'] } } }];
  let converted: Document[] = [];
  await recordOperations(database, async () => {
    converted = await joined({ ...conversion, pipeline }, 'converted');
  });
  expect(converted.map(({ found }) => (found as Document[]).length)).toEqual(Array(PAGE).fill(1));
  const [entry] = await database.collection('system.profile').find({ 'command.comment': 'converted' }).toArray();
  expect(entry?.['docsExamined']).toBe(2 * PAGE);

  await runShellCode(client, convert);
  expect(await joined(byFields, 'after')).toEqual(converted);
});
