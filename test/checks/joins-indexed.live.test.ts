import {
  DBRef,
  ObjectId,
  type CollationOptions,
  type CreateIndexesOptions,
  type Db,
  type Document,
  type IndexSpecification,
} from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { heavyLookup } from '../../checks/heavy-lookup.js';
import { lookupTypeMismatch } from '../../checks/lookup-type-mismatch/check.js';
import { missingLookupIndex } from '../../checks/missing-lookup-index.js';
import { unindexedReference } from '../../checks/unindexed-reference.js';
import type { AnyCheck } from '../../src/check.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import type { Finding } from '../../src/finding.js';
import { separated } from '../../src/findings/further-reasons.js';
import { nameOf } from '../../src/namespace.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';
import { runRemedies } from '../support/remedy.js';

const client = sharedClient();

async function findingsIn({ databaseName }: Db, check: AnyCheck): Promise<readonly Finding[]> {
  const report = await lintShared({ include: [`${databaseName}.*`], checks: [check] });
  return report.findings;
}

function placesOf(findings: readonly Finding[]): string[] {
  return findings.map(({ namespace, path }) => `${nameOf(namespace)} ${path}`);
}

type Index = readonly [key: IndexSpecification, options?: CreateIndexesOptions];

/** Documents of the joined collections: at most so many are examined where an index serves, and more where none does. */
const FOREIGN = 1_500;
const WITHOUT_CASE = { locale: 'en', strength: 2 };

const fields = (from: string, path: string): Document => ({
  $lookup: { from, localField: path, foreignField: path, as: 'found' },
});
const expression = (from: string, condition: Document): Document => ({
  $lookup: { from, let: { k: '$k', name: '$name' }, pipeline: [{ $match: { $expr: condition } }], as: 'found' },
});

interface Unserved {
  readonly what: string;
  readonly foreign: string;
  readonly indexes: readonly Index[];
  readonly pipeline: readonly Document[];
  readonly collation?: CollationOptions;
  readonly paths: readonly string[];
}

const UNSERVED: readonly Unserved[] = [
  {
    what: 'a hidden index',
    foreign: 'hidden',
    indexes: [[{ k: 1 }, { hidden: true }]],
    pipeline: [fields('hidden', 'k')],
    paths: ['k'],
  },
  {
    what: 'an index that begins with another field',
    foreign: 'behind',
    indexes: [[{ at: 1, k: 1 }]],
    pipeline: [fields('behind', 'k')],
    paths: ['k'],
  },
  {
    what: 'a partial index',
    foreign: 'partial',
    indexes: [[{ k: 1 }, { partialFilterExpression: { at: 3 } }]],
    pipeline: [fields('partial', 'k')],
    paths: ['k'],
  },
  {
    what: 'a text index',
    foreign: 'text',
    indexes: [[{ name: 'text' }]],
    pipeline: [fields('text', 'name')],
    paths: ['name'],
  },
  {
    what: 'another collation than that of the join',
    foreign: 'collated',
    indexes: [[{ name: 1 }]],
    pipeline: [fields('collated', 'name')],
    collation: WITHOUT_CASE,
    paths: ['name'],
  },
  {
    what: 'an index of the default collation of its collection',
    foreign: 'by_default',
    indexes: [[{ name: 1 }]],
    pipeline: [fields('by_default', 'name')],
    paths: ['name'],
  },
  {
    what: 'two keys that hold together',
    foreign: 'together',
    indexes: [],
    pipeline: [expression('together', { $and: [{ $eq: ['$k', '$$k'] }, { $eq: ['$name', '$$name'] }] })],
    paths: ['k'],
  },
  {
    what: 'two alternatives of which one has an index',
    foreign: 'either',
    indexes: [[{ name: 1 }]],
    pipeline: [expression('either', { $or: [{ $eq: ['$k', '$$k'] }, { $eq: ['$name', '$$name'] }] })],
    paths: ['k'],
  },
];

const documents = (count: number) => Array.from({ length: count }, (_, k) => ({ k, name: `name ${k}`, at: k % 7 }));

describe('a join that no index serves', () => {
  const database = freshDatabase(client);
  let before: readonly Finding[];
  let after: readonly Finding[];

  async function run(): Promise<void> {
    await recordOperations(database, async () => {
      for (const { foreign, pipeline, collation } of UNSERVED) {
        await database
          .collection('orders')
          .aggregate([...pipeline], { comment: foreign, ...(collation && { collation }) })
          .toArray();
      }
    });
  }

  beforeAll(async () => {
    await database.collection('orders').insertMany(documents(10));
    for (const { foreign, indexes } of UNSERVED) {
      if (foreign === 'by_default') await database.createCollection(foreign, { collation: WITHOUT_CASE });
      await database.collection(foreign).insertMany(documents(FOREIGN));
      for (const [key, options = {}] of indexes) await database.collection(foreign).createIndex(key, options);
    }
    await run();
    before = await findingsIn(database, missingLookupIndex);
    await runRemedies(client, before);
    await run();
    after = await findingsIn(database, missingLookupIndex);
  });

  it.each(UNSERVED.map((unserved) => [unserved.what, unserved] as const))(
    'for %s is found, and served by its remedy',
    async (_, { foreign, paths }) => {
      const ofForeign = (findings: readonly Finding[]) =>
        placesOf(findings).filter((place) => place.startsWith(`${foreign} `));
      expect(ofForeign(before)).toEqual(paths.map((path) => `${foreign} ${path}`));
      expect(ofForeign(after)).toEqual([]);
      const entries = await database
        .collection('system.profile')
        .find({ 'command.comment': foreign })
        .sort({ ts: 1 })
        .toArray();
      const examined = entries.map((entry) => Number(entry['docsExamined']));
      expect(examined[0]).toBeGreaterThanOrEqual(FOREIGN);
      expect(examined.at(-1)).toBeLessThan(FOREIGN);
    },
  );
});

