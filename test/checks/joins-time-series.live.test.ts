import { beforeAll, describe, expect, it } from 'vitest';
import { missingLookupIndex } from '../../checks/missing-lookup-index.js';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import type { Finding } from '../../src/finding.js';
import { nameOf } from '../../src/namespace.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';
import { runRemedies } from '../support/remedy.js';

/** As many series as a scan has to be worth a word; a bucket holds the measurements of one. */
const SENSORS = 1_200;
const MEASUREMENTS = 6_000;

const client = sharedClient();

const join = (from: string, foreignField: string) => [
  { $lookup: { from, localField: 'k', foreignField, as: 'found' } },
];

describe('a time-series collection', () => {
  const database = freshDatabase(client);

  async function findings(): Promise<readonly Finding[]> {
    const report = await lintShared({ include: [`${database.databaseName}.*`], checks: [missingLookupIndex] });
    expect(report.skipped.filter(({ reason }) => reason !== 'insufficient')).toEqual([]);
    return report.findings;
  }

  beforeAll(async () => {
    await database.collection('orders').insertMany(Array.from({ length: 10 }, (_, k) => ({ k })));
    for (const name of ['by_sensor', 'by_value', 'in_view']) {
      await database.createCollection(name, { timeseries: { timeField: 'at', metaField: 'sensor' } });
      // 7.0 makes one on metaField and timeField.
      for (const index of await database.collection(name).indexes())
        await database.collection(name).dropIndex(String(index.name));
      await database.collection(name).insertMany(
        Array.from({ length: MEASUREMENTS }, (_, index) => ({
          at: new Date(index * 100),
          sensor: index % SENSORS,
          value: index,
        })),
      );
    }
    await database.createCollection('view', { viewOn: 'orders', pipeline: join('in_view', 'sensor') });
    await run();
  });

  async function run(): Promise<void> {
    await recordOperations(database, async () => {
      await database.collection('orders').aggregate(join('by_sensor', 'sensor')).toArray();
      await database.collection('orders').aggregate(join('by_value', 'value')).toArray();
    });
  }

  it('is joined by its buckets, which are what is told; an index serves its metaField only', async () => {
    const found = await findings();
    const byName = new Map(found.map((finding) => [nameOf(finding.namespace), finding]));
    expect([...byName.keys()].sort()).toEqual(['by_sensor', 'by_value', 'in_view']);
    expect(byName.get('by_sensor')).toMatchObject({
      path: 'sensor',
      severity: 'warning',
      evidence: { foreignBuckets: SENSORS },
    });
    expect(byName.get('by_sensor')?.message).toContain('reads all 1,200 buckets');
    expect(byName.get('by_value')?.message).toContain('No index can serve this join');
    expect(byName.get('in_view')?.message).toContain('Each execution reads all 1,200 buckets');
    await runRemedies(
      client,
      found.filter(({ path }) => path === 'sensor'),
    );
    await run();
    expect((await findings()).map(({ path }) => path)).toEqual(['value']);
  });
});
