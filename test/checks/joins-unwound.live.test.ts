import { expect, it } from 'vitest';
import { missingLookupIndex } from '../../checks/missing-lookup-index.js';
import { isBefore } from '../../src/connect/server-version.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { freshDatabase, sharedClient, sharedServerVersion } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';
import { runRemedies } from '../support/remedy.js';

const PAYMENTS = 12_000;

const client = sharedClient();
const database = freshDatabase(client);

it('a join of one document that is unwound is judged by size, unless the server counts it', async () => {
  await database.collection<{ _id: number }>('orders').insertMany([{ _id: 1 }, { _id: 2 }]);
  await database
    .collection('payments')
    .insertMany(Array.from({ length: PAYMENTS }, (_, number) => ({ order: number % 3_000 })));
  const pipeline = [
    { $match: { _id: 1 } },
    { $lookup: { from: 'payments', localField: '_id', foreignField: 'order', as: 'payments' } },
    { $unwind: '$payments' },
  ];
  await recordOperations(database, async () => {
    for (let execution = 0; execution < 5; execution += 1)
      await database.collection('orders').aggregate(pipeline).toArray();
  });
  const recorded = await database.collection('system.profile').find({ 'command.aggregate': 'orders' }).toArray();
  // Measured: 6.0.5 and 6.0.27 do not count it, 7.0.28 does.
  const isCounted = !isBefore(sharedServerVersion(), '7.0.0');
  expect(recorded.map((entry) => Number(entry['docsExamined']) >= PAYMENTS)).toEqual(Array(5).fill(isCounted));
  const findingsIn = async () =>
    (await lintShared({ include: [`${database.databaseName}.*`], checks: [missingLookupIndex] })).findings;
  const findings = await findingsIn();
  expect(findings).toMatchObject([
    {
      severity: 'warning',
      path: 'order',
      message: expect.stringMatching(
        /reads all 12,000 documents, once per outer document or once into a hash table(?:: 12,00\d documents examined per execution on average)?\.$/,
      ),
    },
  ]);
  const examined = findings[0]?.evidence['documentsExamined'] ?? null;
  expect(examined === null).toBe(!isCounted);
  await runRemedies(client, findings);
  expect(await findingsIn()).toEqual([]);
});