const places = (all: readonly { readonly check: string; readonly namespace?: string | undefined }[]) =>
  all.map(({ check, namespace }) => `${check} ${nameOf(namespace ?? '')}`).sort();

describe('a small collection', () => {
  const database = freshDatabase(client);

  const linted = (expected?: number) =>
    lintShared({
      include: [`${database.databaseName}.*`],
      checks: [missingLookupIndex, heavyLookup, unindexedReference],
      ...(expected !== undefined && { expect: [{ glob: '*.*', documents: expected }] }),
    });
  const ALL = ['heavy-lookup orders', 'missing-lookup-index payments', 'unindexed-reference payments'];

  beforeAll(async () => {
    // Few enough for a server that reads all payments for each order, as 7.0 does and 6.0 does not.
    const orders = Array.from({ length: 60 }, (_, k) => ({ _id: new ObjectId(), k }));
    await database.collection('orders').insertMany(orders);
    await database
      .collection('payments')
      .insertMany(orders.flatMap(({ _id }, k) => [1, 2].map((part) => ({ k, order: _id, part }))));
    await recordOperations(database, async () => {
      for (let execution = 0; execution < 40; execution += 1)
        await database
          .collection('orders')
          .aggregate([fields('payments', 'k')])
          .toArray();
    });
  });

  it('joined and referred from without an index is too small to tell', async () => {
    const { findings, skipped } = await linted();
    expect(findings).toEqual([]);
    expect([...new Set(skipped.map(({ reason }) => reason))]).toEqual(['too-small']);
    expect(places(skipped)).toEqual(ALL);
  });

  it('is judged at the size that is expected, and what indexes serve is gone with them', async () => {
    const { findings, skipped } = await linted(5_000_000);
    expect(skipped).toEqual([]);
    expect(places(findings.flatMap(separated))).toEqual(ALL);
    await runRemedies(
      client,
      findings.filter(({ remedy }) => remedy.commands !== undefined),
    );
    // The reference, by which nothing was recorded to search, is only noted.
    expect(places((await linted(5_000_000)).findings)).toEqual(['heavy-lookup orders', 'unindexed-reference payments']);
  });
});

describe('references', () => {
  const database = freshDatabase(client);
  const ids = Array.from({ length: 100 }, () => new ObjectId());
  const reference = (index: number) => new DBRef('customers', ids[index % ids.length] as ObjectId);

  beforeAll(async () => {
    await database.collection('customers').insertMany(ids.map((_id) => ({ _id })));
    await database.collection('orders').insertMany(
      Array.from({ length: 2_000 }, (_, index) => ({
        customer: ids[index % ids.length]?.toHexString(),
        client: ids[index % ids.length],
      })),
    );
    await recordOperations(database, async () => {
      await database
        .collection('orders')
        .aggregate([
          { $limit: 5 },
          { $lookup: { from: 'customers', localField: 'customer', foreignField: '_id', as: 'found' } },
        ])
        .toArray();
    });
  });

  it('as text, joined with ObjectIds, are found until they are converted', async () => {
    expect(placesOf(await findingsIn(database, lookupTypeMismatch))).toEqual(['orders customer']);
    await database
      .collection('orders')
      .updateMany({ customer: { $type: 'string' } }, [{ $set: { customer: { $toObjectId: '$customer' } } }]);
    expect(placesOf(await findingsIn(database, lookupTypeMismatch))).toEqual([]);
  });

  it('without an index are noted, and once they are searched by, found until they have one', async () => {
    const noted = await findingsIn(database, unindexedReference);
    expect(
      noted.map((finding) => separated(finding).map(({ severity, remedy }) => [severity, remedy.commands])),
    ).toEqual([
      [
        ['info', undefined],
        ['info', undefined],
      ],
    ]);
    const orders = database.collection('orders');
    await recordOperations(database, async () => {
      await orders.find({ client: ids[1] as ObjectId }).toArray();
      await orders.find({ customer: ids[1]?.toHexString() as string }).toArray();
    });
    const findings = await findingsIn(database, unindexedReference);
    expect(placesOf(findings).sort()).toEqual(['orders client', 'orders customer']);
    await runRemedies(client, findings);
    expect(placesOf(await findingsIn(database, unindexedReference))).toEqual([]);
  });

  it('kept as DBRefs and asked for whole get an index on the field itself, and are gone with it', async () => {
    const reviews = database.collection('reviews');
    await reviews.insertMany(Array.from({ length: 2_000 }, (_, index) => ({ author: reference(index), stars: 3 })));
    await reviews.createIndex({ 'author.$id': 1 });
    await recordOperations(database, async () => {
      for (let read = 0; read < 30; read += 1) await reviews.find({ author: reference(read) }).toArray();
    });
    const findings = await findingsIn(database, unindexedReference);
    expect(placesOf(findings)).toEqual(['reviews author']);
    await runRemedies(client, findings);
    const { queryPlanner } = await reviews.find({ author: reference(7) }).explain();
    expect(JSON.stringify(queryPlanner.winningPlan)).toContain('"author_1');
    expect(placesOf(await findingsIn(database, unindexedReference))).toEqual([]);
  });
});
