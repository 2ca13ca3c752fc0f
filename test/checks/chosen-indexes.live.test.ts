/** Indexes chosen by what the sample tells: what each query examines with them on a real server, and that none is asked for more. */
import { type Collection, type Document, type IndexSpecification, type Sort } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { collectionScan } from '../../checks/collection-scan.js';
import { inMemorySort } from '../../checks/in-memory-sort/check.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintedCollection } from '../support/linted-collection.js';
import { runRemedies } from '../support/remedy.js';

const DOCUMENTS = 4_000;
/** In another order than the position, each value once. */
const shuffled = (position: number) => (position * 1_009) % DOCUMENTS;

interface Asked {
  readonly filter: Document;
  readonly sort?: Sort;
  readonly limit?: number;
  /** Documents and keys of an execution with the indexes that are advised, at most. */
  readonly examines: number;
}

interface Case {
  readonly name: string;
  readonly document: (position: number) => Document;
  readonly asked: readonly Asked[];
  /** The key of an index that is there from the beginning. */
  readonly existing?: IndexSpecification;
  readonly indexes: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: 'range',
    document: (position) => ({
      status: position % 10 === 0 ? 'returned' : 'open',
      createdAt: position,
      total: shuffled(position),
    }),
    asked: [{ filter: { status: 'open', createdAt: { $gte: 3_960 } }, sort: { total: -1 }, limit: 100, examines: 73 }],
    indexes: ['status_1_createdAt_1'],
  },
  {
    name: 'exists',
    document: (position) => ({ title: position, ...(position % 400 === 0 && { importId: position }) }),
    asked: [{ filter: { importId: { $exists: true } }, examines: 21 }],
    indexes: ['importId_1_sparse'],
  },
  {
    name: 'held in arrays',
    document: (position) => ({
      title: position,
      ...(position % 400 === 0 && { stars: [{ by: position }, { by: 1 }] }),
    }),
    asked: [{ filter: { 'stars.by': { $exists: true } }, examines: 31 }],
    indexes: ['stars.by_1_sparse'],
  },
  {
    name: 'news of rooms',
    document: (position) => ({ room: position % 3, sentAt: position, updatedAt: shuffled(position) }),
    asked: [{ filter: { room: 1, updatedAt: { $gt: 3_970 } }, sort: { sentAt: 1 }, examines: 24 }],
    existing: { room: 1, sentAt: 1, updatedAt: 1 },
    indexes: ['room_1_updatedAt_1'],
  },
  {
    name: 'branches',
    document: (position) => ({ folder: position % 140, isPublic: position % 5 !== 0, size: shuffled(position) }),
    asked: [{ filter: { $or: [{ folder: 3 }, { isPublic: true }] }, sort: { size: -1 }, limit: 10, examines: 40 }],
    indexes: ['size_-1'],
  },
  {
    name: 'tail',
    document: (position) => ({
      customer: position % 800,
      kind: shuffled(position) % 6,
      priority: shuffled(position) % 4,
      openedAt: shuffled(position),
    }),
    asked: [
      { filter: { customer: 7, kind: 3 }, examines: 10 },
      { filter: { customer: 7, priority: 3 }, examines: 10 },
      { filter: { customer: 7 }, sort: { openedAt: -1 }, examines: 10 },
    ],
    indexes: ['customer_1_openedAt_-1'],
  },
  {
    name: 'flags',
    document: (position) => ({
      done: position % 2 === 0,
      assignee: shuffled(position) % 160,
      dueAt: shuffled(position),
    }),
    asked: [
      { filter: { done: false }, sort: { dueAt: 1 }, limit: 20, examines: 100 },
      { filter: {}, sort: { dueAt: 1 }, limit: 20, examines: 40 },
      { filter: { done: false, assignee: 9 }, examines: 50 },
    ],
    indexes: ['assignee_1_done_1', 'dueAt_1'],
  },
  {
    name: 'of one value and an index on it',
    document: (position) => ({ deleted: false, owner: shuffled(position) % 160, openedAt: position }),
    asked: [{ filter: { deleted: false, owner: 7 }, examines: 50 }],
    existing: { deleted: 1 },
    indexes: ['owner_1_deleted_1'],
  },
  {
    // Of nearly one name, and of rare ones: a sample may show two or thirty.
    name: 'jobs',
    document: (position) => ({
      name: position % 130 === 0 ? `report ${position}` : 'remind',
      user: shuffled(position) % 800,
      runAt: position,
    }),
    asked: [{ filter: { name: 'remind', user: 7 }, sort: { runAt: -1 }, examines: 10 }],
    existing: { name: 1, runAt: 1 },
    indexes: ['user_1_name_1_runAt_-1'],
  },
];

