/** An upsert by fields that have a plain index: the unique one that is advised is accepted beside it, and ends the finding. */
import { expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import { upsertWithoutUniqueIndex } from '../../checks/upsert-without-unique-index.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { judgedRun } from '../support/judged-run.js';
import { runShellCode } from '../support/shell-code.js';

const DOCUMENTS = 2_000;

const client = sharedClient();
const database = freshDatabase(client);

async function found(name: string) {
  const collection = database.collection(name);
  const upsert = async () => {
    for (let user = 0; user < 40; user += 1)
      await collection.updateOne({ user, page: 1 }, { $set: { seen: user } }, { upsert: true });
  };
  return (await judgedRun(database, upsert, { only: collection, checks: [collectionScan, upsertWithoutUniqueIndex] }))
    .findings;
}

it.each([
  ['beside a plain index', { page: 1, user: 1 } as const, ['upsert-without-unique-index']],
  ['where no index is', null, ['collection-scan', 'upsert-without-unique-index']],
])('%s', async (_, plain, checks) => {
  const collection = plain === null ? 'scanned' : 'indexed';
  await database
    .collection(collection)
    .insertMany(Array.from({ length: DOCUMENTS }, (__, number) => ({ user: number, page: number % 3, seen: 0 })));
  if (plain !== null) await database.collection(collection).createIndex(plain);
  const before = await found(collection);
  expect(before.map(({ check }) => check).toSorted()).toEqual(checks);
  expect(before.flatMap(({ remedy }) => remedy.commands ?? [])).toEqual([]);
  const code = before[0]?.remedy.steps.find((step) => step.code?.includes('unique: true'))?.code ?? '';
  await runShellCode(client, code);
  expect(await found(collection)).toEqual([]);
});
