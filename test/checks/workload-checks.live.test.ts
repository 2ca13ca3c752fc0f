import { type Db, type Document } from 'mongodb';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { caseInsensitiveRegex } from '../../checks/case-insensitive-regex.js';
import { collectionScan } from '../../checks/collection-scan.js';
import { deepSkip } from '../../checks/deep-skip.js';
import { expressionFilter } from '../../checks/expression-filter.js';
import { inMemorySort } from '../../checks/in-memory-sort/check.js';
import { poorTargeting } from '../../checks/poor-targeting.js';
import type { Finding } from '../../src/finding.js';
import type { Report } from '../../src/report/report.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { judgedRun } from '../support/judged-run.js';
import { runRemedies } from '../support/remedy.js';

const DOCUMENTS = 11_000;
const SMALL = 900;
const CHECKS = [expressionFilter, collectionScan, poorTargeting, inMemorySort, caseInsensitiveRegex, deepSkip];
/** What they find goes away if the query changes, not by commands. */
const WITHOUT_COMMANDS = new Set(['case-insensitive-regex', 'deep-skip']);
const WITHOUT_CASE = { locale: 'en', strength: 2 };

type Workload = (database: Db) => Promise<unknown>;

const document = (number: number): Document => ({
  number,
  customer: number % 500,
  room: number % 50,
  status: ['open', 'paid'][number % 2],
  tags: [`tag${number % 700}`, `tag${number % 900}`],
  items: [{ sku: number % 800, quantity: number % 9 }],
  name: `Name${number}`,
  at: new Date(1.7e12 + number * 1_000),
});

/** What runs, on a collection without indexes but those given, and what is found. */
interface Bad {
  readonly what: string;
  readonly check: string;
  readonly path: string;
  readonly index?: Document;
  readonly run: Workload;
}

const EQUALITY: Bad = {
  what: 'an equality',
  check: 'collection-scan',
  path: 'customer_1',
  run: (database) => database.collection('docs').find({ customer: 7 }).toArray(),
};

const BAD: readonly Bad[] = [
  EQUALITY,
  {
    what: 'equality, sort and range',
    check: 'collection-scan',
    path: 'customer_1_number_-1_at_1',
    run: (database) =>
      database
        .collection('docs')
        .find({ at: { $gt: new Date(1.7e12) }, customer: 7 })
        .sort({ number: -1 })
        .limit(5)
        .toArray(),
  },
  {
    what: 'an aggregation that counts',
    check: 'collection-scan',
    path: 'customer_1_status_1',
    run: (database) => database.collection('docs').countDocuments({ customer: 7, status: 'open' }),
  },
  {
    what: 'a view',
    check: 'collection-scan',
    path: 'customer_1_status_1',
    run: (database) => database.collection('open').find({ customer: 8 }).toArray(),
  },
  {
    what: 'an element of an array',
    check: 'collection-scan',
    path: 'items.sku_1_items.quantity_1',
    run: (database) =>
      database
        .collection('docs')
        .find({ items: { $elemMatch: { sku: 5, quantity: { $lt: 8 } } } })
        .toArray(),
  },
  {
    what: 'alternatives',
    check: 'collection-scan',
    path: 'customer_1',
    run: (database) =>
      database
        .collection('docs')
        .find({ $or: [{ customer: 7 }, { tags: 'tag3' }] })
        .toArray(),
  },
  {
    what: 'another collation',
    check: 'collection-scan',
    path: 'name_1_en',
    index: { name: 1 },
    run: (database) => database.collection('docs').find({ name: 'name5' }, { collation: WITHOUT_CASE }).toArray(),
  },
  {
    what: 'an update of many',
    check: 'collection-scan',
    path: 'customer_1',
    run: (database) => database.collection('docs').updateMany({ customer: 9 }, { $inc: { seen: 1 } }),
  },
  {
    what: 'a deletion',
    check: 'collection-scan',
    path: 'number_1',
    run: (database) => database.collection('docs').deleteMany({ number: { $gt: DOCUMENTS } }),
  },
  {
    what: 'an index on a part of the conditions',
    check: 'poor-targeting',
    path: 'status_1_number_1',
    index: { status: 1 },
    run: (database) =>
      database
        .collection('docs')
        .find({ status: 'open', number: 9_000 + 2 })
        .toArray(),
  },
  {
    what: 'an index that begins with a range',
    check: 'poor-targeting',
    path: 'customer_1_at_1',
    index: { at: 1, customer: 1 },
    run: (database) =>
      database
        .collection('docs')
        .find({ at: { $gt: new Date(1.7e12) }, customer: 7 })
        .toArray(),
  },
  {
    what: 'a count of what an index on a part of the conditions finds',
    check: 'poor-targeting',
    path: 'status_1_customer_1',
    index: { status: 1 },
    run: (database) => database.collection('docs').countDocuments({ status: 'open', customer: 8 }),
  },
  {
    what: 'a sort of everything',
    check: 'in-memory-sort',
    path: 'at_-1',
    run: (database) => database.collection('docs').find().sort({ at: -1 }).limit(3).toArray(),
  },
  {
    what: 'a sort of what an index finds',
    check: 'in-memory-sort',
    path: 'status_1_at_1',
    index: { status: 1 },
    run: (database) =>
      database
        .collection('docs')
        .aggregate([{ $match: { status: 'open' } }, { $sort: { at: 1 } }, { $limit: 10 }])
        .toArray(),
  },
  {
    what: 'a page of some hundred that belong to one value',
    check: 'in-memory-sort',
    path: 'room_1_at_-1',
    index: { room: 1 },
    run: async (database) => {
      for (const room of [1, 2, 3]) await newestOf(database, room);
    },
  },
];

