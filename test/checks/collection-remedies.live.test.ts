import { beforeAll, describe, expect, it } from 'vitest';
import { emptyCollection } from '../../checks/empty-collection.js';
import { expiredDocuments } from '../../checks/expired-documents.js';
import { tooManyCollections } from '../../checks/too-many-collections/check.js';
import { tooManyIndexes } from '../../checks/too-many-indexes/check.js';
import { ttlWithoutEffect } from '../../checks/ttl-without-effect.js';
import { unusedIndex } from '../../checks/unused-index.js';
import type { AnyCheck } from '../../src/check.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

const DAYS = 30;

describe('collections on a real server', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const settings = { 'too-many-collections': { thresholds: { family: DAYS, info: 10, warning: DAYS + 4 } } };
  const lintFor = async (check: AnyCheck) => {
    const { findings, skipped } = await lintShared({
      include: [`${database.databaseName}.*`],
      checks: [check],
      settings,
    });
    expect(skipped).toEqual([]);
    return findings.map(({ severity, namespace, path, evidence, remedy }) => ({
      remedy: remedy.text,
      found: `${severity} ${namespace.replace(`${database.databaseName}.`, '')} ${path}`,
      evidence,
    }));
  };

  beforeAll(async () => {
    for (let day = 1; day <= DAYS; day += 1) {
      await database
        .collection(`readings_2026_11_${String(day).padStart(2, '0')}`)
        .insertOne({ at: new Date(Date.UTC(2026, 10, day)), level: day });
    }
    await database.createCollection('never used');
    await database.createCollection('log', { capped: true, size: 4_096 });
    await database.createCollection('a view', { viewOn: 'log', pipeline: [] });
    await database.collection('sessions').createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    await database.collection('products').insertOne({ name: 'lamp' });
    for (let field = 5; field < 20; field += 1)
      await database.collection('products').createIndex({ [`field${field}`]: 1 });
  });

  it('too-many-collections: finds one for each day, and is silent once they are one', async () => {
    const found = await lintFor(tooManyCollections);
    expect(found.map((each) => each.found)).toEqual(['warning * null', 'info readings_* null']);
    // The indexes of other databases are not known.
    expect(found[0]?.evidence).toMatchObject({ collections: DAYS + 4, emptyCollections: 3 });
    expect(found[0]?.evidence).not.toHaveProperty('indexes');
    expect(found[1]?.evidence).toMatchObject({ collections: DAYS, documents: DAYS, dividedBy: 'date' });
    expect(found[1]?.remedy).toContain(
      'Check whether the same _id occurs in several collections: $merge silently makes one document of them.',
    );
    for (let day = 1; day <= DAYS; day += 1) {
      const daily = database.collection(`readings_2026_11_${String(day).padStart(2, '0')}`);
      await daily.aggregate([{ $merge: 'readings' }]).toArray();
      await daily.drop();
    }
    expect(await database.collection('readings').countDocuments()).toBe(DAYS);
    expect(await lintFor(tooManyCollections)).toEqual([]);
  });

  it('too-many-collections: says that $merge makes one document of those with the same _id', async () => {
    for (const name of ['tenant_1', 'tenant_2'])
      await database.collection<{ _id: number; of: string }>(name).insertOne({ _id: 1, of: name });
    for (const name of ['tenant_1', 'tenant_2'])
      await database
        .collection(name)
        .aggregate([{ $merge: 'tenants' }])
        .toArray();
    expect(await database.collection('tenants').find().toArray()).toEqual([{ _id: 1, of: 'tenant_2' }]);
    for (const name of ['tenant_1', 'tenant_2', 'tenants']) await database.collection(name).drop();
  });

  it('empty-collection: tells one that was emptied from one that was never used', async () => {
    await database.collection('emptied').insertMany(Array.from({ length: 1_000 }, () => ({ text: 'x'.repeat(500) })));
    await client.db('admin').command({ fsync: 1 });
    await database.collection('emptied').deleteMany({});
    const { findings } = await lintShared({ include: [`${database.databaseName}.emptied`], checks: [emptyCollection] });
    expect(findings.map(({ confidence, message }) => `${confidence}: ${message}`)).toEqual([
      'low: The collection is empty, but it once held documents.',
    ]);
    await database.collection('emptied').drop();
  });

  it('ttl-without-effect: finds a partial filter that asks for another type, and is silent once it asks for that', async () => {
    const jobs = database.collection('jobs');
    const expireAfterSeconds = 1_576_800_000;
    await jobs.insertMany(Array.from({ length: 200 }, (_, number) => ({ number, done: number % 2, at: new Date() })));
    await jobs.createIndex({ at: 1 }, { expireAfterSeconds, partialFilterExpression: { done: true } });
    expect((await lintFor(ttlWithoutEffect)).map(({ found }) => found)).toEqual(['info jobs at_1']);
    await jobs.dropIndex('at_1');
    await jobs.createIndex({ at: 1 }, { expireAfterSeconds, partialFilterExpression: { done: 1 } });
    expect(await lintFor(ttlWithoutEffect)).toEqual([]);
    await jobs.drop();
  });

  it('expired-documents: finds them beside a TTL index on a field that they lack, and is silent once it is on theirs', async () => {
    const tokens = database.collection('tokens');
    const expiresAt = new Date(Date.UTC(2024, 0, 1));
    await tokens.insertMany(Array.from({ length: 1_200 }, (_, user) => ({ user, expiresAt })));
    await tokens.createIndex({ revokedAt: 1 }, { expireAfterSeconds: 0 });
    expect((await lintFor(expiredDocuments)).map(({ found }) => found)).toEqual(['info tokens expiresAt']);
    await tokens.dropIndex('revokedAt_1');
    // So many years that none is deleted during the test.
    await tokens.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 1_576_800_000 });
    expect(await lintFor(expiredDocuments)).toEqual([]);
    await tokens.drop();
  });

  it('too-many-indexes: finds 16 of which five are used more than once, and is silent once most are', async () => {
    const products = database.collection('products');
    const use = async (from: number, to: number, times: number) => {
      for (let field = from; field < to; field += 1)
        for (let time = 0; time < times; time += 1) await products.find({ [`field${field}`]: 1 }).toArray();
    };
    await use(5, 9, 25);
    await use(9, 20, 1);
    // Uses are read for unused-index.
    const used = async () => {
      const checks = [tooManyIndexes, unusedIndex];
      const { findings } = await lintShared({ include: [products.namespace], checks });
      return findings.map(({ severity, check, evidence }) => [severity, check, evidence['usedIndexes']]);
    };
    expect(await used()).toEqual([['info', 'too-many-indexes', 5]]);
    await use(9, 20, 2);
    expect(await used()).toEqual([]);
  });
});

