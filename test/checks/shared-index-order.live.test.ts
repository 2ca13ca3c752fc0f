/** One compound index for several recorded shapes: proven by what each examines with it, and with one of its own. */
import { type Document, type Sort } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintedCollection } from '../support/linted-collection.js';
import { runRemedies } from '../support/remedy.js';

const DOCUMENTS = 4_000;

interface Asked {
  readonly filter: Document;
  readonly sort?: Sort;
  /** The index of this query alone. */
  readonly own: Readonly<Record<string, 1 | -1>>;
}

const SERVED_BY_ONE: readonly Asked[] = [
  { filter: { state: 3, customer: 17 }, own: { state: 1, customer: 1 } },
  { filter: { customer: 23 }, own: { customer: 1 } },
  {
    filter: { agent: 2, state: 1, customer: 11 },
    sort: { placed: -1 },
    own: { agent: 1, state: 1, customer: 1, placed: -1 },
  },
];
const SERVED_BY_TWO: readonly Asked[] = [
  { filter: { state: 3, zip: 7 }, own: { state: 1, zip: 1 } },
  { filter: { zip: 3 }, sort: { placed: -1 }, own: { zip: 1, placed: -1 } },
];

describe('one index for several shapes', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const report = lintedCollection(database, [collectionScan, poorTargeting]);

  beforeAll(async () => {
    const documents = Array.from({ length: DOCUMENTS }, (_, position) => ({
      customer: position % 97,
      state: position % 5,
      agent: position % 13,
      zip: position % 11,
      placed: new Date(1.7e12 + ((position * 7_919) % DOCUMENTS) * 60_000),
    }));
    await database.collection('one').insertMany(documents);
    await database.collection('two').insertMany(documents.map(({ zip, state, placed }) => ({ zip, state, placed })));
    await database.command({ profile: 2 });
    for (const [name, asked] of [
      ['one', SERVED_BY_ONE],
      ['two', SERVED_BY_TWO],
    ] as const)
      for (const { filter, sort = {} } of asked)
        for (let times = 0; times < 3; times += 1) await database.collection(name).find(filter).sort(sort).toArray();
    await database.command({ profile: 0 });
  });

  it('is advised if an order of the fields that are set equal serves all of them, and examines no more', async () => {
    const { findings } = await report('one');
    expect(findings.map(({ path }) => path)).toEqual(['customer_1_state_1_agent_1_placed_-1']);
    expect(findings[0]?.evidence['queries']).toHaveLength(3);
    await runRemedies(client, findings);
    const collection = database.collection('one');
    for (const { filter, sort = {}, own } of SERVED_BY_ONE) {
      const name = await collection.createIndex(own, { name: 'own' });
      const [alone, shared] = await Promise.all(
        [name, 'customer_1_state_1_agent_1_placed_-1'].map(async (hint) => {
          const { executionStats } = await collection.find(filter).sort(sort).hint(hint).explain('executionStats');
          return { documents: executionStats.totalDocsExamined, keys: executionStats.totalKeysExamined };
        }),
      );
      expect(shared).toEqual(alone);
      await collection.dropIndex(name);
    }
    expect((await report('one')).findings).toEqual([]);
  });

  it('is not advised if one of them would have to sort in memory', async () => {
    const { findings } = await report('two');
    expect(findings.map(({ path }) => path).sort()).toEqual(['state_1_zip_1', 'zip_1_placed_-1']);
  });
});
