/** Searches by many fields of one map get one wildcard index, by which the server finds each of them. */
import { expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { judgedRun } from '../support/judged-run.js';
import { runRemedies } from '../support/remedy.js';

const DOCUMENTS = 3_000;
const VALUES = 300;
const NAMES = ['color', 'size', 'brand', 'weight', 'origin'];

const client = sharedClient();
const database = freshDatabase(client);

async function searched() {
  const products = database.collection('products');
  const search = async () => {
    for (let run = 0; run < 10; run += 1)
      for (const name of NAMES) await products.find({ [`attributes.${name}`]: run }).toArray();
  };
  const { findings, entries } = await judgedRun(database, search, { only: products, checks: [collectionScan] });
  const queries = entries.filter(({ op }) => op === 'query');
  return { findings, examined: Math.max(...queries.map(({ docsExamined }) => Number(docsExamined))) };
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