const newestOf = (database: Db, room: number) =>
  database.collection('docs').find({ room }).sort({ at: -1 }).limit(10).toArray();

/** What reads much by intent, or little. */
const GOOD: readonly { readonly what: string; readonly run: Workload }[] = [
  { what: 'an export', run: (database) => database.collection('docs').find().toArray() },
  { what: 'a count of everything', run: (database) => database.collection('docs').countDocuments() },
  {
    what: 'a report on everything',
    run: (database) =>
      database
        .collection('docs')
        .aggregate([{ $group: { _id: '$status', n: { $sum: 1 } } }])
        .toArray(),
  },
  {
    what: 'a sample',
    run: (database) =>
      database
        .collection('docs')
        .aggregate([{ $sample: { size: 20 } }])
        .toArray(),
  },
  { what: 'the first few', run: (database) => database.collection('docs').find({ status: 'open' }).limit(5).toArray() },
  { what: 'half of the documents', run: (database) => database.collection('docs').find({ status: 'open' }).toArray() },
  {
    what: 'a page of twenty that belong to one value, and of which an index finds all',
    run: async (database) => {
      await database.collection('docs').createIndex({ customer: 1 });
      for (const customer of [1, 2, 3])
        await database.collection('docs').find({ customer }).sort({ at: -1 }).limit(10).toArray();
    },
  },
  { what: 'a look-up by _id', run: (database) => database.collection('docs').findOne({ _id: { $exists: true } }) },
];

/** What a collection of so few documents cannot show: in a larger one it is a fault, which an index removes. */
const TOO_SMALL: readonly (Omit<Bad, 'index' | 'path'> & {
  readonly path: string | null;
  readonly index: Readonly<Record<string, 1>> | null;
})[] = [
  {
    what: 'a scan',
    check: 'collection-scan',
    path: 'customer_1_at_1',
    index: null,
    run: (database) => database.collection('small').find({ customer: 7 }).sort({ at: 1 }).toArray(),
  },
  {
    what: 'an equality without case',
    check: 'collection-scan',
    path: 'name_1_en',
    index: null,
    run: (database) => database.collection('small').find({ name: 'name5' }, { collation: WITHOUT_CASE }).toArray(),
  },
  {
    what: 'an index on a part of the conditions',
    check: 'poor-targeting',
    path: 'status_1_number_1',
    index: { status: 1 },
    run: (database) => database.collection('small').find({ status: 'open', number: 12 }).toArray(),
  },
  {
    what: 'an index that begins with a range',
    check: 'poor-targeting',
    path: 'customer_1_at_1',
    index: { at: 1, customer: 1 },
    run: (database) =>
      database
        .collection('small')
        .find({ at: { $gt: new Date(1.7e12) }, customer: 7 })
        .toArray(),
  },
  {
    what: 'a sort of everything',
    check: 'in-memory-sort',
    path: 'at_1',
    index: null,
    run: (database) => database.collection('small').find().sort({ at: 1 }).limit(20).toArray(),
  },
  {
    what: 'a pattern',
    check: 'case-insensitive-regex',
    path: 'name',
    index: { name: 1 },
    run: (database) => database.collection('small').find({ name: /name7/i }).toArray(),
  },
  {
    what: 'a page near the end',
    check: 'deep-skip',
    path: null,
    index: null,
    run: (database) => database.collection('small').find().sort({ _id: 1 }).skip(800).limit(10).toArray(),
  },
];