describe('tenants on a real server', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const tenants = ['acme', 'globex', 'initech', 'umbrella', 'hooli', 'stark', 'wayne', 'tyrell', 'soylent', 'wonka'];
  const families = async () => {
    const { findings } = await lintShared({
      include: [`${database.databaseName}.*`],
      checks: [tooManyCollections],
      settings: { 'too-many-collections': { thresholds: { family: tenants.length } } },
    });
    return findings.map(({ severity, namespace, evidence }) => [
      severity,
      namespace.replace(`${database.databaseName}.`, ''),
      evidence['collections'],
      evidence['dividedBy'],
    ]);
  };

  it('too-many-collections: finds a collection for each, not one for each kind of thing, and is silent once they are one', async () => {
    for (const tenant of tenants) {
      await database.collection(`orders_${tenant}`).insertMany([
        { customer: 1, total: 5, at: new Date() },
        { customer: 2, total: 9, at: new Date(), note: 'by phone' },
      ]);
      await database.collection(`orders_${tenant}`).createIndex({ customer: 1, at: -1 });
      // What an application calls its kinds of things has a common beginning, too.
      await database.collection(`app_${tenant}`).insertOne({ [`${tenant}Name`]: 'x', [`${tenant}Size`]: 3 });
    }
    await database.collection('orders_archive').insertOne({ order: 5, archived: new Date() });
    expect(await families()).toEqual([['info', 'orders_*', tenants.length, 'name']]);
    for (const tenant of tenants) {
      const theirs = database.collection(`orders_${tenant}`);
      await theirs.aggregate([{ $set: { tenant } }, { $merge: 'orders' }]).toArray();
      await theirs.drop();
    }
    expect(await database.collection('orders').countDocuments()).toBe(2 * tenants.length);
    expect(await families()).toEqual([]);
  });
});
