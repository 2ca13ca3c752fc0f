import type { Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/finding.js';
import { reportSchema, type Report } from '../../src/report/report.js';
import { MS_PER_DAY } from '../../src/time-units.js';
import { elements, found, idOf, lintGrowth, rateError, times, TOLERANCE } from '../support/growth/planted-growth.js';
import { RandomDistributions } from '../support/random-distributions.js';
import { useServer } from '../support/server-with-client.js';
import { startStandalone } from '../support/servers.js';

const server = useServer(() => startStandalone());

describe('documents of all ages', () => {
  let findings: Map<string, Finding>;
  let report: Report;
  beforeAll(async () => {
    const database = server.client.db('ages');
    const random = new RandomDistributions(1);
    const plant = (name: string, document: (age: number, index: number) => Document | null) => {
      const documents = times(500, (index) => document(90 * random.next(), index)).filter((one) => one !== null);
      return database.collection<Document>(name).insertMany(documents.map((one) => ({ _id: idOf(0), ...one })));
    };
    await plant('products', (age) => ({
      _id: idOf(age),
      reviews: elements(random.poisson(1.5 * age)),
      thread: { posts: elements(0.4 * age) },
      threads: times(2, () => ({ posts: elements(random.poisson(0.8 * age)) })),
      rows: [elements(age), elements(age)],
    }));
    await plant('orders', (age, index) => ({
      _id: `order-${String(index)}`,
      placed: new Date(Date.now() - age * MS_PER_DAY),
      history: elements(random.poisson(age)),
    }));
    await plant('imported', (age) => ({ _id: idOf(age / 180), history: elements(random.poisson(age)) }));
    await plant('stable', (age) => ({ _id: idOf(age), tags: elements(random.poisson(6)) }));
    await plant('capped', (age) => ({ _id: idOf(age), last: elements(Math.min(30, random.poisson(2 * age))) }));
    await plant('backfilled', (age) => ({ _id: idOf(age), labels: elements(random.poisson(3) + 10) }));
    await plant('versions', (age) => ({ _id: idOf(age), parts: elements(random.poisson(age > 45 ? 24 : 6)) }));
    await plant('buckets', (age) => ({ _id: idOf(age), readings: elements(Math.min(60, age * 24 * 60)) }));
    await plant('cleaned', (age) => {
      const length = 1 + Math.floor(10 * random.exponential());
      return length < 12 && random.next() < age / 45 ? null : { _id: idOf(age), items: elements(length) };
    });
    await plant('expiring', (age) => ({
      _id: idOf(age / 30),
      at: new Date(Date.now() - (age / 30) * MS_PER_DAY),
      events: elements(10 * (age / 30)),
    }));
    await database.collection('expiring').createIndex({ at: 1 }, { expireAfterSeconds: 3 * 24 * 60 * 60 });
    report = await lintGrowth(server.uri, database);
    findings = found(report);
  });

  it.each([
    ['products reviews', 1.5],
    ['products thread.posts', 0.4],
    ['products threads[].posts', 0.8],
    ['products rows', 1],
  ])('show that %s grows by %d a day', (name, perDay) => {
    expect(findings.get(name)?.evidence).toMatchObject({
      source: 'sample',
      ageField: '_id',
    });
    expect(rateError(findings.get(name), perDay)).toBeLessThan(TOLERANCE);
  });

  it('show in the JSON report what grows, and that nothing else does', () => {
    const growth = (name: string) =>
      report.collections.find(({ namespace }) => namespace === `ages.${name}`)?.growth ?? null;
    expect(growth('stable')).toEqual([]);
    const byAge = { sources: ['age'], confidence: 'medium', perDay: expect.any(Number) };
    expect(growth('products')).toMatchObject([
      { path: 'reviews', unit: 'elements', ...byAge },
      { path: 'thread.posts', ...byAge },
      { path: 'threads[].posts', ...byAge },
      { path: 'rows[]', ...byAge },
      { path: null, unit: 'bytes', ...byAge },
    ]);
    const unseen = report.collections.find(({ namespace }) => namespace === 'ages.orders')?.growthUnseen;
    expect(unseen?.find(({ source }) => source === 'age')?.detail).toContain('their `_id`s are not ObjectIds');
    expect(reportSchema.parse(report)).toEqual(report);
  });

  it('show nothing else', () => {
    const names = ['products reviews', 'products rows', 'products thread.posts', 'products threads[].posts'];
    expect([...findings.keys()].sort()).toEqual(names);
  });
});
