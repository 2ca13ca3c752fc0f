/** Searches by many fields of one map get one wildcard index, by which the server finds each of them. */
import { MongoClient } from 'mongodb';
import { afterAll, expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan/check.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { lint } from '../../src/lint/lint.js';
import { freshDatabase, sharedReplicaSetUri } from '../support/database.js';
import { runRemedies } from '../support/remedy.js';

const DOCUMENTS = 3_000;
const VALUES = 300;
const NAMES = ['color', 'size', 'brand', 'weight', 'origin'];

const client = new MongoClient(sharedReplicaSetUri());
afterAll(() => client.close());
const database = freshDatabase(client);

async function searched() {
  await database.dropCollection('system.profile').catch(() => undefined);
  await recordOperations(database, async () => {
    for (let run = 0; run < 10; run += 1)
      for (const name of NAMES)
        await database
          .collection('products')
          .find({ [`attributes.${name}`]: run })
          .toArray();
  });
  const entries = await database.collection('system.profile').find({ op: 'query' }).toArray();
  const examined = Math.max(...entries.map(({ docsExamined }) => Number(docsExamined)));
  const uri = sharedReplicaSetUri();
  const { findings } = await lint({ uri, include: [`${database.databaseName}.products`], checks: [collectionScan] });
  return { findings, examined };
}

it('one wildcard index, which all of them use', async () => {
  await database.collection('products').insertMany(
    Array.from({ length: DOCUMENTS }, (_, number) => ({
      attributes: Object.fromEntries(NAMES.map((name, at) => [name, (number * (at + 1)) % VALUES])),
    })),
  );
  const before = await searched();
  expect(before.findings.map(({ path }) => path)).toEqual(['attributes.$**_1']);
  await runRemedies(client, before.findings);
  const after = await searched();
  expect(after.findings).toEqual([]);
  expect([before.examined, after.examined <= DOCUMENTS / 20]).toEqual([DOCUMENTS, true]);
});
