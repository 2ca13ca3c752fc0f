import { ObjectId, type Db, type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { splitOneToFew } from '../../checks/split-one-to-few/check.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import type { ReportedRemedy } from '../../src/finding.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

const client = sharedClient();

const PATRONS = 400;
const READS = 60;
const CITIES = ['Springfield', 'Boston', 'Faketown'];

interface Planted {
  /** Addresses of each patron, by the patron's number. */
  readonly few?: (number: number) => number;
  readonly indexed?: boolean;
}

const patronIds = Array.from({ length: PATRONS }, () => new ObjectId());
const idOf = (number: number) => ({ _id: patronIds[number] as ObjectId });

async function plant(database: Db, { few = (number) => number % 4, indexed = true }: Planted = {}): Promise<void> {
  await database.collection('patrons').insertMany(patronIds.map((_id, number) => ({ _id, name: `Patron ${number}` })));
  const addresses = patronIds.flatMap((patron, number) =>
    Array.from({ length: few(number) }, (_, index) => ({
      patron,
      street: `${index} Main Street`,
      city: CITIES[index % 3],
    })),
  );
  await database.collection('addresses').insertMany(addresses);
  if (indexed) await database.collection('addresses').createIndex({ patron: 1 });
}

const JOIN: Document = { $lookup: { from: 'addresses', localField: '_id', foreignField: 'patron', as: 'addresses' } };

async function readJoined(database: Db, reads = READS): Promise<void> {
  for (let number = 0; number < reads; number += 1) {
    await database
      .collection('patrons')
      .aggregate([{ $match: { _id: patronIds[number] } }, JOIN])
      .toArray();
  }
}

async function linted(database: Db) {
  const { findings, skipped } = await lintShared({ include: [`${database.databaseName}.*`], checks: [splitOneToFew] });
  const short = (namespace: string | undefined) => namespace?.slice(database.databaseName.length + 1);
  return {
    findings: findings.map(({ path, severity, confidence, message, evidence, remedy, namespace }) => ({
      path,
      severity,
      confidence,
      message,
      evidence,
      remedy,
      namespace: short(namespace),
    })),
    skipped: skipped.map(({ namespace, reason, detail }) => ({ namespace: short(namespace), reason, detail })),
  };
}

function remedyOf(findings: readonly { readonly remedy: ReportedRemedy }[]): ReportedRemedy {
  const [first] = findings;
  if (first === undefined) throw new Error('Expected a finding.');
  return first.remedy;
}

/** The argument of the last statement in the remedy that calls the method of the collection. */
function argumentOf<T>({ steps }: ReportedRemedy, collection: string, method: string): T {
  const begin = `.${collection}.${method}(`;
  const code = steps.findLast((step) => step.code?.includes(begin) === true)?.code ?? '';
  return JSON.parse(code.slice(code.indexOf(begin) + begin.length, -1)) as T;
}

describe('a few children that are always read with their parent', () => {
  const database = freshDatabase(client);
  let remedy: ReportedRemedy;

  beforeAll(async () => {
    await plant(database);
    await recordOperations(database, () => readJoined(database));
  });

  it('are found, with how many there are at most', async () => {
    const { findings, skipped } = await linted(database);
    expect(skipped).toEqual([]);
    expect(findings).toMatchObject([
      {
        namespace: 'addresses',
        path: 'patron',
        severity: 'info',
        confidence: 'low',
        evidence: {
          readsByJoin: READS,
          readsAlone: 0,
          writes: 0,
          families: 300,
          allFamilies: true,
          childrenMost: 3,
          orphans: 0,
        },
      },
    ]);
    remedy = remedyOf(findings);
  });

  it('are embedded by the pipeline of the remedy, and then nothing is found', async () => {
    const taken = argumentOf<Document>(remedy, 'patrons', 'countDocuments');
    expect(await database.collection('patrons').countDocuments(taken)).toBe(0);
    const pipeline = argumentOf<Document[]>(remedy, 'patrons', 'aggregate');
    await database.collection('patrons').aggregate(pipeline).toArray();
    const embedded = await database.collection('patrons').findOne(idOf(3));
    expect(embedded).toMatchObject({
      name: 'Patron 3',
      addresses: [{ street: '0 Main Street' }, { street: '1 Main Street' }, { street: '2 Main Street' }],
    });
    expect(embedded?.['addresses'][0]).not.toHaveProperty('patron');
    expect(await database.collection('patrons').countDocuments({ addresses: { $size: 0 } })).toBe(100);

    expect(await database.collection('patrons').countDocuments(taken)).toBe(PATRONS);

    const lost = argumentOf<Document[]>(remedy, 'addresses', 'aggregate');
    expect(await database.collection('addresses').aggregate(lost).toArray()).toEqual([]);
    await database
      .collection('addresses')
      .insertMany([{ street: 'of nobody' }, { patron: new ObjectId(), street: 'of somebody gone' }]);
    expect(await database.collection('addresses').aggregate(lost).toArray()).toEqual([{ withoutParent: 2 }]);

    await database.collection('addresses').drop();
    await recordOperations(database, async () => {
      for (const _id of patronIds.slice(0, READS)) await database.collection('patrons').findOne({ _id });
    });
    expect(await linted(database)).toEqual({ findings: [], skipped: [] });
  });
});

describe('one child at most', () => {
  const database = freshDatabase(client);

  it('becomes an object of its parent', async () => {
    await plant(database, { few: (number) => number % 2 });
    await recordOperations(database, () => readJoined(database));
    const remedy = remedyOf((await linted(database)).findings);
    const pipeline = argumentOf<Document[]>(remedy, 'patrons', 'aggregate');
    expect(remedy.text).toMatch(
      /only one would be kept\. This reads all of \S+\. Every count must be 1\. db\.getSiblingDB\(/,
    );
    await database.collection('patrons').aggregate(pipeline).toArray();
    expect(await database.collection('patrons').findOne(idOf(1))).toMatchObject({
      addresses: { street: '0 Main Street' },
    });
    expect(await database.collection('patrons').findOne(idOf(2))).not.toHaveProperty('addresses');
  });
});

describe('a larger collection', () => {
  const database = freshDatabase(client);

  it('is counted by picking children, where an index finds their families', async () => {
    await plant(database, { few: (number) => 10 + (number % 7) });
    await recordOperations(database, () => readJoined(database));
    const { findings } = await linted(database);
    expect(findings).toMatchObject([
      {
        namespace: 'addresses',
        // By a record of seconds.
        severity: 'info',
        confidence: 'low',
        evidence: { allFamilies: false, childrenMost: 16 },
      },
    ]);
    expect(findings[0]?.message).toContain('seen in the families of 600 picked at random');
  });

  it('is not judged where none does, and says what would help', async () => {
    await database.collection('addresses').dropIndex('patron_1');
    const { findings, skipped } = await linted(database);
    expect(findings).toEqual([]);
    expect(skipped).toMatchObject([
      { reason: 'bound', detail: expect.stringContaining('needs an index that begins with `patron`') },
    ]);
  });

  it('is left alone for the one parent in it that has many', async () => {
    await database.collection('addresses').createIndex({ patron: 1 });
    await database
      .collection('addresses')
      .insertMany(Array.from({ length: 1_000 }, () => ({ patron: patronIds[0], street: 'x', city: 'y' })));
    expect(await linted(database)).toEqual({ findings: [], skipped: [] });
  });
});

describe('well-designed children', () => {
  const database = freshDatabase(client);
  const addresses = () => database.collection('addresses');

  beforeAll(() => plant(database));

  it.each<[string, () => Promise<void>]>([
    [
      'that are also found by their own fields',
      async () => void (await addresses().find({ city: 'Boston' }).limit(5).toArray()),
    ],
    ['that are also counted', async () => void (await addresses().countDocuments({ city: 'Boston' }))],
    [
      'that are written as often as read',
      async () => void (await addresses().updateOne({ patron: patronIds[1] }, { $set: { seen: new Date() } })),
    ],
  ])('%s are left alone', async (_, other) => {
    await database.dropCollection('system.profile');
    await recordOperations(database, async () => {
      await readJoined(database);
      for (let time = 0; time < READS / 4; time += 1) await other();
    });
    expect(await linted(database)).toEqual({ findings: [], skipped: [] });
  });

  it('of parents that are mostly read without them are left alone', async () => {
    await database.dropCollection('system.profile');
    await recordOperations(database, async () => {
      await readJoined(database, READS / 2);
      for (let time = 0; time < 5 * READS; time += 1)
        await database.collection('patrons').findOne(idOf(time % PATRONS));
    });
    expect(await linted(database)).toEqual({ findings: [], skipped: [] });
  });

  it('are not judged where only slow operations were recorded', async () => {
    await database.dropCollection('system.profile');
    await recordOperations(database, () => readJoined(database));
    await database.command({ profile: 1 });
    const { findings, skipped } = await linted(database);
    await database.command({ profile: 0 });
    expect(findings).toEqual([]);
    expect(skipped).toMatchObject([
      { namespace: 'addresses', reason: 'insufficient', detail: expect.stringContaining('A profiler at level 2') },
    ]);
  });
});

describe('children of older parents', () => {
  const database = freshDatabase(client);

  it('that are more than those of younger ones are left alone: they grow', async () => {
    const DAY = 24 * 60 * 60;
    const ids = Array.from({ length: PATRONS }, (_, number) =>
      ObjectId.createFromTime(Math.floor(Date.now() / 1_000) - number * DAY),
    );
    await database.collection('patrons').insertMany(ids.map((_id) => ({ _id })));
    await database
      .collection('addresses')
      .insertMany(
        ids.flatMap((patron, number) => Array.from({ length: 1 + Math.floor(number / 25) }, () => ({ patron }))),
      );
    await database.collection('addresses').createIndex({ patron: 1 });
    await recordOperations(database, async () => {
      for (const _id of ids.slice(0, READS))
        await database
          .collection('patrons')
          .aggregate([{ $match: { _id } }, JOIN])
          .toArray();
    });
    expect(await linted(database)).toEqual({ findings: [], skipped: [] });
  });
});