describe('queries on a real server', () => {
  const client = sharedClient();
  const database = freshDatabase(client);

  /** Findings on what runs now, and on nothing that ran before; nothing is skipped. */
  async function findingsOn(run: Workload, expected?: number): Promise<readonly Finding[]> {
    const { findings, skipped } = await lintedOn(run, expected);
    expect(skipped).toEqual([]);
    return findings;
  }

  /** @param expected size of the small collection in production */
  async function lintedOn(run: Workload, expected?: number): Promise<Report> {
    return judgedRun(database, () => run(database), {
      times: 2,
      checks: CHECKS,
      ...(expected !== undefined && { expect: [{ glob: '*.small', documents: expected }] }),
    });
  }

  beforeAll(async () => {
    const documents = Array.from({ length: DOCUMENTS }, (_, number) => document(number));
    await database.collection('docs').insertMany(documents);
    await database.collection('small').insertMany(documents.slice(0, SMALL).map(({ _id, ...rest }) => rest));
    await database.createCollection('open', { viewOn: 'docs', pipeline: [{ $match: { status: 'open' } }] });
  });
  afterEach(async () => {
    for (const name of ['docs', 'small']) await database.collection(name).dropIndexes();
  });

  it.each(BAD)(
    '$what: $check at $path, and nothing once the remedy is applied',
    async ({ check, path, index, run }) => {
      if (index !== undefined) await database.collection('docs').createIndex(index as Record<string, 1>);
      const found = await findingsOn(run);
      expect(found.map((each) => [each.check, each.namespace, each.path])).toEqual([
        [check, `${database.databaseName}.docs`, path],
      ]);
      await runRemedies(client, found);
      expect(await findingsOn(run)).toEqual([]);
    },
  );

  it.each(GOOD)('$what is no finding', async ({ run }) => {
    expect(await findingsOn(run)).toEqual([]);
  });

  describe.each(TOO_SMALL)('$what in a small collection', ({ check, path, index, run }) => {
    beforeEach(async () => {
      if (index !== null) await database.collection('small').createIndex(index);
    });

    it('is too small to tell', async () => {
      const { findings, skipped } = await lintedOn(run);
      expect(findings).toEqual([]);
      expect(skipped.map((entry) => [entry.check, entry.namespace, entry.reason])).toEqual([
        [check, `${database.databaseName}.small`, 'too-small'],
      ]);
      expect(skipped[0]?.detail).toMatch(/^too small to tell \(900 documents\); give expected sizes with `expect`/);
    });

    it(`is ${check} at the size that is expected, and gone with its remedy`, async () => {
      const found = await findingsOn(run, 5_000_000);
      expect(found.map((each) => [each.check, each.namespace, each.path, each.judgedAt])).toEqual([
        [check, `${database.databaseName}.small`, path, { documents: 5_000_000, from: 'expect' }],
      ]);
      expect(['error', 'warning']).toContain(found[0]?.severity);
      expect(found[0]?.message).toContain('900 documents here, 5,000,000 expected.');
      if (WITHOUT_COMMANDS.has(check)) return;
      await runRemedies(client, found);
      expect(await findingsOn(run, 5_000_000)).toEqual([]);
      expect(await findingsOn(run)).toEqual([]);
    });
  });

  it('a pattern that ignores case: found though there is an index, and gone once equality and collation take its place', async () => {
    await database.collection('docs').createIndex({ name: 1 });
    const found = await findingsOn((on) =>
      on
        .collection('docs')
        .find({ name: /^name77$/i })
        .toArray(),
    );
    expect(found.map(({ check, path }) => [check, path])).toEqual([['case-insensitive-regex', 'name']]);
    expect(found[0]?.remedy.text).toContain(
      'createIndex({ "name": 1 }, { name: "name_without_case", collation: { locale: "en", strength: 2 } })',
    );
    await database.collection('docs').createIndex({ name: 1 }, { name: 'name_without_case', collation: WITHOUT_CASE });
    const rewritten: Workload = (on) =>
      on.collection('docs').find({ name: 'name77' }, { collation: WITHOUT_CASE }).toArray();
    expect(await findingsOn(rewritten)).toEqual([]);
  });

  it('an index that is hidden is shown again', async () => {
    await database.collection('docs').createIndex({ customer: -1 }, { hidden: true, name: 'hidden' });
    const { run } = EQUALITY;
    const found = await findingsOn(run);
    expect(found.map(({ remedy }) => remedy.commands?.map(({ command }) => Object.keys(command)[0]))).toEqual([
      ['collMod'],
    ]);
    await runRemedies(client, found);
    expect(await findingsOn(run)).toEqual([]);
  });

  it('no index is suggested where none can find the documents', async () => {
    const [finding, ...others] = await findingsOn((on) =>
      on
        .collection('docs')
        .find({ $expr: { $eq: [{ $mod: ['$number', 5_000] }, 7] } })
        .toArray(),
    );
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ check: 'expression-filter', path: 'number', severity: 'warning' });
    expect(finding?.remedy.commands).toBeUndefined();
  });

  it('says in the message how often, how much and in which window, and no value', async () => {
    // No digits alone: a random database's name, or a fingerprint, may hold those.
    const [finding] = await findingsOn((on) => on.collection('docs').find({ name: 'Name437' }).toArray());
    expect(finding?.message).toMatch(/reads 11,000 documents to return 1\b.*\(2 executions/);
    expect(JSON.stringify(finding)).not.toContain('Name437');
  });
});
