/** A partial index in the place of a whole one: offered only where every recorded query can use it, and proven by plans. */
import { type Collection, type Document, type FindCursor } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import { inMemorySort } from '../../checks/in-memory-sort/check.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import type { Finding } from '../../src/finding.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';
import { runRemedies } from '../support/remedy.js';
import { runShellCode } from '../support/shell-code.js';

const DOCUMENTS = 8_000;
const AT = new Date('2026-03-01');
const MOSTLY_DELETED = (position: number) =>
  position % 8 > 1 ? { deletedAt: AT } : position % 8 === 0 ? { deletedAt: null } : {};
const LIVE = { owner: 7, deletedAt: null };

interface Case {
  readonly marks: (position: number) => Document;
  readonly filters: readonly Document[];
  readonly indexed?: Readonly<Record<string, 1>>;
  readonly sort?: Document;
  readonly isOffered: boolean;
}

/** Labelled before the first run. */
const CASES: Readonly<Record<string, Case>> = {
  marked: { marks: MOSTLY_DELETED, filters: [LIVE], isOffered: true },
  'marked, and sorted': { marks: MOSTLY_DELETED, filters: [LIVE], sort: { placed: -1 }, isOffered: true },
  'marked in a document': {
    marks: (position) => ({ state: MOSTLY_DELETED(position) }),
    filters: [{ owner: 7, 'state.deletedAt': null }],
    isOffered: true,
  },
  'by two indexes': {
    marks: MOSTLY_DELETED,
    filters: [
      { ...LIVE, kind: 3 },
      { ...LIVE, kind: { $gt: 8 } },
    ],
    isOffered: true,
  },
  'in every alternative': { marks: MOSTLY_DELETED, filters: [LIVE, { $and: [LIVE, { note: 1 }] }], isOffered: true },
  'asked without the mark too': { marks: MOSTLY_DELETED, filters: [LIVE, { owner: 7 }], isOffered: false },
  'asked for the deleted too': {
    marks: MOSTLY_DELETED,
    filters: [LIVE, { owner: 7, deletedAt: AT }],
    isOffered: false,
  },
  'of which few are marked': {
    marks: (position) => (position % 8 === 0 ? { deletedAt: AT } : {}),
    filters: [LIVE],
    isOffered: false,
  },
  'marked in arrays': { marks: (position) => ({ deletedAt: [position, null] }), filters: [LIVE], isOffered: false },
  'asked whether it is there': {
    marks: MOSTLY_DELETED,
    filters: [{ owner: 7, deletedAt: { $exists: false } }],
    isOffered: false,
  },
  'found by an index that the whole one replaces': {
    marks: MOSTLY_DELETED,
    filters: [{ ...LIVE, note: 1 }],
    indexed: { note: 1 },
    isOffered: false,
  },
  'asked by the mark alone': {
    marks: (position) => (position % 100 === 0 ? {} : { deletedAt: AT }),
    filters: [{ deletedAt: null }],
    isOffered: false,
  },
  'asked by the mark in an order': {
    marks: MOSTLY_DELETED,
    filters: [{ deletedAt: null }],
    sort: { placed: -1 },
    isOffered: true,
  },
};

/** Sorted, only the first ten are asked for. */
function ask(collection: Collection, filter: Document, sort: Document | undefined): FindCursor {
  return sort === undefined ? collection.find(filter) : collection.find(filter).sort(sort).limit(10);
}

const partialSteps = (findings: readonly Finding[]) =>
  findings.flatMap(({ remedy }) => remedy.steps.filter(({ code }) => code?.includes('partialFilterExpression')));

const byId = (documents: readonly Document[]) => documents.map(({ _id }) => String(_id)).toSorted();

describe('a partial index', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const findingsOn = async (collection: string) =>
    (
      await lintShared({
        include: [`${database.databaseName}.${collection}`],
        checks: [collectionScan, inMemorySort, poorTargeting],
      })
    ).findings;

  beforeAll(async () => {
    await database.createCollection('system.profile', { capped: true, size: 16 * 1024 * 1024 });
    for (const [name, { marks }] of Object.entries(CASES))
      await database.collection(name).insertMany(
        Array.from({ length: DOCUMENTS }, (_, position) => ({
          owner: position % 97,
          kind: position % 11,
          note: position % 3,
          placed: new Date(1.7e12 + ((position * 7_919) % DOCUMENTS) * 60_000),
          ...marks(position),
        })),
      );
    for (const [name, { indexed }] of Object.entries(CASES))
      if (indexed !== undefined) await database.collection(name).createIndex(indexed);
    await database.command({ profile: 2 });
    for (const [name, { filters, sort }] of Object.entries(CASES))
      for (const filter of filters)
        for (let times = 0; times < 3; times += 1) await ask(database.collection(name), filter, sort).toArray();
    await database.command({ profile: 0 });
  });

  it.each(Object.entries(CASES).filter(([, { isOffered }]) => isOffered))(
    'is offered for documents that are %s, finds the same, and puts the finding right',
    async (name, { filters, sort }) => {
      const before = await findingsOn(name);
      expect(before.length).toBeGreaterThan(0);
      const steps = partialSteps(before);
      expect(steps).toHaveLength(before.length);
      const collection = database.collection(name);
      const documents = () => Promise.all(filters.map((filter) => ask(collection, filter, sort).toArray()));
      const found = await documents();
      for (const { code = '' } of steps) await runShellCode(client, code);
      expect((await documents()).map(byId)).toEqual(found.map(byId));
      for (const filter of filters) {
        const { queryPlanner } = await ask(collection, filter, sort).explain();
        expect(JSON.stringify(queryPlanner.winningPlan)).toMatch(/"indexName":"[^"]+_partial"/);
        expect(JSON.stringify(queryPlanner.winningPlan)).not.toMatch(/"stage":"(SORT|COLLSCAN)"/);
      }
      expect(await findingsOn(name)).toEqual([]);
    },
  );

  it.each(Object.entries(CASES).filter(([, { isOffered }]) => !isOffered))(
    'is not offered for documents that are %s',
    async (name) => {
      const findings = await findingsOn(name);
      expect(findings.length).toBeGreaterThan(0);
      expect(partialSteps(findings)).toEqual([]);
    },
  );

  it('has an entry for each document whose field is null or missing', async () => {
    const { keysPerIndex } = await database.command({ validate: 'marked' });
    expect(keysPerIndex).toMatchObject({ owner_1_partial: DOCUMENTS / 4 });
  });

  it('is not taken for one that serves queries without the mark', async () => {
    const name = 'asked without the mark too';
    await database
      .collection(name)
      .createIndex({ owner: 1 }, { name: 'own', partialFilterExpression: { deletedAt: null } });
    const findings = await findingsOn(name);
    expect(findings.flatMap(({ evidence }) => evidence['queries'])).toHaveLength(1);
    await runRemedies(client, findings);
    expect(await findingsOn(name)).toEqual([]);
  });
});
