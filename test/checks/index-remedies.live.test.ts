import type { Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { hiddenIndex } from '../../checks/hidden-index.js';
import { indexBuildsInRequests } from '../../checks/index-builds-in-requests.js';
import { mixedTypes } from '../../checks/mixed-types/check.js';
import { redundantIndex } from '../../checks/redundant-index.js';
import { uniqueIndexOnOptionalField } from '../../checks/unique-index-on-optional-field.js';
import { unusedIndex } from '../../checks/unused-index.js';
import { uselessIndex } from '../../checks/useless-index/check.js';
import type { AnyCheck } from '../../src/check.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import type { Report } from '../../src/report/report.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';
import { runRemedies } from '../support/remedy.js';
import { runShellCode } from '../support/shell-code.js';

/** Statistics of a moment ago count. */
const AT_ONCE = {
  'unused-index': { thresholds: { minimumAge: 0 } },
  'hidden-index': { thresholds: { hiddenFor: 0 } },
  'useless-index': { thresholds: { documents: 100, fieldDocuments: 100 } },
};
const pathsOf = ({ findings }: Report) => findings.map(({ path }) => path).sort();

describe('indexes on a real server', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const lintFor = (check: AnyCheck, collection: string) =>
    lintShared({ include: [`${database.databaseName}.${collection}`], checks: [check], settings: AT_ONCE });

  beforeAll(async () => {
    const documents = Array.from({ length: 500 }, (_, position) => ({
      a: position,
      b: position % 7,
      c: String(position),
      tags: [position, 1],
      at: new Date(),
    }));
    await database.collection('redundant').insertMany(documents);
    await database
      .collection('redundant')
      .createIndexes([
        { key: { a: 1 } },
        { key: { a: 1, b: 1 } },
        { key: { a: -1, b: -1, c: -1 } },
        { key: { b: 1 } },
        { key: { b: 1, tags: 1 } },
        { key: { c: 1 }, unique: true },
        { key: { c: 1, a: 1 } },
        { key: { at: 1 }, expireAfterSeconds: 1e6 },
        { key: { at: 1, a: 1 } },
        { key: { c: 1 }, name: 'german', collation: { locale: 'de' } },
        { key: { a: 1 }, name: 'partial', partialFilterExpression: { b: 1 } },
      ]);
    await database.collection('unused').insertMany(documents.map(({ a, b, c, at }) => ({ a, b, c, at })));
    await database
      .collection('unused')
      .createIndexes([
        { key: { a: 1 } },
        { key: { b: 1 } },
        { key: { c: 1 }, unique: true },
        { key: { at: 1 }, expireAfterSeconds: 1e6 },
      ]);
    await database.collection('unused').findOne({ b: 3 });
  });

  it('redundant-index: an index that a filter or a hint names is hidden by nobody unattended, until nothing names it', async () => {
    const name = 'pinned';
    const pinned = database.collection(name);
    await pinned.insertMany(Array.from({ length: 50 }, (_, a) => ({ a, b: a, c: a })));
    await pinned.createIndexes([
      { key: { a: 1 } },
      { key: { a: 1, b: 1 } },
      { key: { b: 1 } },
      { key: { b: 1, c: 1 } },
    ]);
    await database.command({ planCacheSetFilter: name, query: { a: 1 }, indexes: [{ a: 1 }] });
    await recordOperations(database, async () => {
      await pinned.find({ b: 1 }).hint('b_1').toArray();
    });
    // The second one needs the workload.
    const linted = () =>
      lintShared({ include: [`${database.databaseName}.${name}`], checks: [redundantIndex, uselessIndex] });
    const { findings } = await linted();
    expect(findings.map(({ path, remedy: { steps } }) => [path, steps[0]?.text.split(':')[0]]).toSorted()).toEqual([
      ['a_1', '`a_1` is named by an index filter'],
      ['b_1', '`b_1` is named by hint() in 1 recorded execution'],
    ]);
    expect(findings.flatMap(({ remedy: { steps } }) => steps.flatMap(({ command }) => command ?? []))).toEqual([]);
    await database.command({ planCacheClearFilters: name });
    const free = (await linted()).findings.find(({ path }) => path === 'a_1');
    expect(free?.remedy.steps.flatMap(({ command }) => command ?? [])).toHaveLength(1);
  });

  it('redundant-index: finds those, its commands hide them, and the findings are gone', async () => {
    // The second one has documents read: they show which fields hold arrays.
    const linted = () =>
      lintShared({ include: [`${database.databaseName}.redundant`], checks: [redundantIndex, mixedTypes] });
    const report = await linted();
    expect(pathsOf(report)).toEqual(['a_1', 'a_1_b_1']);
    expect(report.findings.map(({ evidence }) => evidence['servedBy'])).toEqual(['a_-1_b_-1_c_-1', 'a_-1_b_-1_c_-1']);
    expect(report.findings[0]?.remedy.text).toContain(
      'a query that names a hidden index fails. Let it name `a_-1_b_-1_c_-1` instead.',
    );
    await runRemedies(client, report.findings);
    const hinted = (name: string) => database.collection('redundant').find({ a: 1 }, { hint: name }).toArray();
    await expect(hinted('a_1')).rejects.toThrow(/hint provided does not correspond/);
    expect(await hinted('a_-1_b_-1_c_-1')).toHaveLength(1);
    expect(pathsOf(await linted())).toEqual([]);
    const indexes = await database.collection('redundant').indexes();
    expect(
      indexes
        .filter(({ hidden }) => hidden)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['a_1', 'a_1_b_1']);
  });

  it('unused-index: finds that, its command hides it, and the finding is gone', async () => {
    const report = await lintFor(unusedIndex, 'unused');
    expect(pathsOf(report)).toEqual(['a_1']);
    expect(report.findings[0]?.remedy.text).toContain('A query that names it in hint() fails.');
    await runRemedies(client, report.findings);
    expect(pathsOf(await lintFor(unusedIndex, 'unused'))).toEqual([]);
  });

  it('hidden-index: the counter begins when an index is hidden, and the finding is gone once it is dropped', async () => {
    const hidden = database.collection('hidden');
    await hidden.insertMany(Array.from({ length: 100 }, (_, a) => ({ a, b: a })));
    await hidden.createIndexes([{ key: { a: 1 } }, { key: { b: 1 }, unique: true }]);
    await hidden.find({ a: 1 }).toArray();
    const counters = async () => {
      const stages = [{ $indexStats: {} }, { $match: { name: 'a_1' } }];
      const [{ accesses }] = (await hidden.aggregate(stages).toArray()) as [{ accesses: { ops: bigint; since: Date } }];
      return { uses: Number(accesses.ops), since: accesses.since };
    };
    const before = await counters();
    expect(before.uses).toBe(1);
    for (const name of ['a_1', 'b_1']) await database.command({ collMod: 'hidden', index: { name, hidden: true } });
    const after = await counters();
    expect(after.uses).toBe(0);
    expect(after.since.getTime()).toBeGreaterThan(before.since.getTime());
    expect(pathsOf(await lintFor(hiddenIndex, 'hidden'))).toEqual(['a_1']);
    await hidden.dropIndex('a_1');
    expect(pathsOf(await lintFor(hiddenIndex, 'hidden'))).toEqual([]);
  });

  it('useless-index: finds what begins with two values or with no field, and the findings are gone once they are hidden', async () => {
    const useless = database.collection('useless');
    const orders = Array.from({ length: 300 }, (_, number) => ({
      number,
      paid: number % 2 === 0,
      late: number % 50 === 0,
    }));
    await useless.insertMany(orders);
    await useless.createIndexes([
      { key: { paid: 1 } },
      { key: { late: 1 } },
      { key: { customer: 1 } },
      { key: { number: 1 }, partialFilterExpression: { paid: false } },
      { key: { paid: 1, number: 1 } },
      { key: { _id: 1, number: 1 } },
    ]);
    const search = () =>
      recordOperations(database, async () => {
        for (let page = 0; page < 30; page += 1)
          await useless
            .find({ paid: true, number: { $gt: page } })
            .sort({ number: 1 })
            .limit(5)
            .toArray();
        await useless.find({ paid: true }, { hint: 'paid_1' }).toArray();
      });
    await search();
    const report = await lintFor(uselessIndex, 'useless');
    expect(pathsOf(report)).toEqual(['_id_1_number_1', 'customer_1', 'paid_1']);
    expect(report.findings.map(({ message }) => message).join(' ')).toMatch(
      /none of 300 documents has.*None of 31 recorded executions/,
    );
    const withCommands = report.findings.filter(({ path }) => path !== 'paid_1');
    await runRemedies(client, withCommands);
    expect(pathsOf(await lintFor(uselessIndex, 'useless'))).toEqual(['paid_1']);
    await useless.dropIndex('paid_1');
    expect(pathsOf(await lintFor(uselessIndex, 'useless'))).toEqual([]);
  });

  it('unused-index: by its default says since when the server counts, and when to run again', async () => {
    await database.collection('young').insertOne({ a: 1 });
    await database.collection('young').createIndex({ a: 1 });
    const { findings, skipped } = await lintShared({
      include: [`${database.databaseName}.young`],
      checks: [unusedIndex],
    });
    const statistics = await database
      .collection('young')
      .aggregate([{ $indexStats: {} }, { $match: { name: 'a_1' } }])
      .toArray();
    const since = statistics[0]?.['accesses'].since as Date;
    const inAWeek = new Date(since.getTime() + 7 * 24 * 60 * 60 * 1_000);
    expect(findings).toEqual([]);
    expect(skipped).toEqual([
      {
        check: 'unused-index',
        namespace: `${database.databaseName}.young`,
        reason: 'insufficient',
        detail: expect.stringContaining(`since ${since.toISOString().slice(0, 10)}`),
      },
    ]);
    expect(skipped[0]?.detail).toContain(`Run again after ${inAWeek.toISOString().slice(0, 10)}`);
  });

  it.each<[string, Document, Document, Document]>([
    ['missing', {}, {}, { name: 'a' }],
    ['null, which sparse does not skip', { sparse: true }, { email: null }, { email: null }],
  ])(
    'unique-index-on-optional-field: finds a key that may be %s, and its steps let in the next',
    async (_, ...given) => {
      const [options, first, next] = given;
      const users = database.collection(`users_${Object.keys(options).join('')}`);
      await users.insertMany([...Array.from({ length: 50 }, (_each, at) => ({ email: `a${at}@example.com` })), first]);
      await users.createIndex({ email: 1 }, { unique: true, ...options });
      await recordOperations(database, async () => {
        for (let tries = 0; tries < 4; tries += 1) await users.insertOne({ ...next }).catch(() => null);
      });
      const linted = () => lintFor(uniqueIndexOnOptionalField, users.collectionName);
      const { findings } = await linted();
      expect(findings).toMatchObject([{ path: 'email_1', severity: 'warning', evidence: { refusedWrites: 4 } }]);
      for (const { code } of findings[0]?.remedy.steps ?? []) if (code !== undefined) await runShellCode(client, code);
      await users.insertMany([{ ...next }, { ...next }]);
      await expect(users.insertOne({ email: 'a7@example.com' })).rejects.toThrow(/E11000/);
      const { executionStats } = await users.find({ email: 'a7@example.com' }).explain('executionStats');
      expect(executionStats.totalKeysExamined).toBe(1);
      expect((await linted()).findings).toEqual([]);
    },
  );

  it('index-builds-in-requests: finds what each start drops and builds, or fails to build, and no start that finds it', async () => {
    const orders = database.collection('started');
    await orders.insertMany(Array.from({ length: 500 }, (_, at) => ({ a: at, twice: at % 250 })));
    const linted = async (start: () => Promise<unknown>) => {
      await recordOperations(database, async () => {
        for (let times = 0; times < 4; times += 1) await start();
      });
      const { findings } = await lintFor(indexBuildsInRequests, 'started');
      await database.collection('system.profile').drop();
      return findings.map(({ namespace, evidence: { indexNames, builds, failed, drops } }) => [
        namespace,
        indexNames,
        builds,
        failed,
        drops,
      ]);
    };
    const synced = async () => {
      await orders.dropIndexes();
      await orders.createIndex({ a: 1 });
    };
    expect(await linted(synced)).toEqual([[orders.namespace, ['a_1'], 4, 0, 4]]);
    const unique = () => orders.createIndex({ twice: 1 }, { unique: true }).catch(() => null);
    expect(await linted(unique)).toEqual([[orders.namespace, ['twice_1'], 0, 4, 0]]);
    expect(await linted(() => orders.createIndex({ a: 1 }))).toEqual([]);
  });
});
