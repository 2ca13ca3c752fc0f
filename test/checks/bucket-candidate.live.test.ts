import { ObjectId, type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { bucketCandidate } from '../../checks/bucket-candidate.js';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import type { Report } from '../../src/report/report.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

describe('bucket-candidate on a real server', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  const random = new SeededRandom(31);
  let report: Report;
  const findingsIn = (name: string) =>
    report.findings.filter(({ namespace }) => namespace === `${database.databaseName}.${name}`);

  const readings = (sensors: number, minutes: number, jitter: number) =>
    Array.from({ length: minutes }, (_, minute) =>
      Array.from({ length: sensors }, (__, sensor) => ({
        sensor: `sensor-${sensor}`,
        at: new Date(START + minute * MINUTE + random.below(jitter)),
        temperature: Math.round(200 + 50 * Math.sin(minute / 90)) / 10,
        humidity: 40 + (minute % 30),
      })),
    ).flat();
  const fill = async (name: string, documents: Document[]) => {
    for (let from = 0; from < documents.length; from += 5_000)
      await database.collection(name).insertMany(documents.slice(from, from + 5_000));
  };
  /** Things that happen by chance: a customer, a date, an amount. */
  const events = (count: number) => {
    let time = START;
    return Array.from({ length: count }, () => ({
      customer: random.between(1, 50),
      placed: new Date((time += random.exponential() * MINUTE)),
      total: random.between(1, 900) / 4,
    }));
  };

  beforeAll(async () => {
    await database.collection('readings').createIndex({ sensor: 1, at: 1 });
    await fill('readings', readings(40, 600, 2_000));
    await database.collection('fleet').createIndex({ sensor: 1, at: 1 });
    await fill('fleet', readings(600, 40, 2_000));
    await fill(
      'keyed',
      readings(40, 300, 2_000).map(({ sensor, at, ...values }) => ({ _id: { sensor, at }, ...values })),
    );
    await fill('events', events(12_000));
    await database.collection('people').createIndex({ number: 1 }, { unique: true });
    await fill(
      'people',
      readings(40, 300, 2_000).map(({ sensor, at }, number) => ({ number, group: sensor, at, name: `name ${number}` })),
    );
    const shuffled = readings(40, 300, 2_000).toSorted(() => random.next() - 0.5);
    await fill('shuffled', shuffled);
    await fill(
      'products',
      Array.from({ length: 12_000 }, (_, index) => ({
        name: `product ${index}`,
        created: new Date(START + index),
        price: random.between(1, 90),
        stock: random.between(0, 9),
      })),
    );
    await database.createCollection('capped', { capped: true, size: 5_000_000 });
    await fill('capped', readings(40, 300, 2_000));
    await fill(
      'buckets',
      Array.from({ length: 12_000 }, (_, index) => ({
        sensor: index % 40,
        from: new Date(START + index * MINUTE),
        count: 2,
        readings: [{ t: 1.5 }, { t: 2.5 }],
      })),
    );
    // A file has its size from a checkpoint on, and the server takes one a minute.
    await client.db('admin').command({ fsync: 1 });
    report = await lintShared({ include: [`${database.databaseName}.*`], checks: [bucketCandidate] });
  });

  it('finds readings whose source and time are their _id', () => {
    expect(report.skipped).toEqual([]);
    expect(findingsIn('keyed')).toMatchObject([
      { path: '_id.at', evidence: { sourceField: '_id.sensor', timeField: '_id.at' } },
    ]);
  });

  it('finds readings of 40 sensors, with source, time, interval and order', () => {
    const [finding, ...others] = findingsIn('readings');
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      severity: 'info',
      confidence: 'high',
      path: 'at',
      evidence: {
        timeField: 'at',
        sourceField: 'sensor',
        valueFields: ['temperature', 'humidity'],
        sources: 40,
        measurementsPerBucket: expect.any(Number),
      },
    });
    expect(finding?.evidence['intervalMs']).toBeCloseTo(MINUTE, -4);
    expect(finding?.remedy.text).toContain('{ timeField: "at", metaField: "sensor", granularity: "minutes" }');
    expect(JSON.stringify(report)).not.toContain('sensor-1');
  });

  it('finds readings of many sources: it reads further back, and uses no index', async () => {
    expect(
      findingsIn('fleet').map(({ path, evidence }) => [path, evidence['sourceField'], evidence['sources']]),
    ).toEqual([['at', 'sensor', 600]]);
    const usage = await database
      .collection('fleet')
      .aggregate([{ $indexStats: {} }])
      .toArray();
    expect(usage.find(({ name }) => name === 'sensor_1_at_1')?.['accesses'].ops).toBe(0);
  });

  it.each(['events', 'people', 'shuffled', 'products', 'capped', 'buckets'])('is silent on %s', (name) => {
    expect(findingsIn(name)).toEqual([]);
  });

  it('is refused where it has no date, and doubled where it is copied twice, as the remedy says', async () => {
    await database.createCollection('copied_series', { timeseries: { timeField: 'at' } });
    const copied = database.collection('copied_series');
    await expect(copied.insertOne({ at: 'noon' })).rejects.toThrow(/valid BSON UTC datetime/);
    const document = { _id: new ObjectId(), at: new Date(0) };
    for (let copies = 1; copies <= 2; copies += 1) await copied.insertMany([document]);
    expect(await copied.countDocuments({ _id: document._id })).toBe(2);
    await copied.drop();
  });

  it('is silent once the remedy is applied, and the saving is what was reckoned', async () => {
    const [evidence] = findingsIn('readings').map((finding) => finding.evidence as unknown as Record<string, number>);
    const { buckets, indexBytesThen, indexBytesNow } = evidence ?? {};
    await database.createCollection('readings_series', {
      timeseries: { timeField: 'at', metaField: 'sensor', granularity: 'minutes' },
    });
    await database.collection('readings_series').createIndex({ sensor: 1, at: 1 });
    const documents = await database.collection('readings').find().sort({ at: 1 }).project({ _id: 0 }).toArray();
    await fill(
      'readings_series',
      documents.map((document) => Object.assign(document, { _id: new ObjectId() })),
    );
    await database.collection('readings').drop();
    const after = await lintShared({ include: [`${database.databaseName}.readings*`], checks: [bucketCandidate] });
    expect(after.findings).toEqual([]);
    await client.db('admin').command({ fsync: 1 });
    const [statistics] = await database
      .collection('readings_series')
      .aggregate([{ $collStats: { storageStats: {} } }])
      .toArray();
    const made = statistics?.['storageStats'].timeseries.bucketCount;
    // 40 sensors with 600 readings each: one bucket that is not full for each.
    expect(made).toBe(40);
    expect(buckets).toBe(made);
    expect(indexBytesThen).toBeLessThan((indexBytesNow as number) / 100);
    expect(statistics?.['storageStats'].totalIndexSize).toBeLessThan((indexBytesNow as number) / 5);
  });
});