/** Documents and keys. */
async function examinedBy(collection: Collection, { filter, sort = {}, limit = 0 }: Omit<Asked, 'examines'>) {
  const { executionStats } = await collection.find(filter).sort(sort).limit(limit).explain('executionStats');
  return executionStats.totalDocsExamined + executionStats.totalKeysExamined;
}

describe('indexes chosen by what they cost', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const report = lintedCollection(database, [collectionScan, inMemorySort, poorTargeting]);
  const run = async (name: string, { filter, sort = {}, limit = 0 }: Omit<Asked, 'examines'>) => {
    for (let times = 0; times < 3; times += 1)
      await database.collection(name).find(filter).sort(sort).limit(limit).toArray();
  };

  beforeAll(async () => {
    for (const { name, document, existing } of CASES) {
      await database
        .collection(name)
        .insertMany(Array.from({ length: DOCUMENTS }, (_, position) => document(position)));
      if (existing !== undefined) await database.collection(name).createIndex(existing);
    }
    await database.command({ profile: 2 });
    for (const { name, asked } of CASES) for (const each of asked) await run(name, each);
    await database.command({ profile: 0 });
  });

  it.each(CASES)('are few, and let the queries of $name examine little', async ({ name, asked, indexes }) => {
    const { findings } = await report(name);
    const commands = findings.flatMap(({ remedy }) => remedy.commands ?? []);
    const created = commands.flatMap(({ command }) => command['indexes'] as unknown as { readonly name: string }[]);
    expect(created.map((index) => index.name).toSorted()).toEqual(indexes);
    await runRemedies(client, findings);
    const collection = database.collection(name);
    for (const each of asked) expect(await examinedBy(collection, each)).toBeLessThanOrEqual(each.examines);
    expect((await report(name)).findings).toEqual([]);
  });

  it('give an order for what fills a page, and none that is read to its end: no key is tested behind it', async () => {
    const collection = database.collection('searched');
    await collection.insertMany(
      Array.from({ length: DOCUMENTS }, (_, number) => ({ name: `group ${number}`, placed: number })),
    );
    const few = { name: /77[0-9]$/ };
    await database.command({ profile: 2 });
    for (let times = 0; times < 3; times += 1)
      await run('searched', { filter: few, sort: { placed: -1 }, limit: 1_000 });
    await database.command({ profile: 0 });
    const { findings } = await report('searched');
    expect(findings.flatMap(({ remedy }) => remedy.commands ?? [])).toEqual([]);
    await collection.createIndex({ placed: -1, name: 1 });
    const { executionStats } = await collection.find(few).sort({ placed: -1 }).limit(1_000).explain('executionStats');
    expect(executionStats).toMatchObject({ totalKeysExamined: DOCUMENTS, totalDocsExamined: DOCUMENTS });
  });

  it.each([
    { reports: 2, name: 'none that pages which are never full would read whole, if that is half of what it saves' },
    { reports: 3, name: 'one that saves more than twice of what such pages lose' },
  ])('give $name', async ({ reports }) => {
    const name = `reported ${reports} times`;
    const collection = database.collection(name);
    await collection.insertMany(
      Array.from({ length: DOCUMENTS }, (_, number) => ({ name: `group ${number}`, placed: shuffled(number) })),
    );
    const page = { filter: { name: /77[0-9]$/ }, sort: { placed: -1 }, limit: 1_000 } as const;
    await database.command({ profile: 2 });
    await run(name, page);
    for (let day = 0; day < reports; day += 1)
      await run(name, { filter: { placed: { $gte: 40 * day, $lt: 40 * day + 40 } } });
    await database.command({ profile: 0 });
    const before = await examinedBy(collection, page);
    const findings = (await report(name)).findings.filter(({ check }) => check === 'collection-scan');
    expect(findings.map(({ path }) => path)).toEqual([reports === 2 ? 'placed' : 'placed_1']);
    await collection.createIndex({ placed: 1 });
    expect([before, await examinedBy(collection, page)]).toEqual([DOCUMENTS, 2 * DOCUMENTS]);
  });
});
