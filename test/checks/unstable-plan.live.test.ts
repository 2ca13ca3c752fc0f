/** Plans that change by what was asked for first, on a real server; and an index that keeps others from a tie. */
import { type Collection, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { redundantIndex } from '../../checks/redundant-index.js';
import { unstablePlan } from '../../checks/unstable-plan.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintedCollection } from '../support/linted-collection.js';
import { runRemedies } from '../support/remedy.js';

const RARE = 1_000;
const COMMON = 9_500;
const BOTH = 10;

/** A thousand documents have a rare value of `a` and ten of these the common one of `b`; and the other way round. */
const documents = (): Document[] => [
  ...Array.from({ length: BOTH }, () => ({ a: 'rare', b: 'common' })),
  ...Array.from({ length: RARE - BOTH }, (_, number) => ({ a: 'rare', b: number })),
  ...Array.from({ length: COMMON - BOTH }, (_, number) => ({ a: number, b: 'common' })),
  ...Array.from({ length: BOTH }, () => ({ a: 'common', b: 'rare' })),
  ...Array.from({ length: RARE - BOTH }, (_, number) => ({ a: number, b: 'rare' })),
  ...Array.from({ length: COMMON - BOTH }, (_, number) => ({ a: 'common', b: number })),
];
const BY_A = { a: 'rare', b: 'common' };
const BY_B = { a: 'common', b: 'rare' };

describe('unstable-plan on a real server', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const report = lintedCollection(database, [unstablePlan]);

  /** Three rounds after each of which the cached plan is lost, as after a restart. */
  async function ask(collection: Collection, firsts: readonly Document[]): Promise<void> {
    await database.command({ profile: 2 });
    for (const first of firsts) {
      await database.command({ planCacheClear: collection.collectionName });
      // The second time makes the plan active.
      for (let times = 0; times < 2; times += 1) await collection.find(first).toArray();
      for (let times = 0; times < 10; times += 1) await collection.find(BY_B).toArray();
    }
    await database.command({ profile: 0 });
  }

  async function planted(name: string, indexes: readonly Document[]): Promise<Collection> {
    const collection = database.collection(name);
    await collection.insertMany(documents());
    for (const key of indexes) await collection.createIndex(key as Record<string, 1>);
    return collection;
  }

  it('reports plans in turn of which one examines far more, until one index serves', async () => {
    const collection = await planted('flipping', [{ a: 1 }, { b: 1 }]);
    await ask(collection, [BY_A, BY_B, BY_A]);
    const { findings } = await report('flipping');
    expect(findings).toMatchObject([
      {
        check: 'unstable-plan',
        severity: 'warning',
        evidence: { plans: ['IXSCAN { a: 1 }', 'IXSCAN { b: 1 }'] },
      },
    ]);
    const entries = await database
      .collection('system.profile')
      .find({ ns: collection.namespace, op: 'query' })
      .toArray();
    const examined = (summary: string) => {
      const own = entries.filter(({ planSummary }) => planSummary === summary);
      const all = own.reduce((sum, entry) => sum + Number(entry['docsExamined']) + Number(entry['keysExamined']), 0);
      return Math.round(all / own.length);
    };
    expect(findings[0]?.evidence['plansExamined']).toEqual([examined('IXSCAN { a: 1 }'), examined('IXSCAN { b: 1 }')]);
    const both = await lintedCollection(database, [unstablePlan, poorTargeting])('flipping');
    expect(both.findings).toMatchObject([{ check: 'poor-targeting', furtherReasons: [{ check: 'unstable-plan' }] }]);
    await runRemedies(client, findings);
    expect((await collection.indexes()).map(({ name }) => name)).toContain('a_1_b_1');
    expect((await report('flipping')).findings).toEqual([]);
    await ask(collection, [BY_A, BY_B, BY_A]);
    const { executionStats } = await collection.find(BY_B).explain('executionStats');
    expect(executionStats.totalDocsExamined).toBe(BOTH);
  });

  it('reports cached plans that are given up', async () => {
    const collection = await planted('replanned', [{ a: 1 }, { b: 1 }]);
    await collection.insertOne({ a: 'only', b: 'common' });
    await collection.insertOne({ a: 'common', b: 'only' });
    await database.command({ profile: 2 });
    for (let round = 0; round < 6; round += 1)
      for (const filter of [
        { a: 'only', b: 'common' },
        { a: 'common', b: 'only' },
      ])
        for (let times = 0; times < 3; times += 1) await collection.find(filter).toArray();
    await database.command({ profile: 0 });
    const replanned = await database
      .collection('system.profile')
      .countDocuments({ ns: collection.namespace, replanned: true });
    expect(replanned).toBeGreaterThan(3);
    const { findings } = await report('replanned');
    expect(findings).toMatchObject([{ check: 'unstable-plan', severity: 'info', evidence: { replanned } }]);
  });

  it.each<[string, (name: string) => Promise<void>]>([
    ['one index serves', async (name) => ask(await planted(name, [{ a: 1, b: 1 }, { b: 1 }]), [BY_A, BY_B, BY_A])],
    [
      'an index was built meanwhile',
      async (name) => {
        const collection = await planted(name, [{ a: 1 }]);
        await ask(collection, [BY_B]);
        await collection.createIndex({ b: 1 });
        await ask(collection, [BY_B]);
      },
    ],
    [
      'one index serves two branches of an or, and then more',
      async (name) => {
        const collection = await planted(name, [{ a: 1, b: 1 }]);
        await database.command({ profile: 2 });
        for (let round = 0; round < 4; round += 1)
          for (const branches of [2, 3, 5])
            for (let times = 0; times < 4; times += 1)
              await collection
                .find({ $or: Array.from({ length: branches }, (_, number) => ({ a: 'rare', b: number + round })) })
                .toArray();
        await database.command({ profile: 0 });
      },
    ],
  ])('reports nothing if %s', async (name, run) => {
    await run(name);
    expect((await report(name)).findings).toEqual([]);
  });

  it('leaves an index that keeps others from a tie to a person, and no other', async () => {
    const byAlone = { kind: 'rare' };
    for (const [name, further] of [
      ['tied', { kind: 1, state: 1 }],
      ['untied', { state: 1, kind: 1 }],
    ] as const) {
      const collection = database.collection(name);
      await collection.insertMany(
        Array.from({ length: 2_000 }, (_, number) => ({
          kind: number % 9 === 0 ? 'rare' : number,
          state: 1,
          at: number,
        })),
      );
      await collection.createIndex({ kind: 1 });
      await database.command({ profile: 2 });
      for (let times = 0; times < 5; times += 1) await collection.find(byAlone).toArray();
      await database.command({ profile: 0 });
      await collection.createIndex({ kind: 1, at: 1 });
      await collection.createIndex(further);
    }
    const redundant = lintedCollection(database, [redundantIndex, unstablePlan]);
    const [tied, untied] = [await redundant('tied'), await redundant('untied')].map(({ findings: [found] }) => found);
    expect([tied?.path, untied?.path]).toEqual(['kind_1', 'kind_1']);
    expect(untied?.remedy.commands).toHaveLength(1);
    expect(tied?.remedy.commands ?? []).toEqual([]);
    expect(tied?.remedy.steps[0]?.text).toContain(
      '`kind_1_at_1` and `kind_1_state_1` serve find by `kind` equally well',
    );
    // As the server sees it: without the index it has two plans to try, and one otherwise.
    const plans = async (name: string) => {
      await database.command({ collMod: name, index: { name: 'kind_1', hidden: true } });
      const { queryPlanner } = await database.collection(name).find(byAlone).explain('queryPlanner');
      return 1 + queryPlanner.rejectedPlans.length;
    };
    expect([await plans('tied'), await plans('untied')]).toEqual([2, 1]);
  });
});
