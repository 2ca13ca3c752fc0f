import { type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { timeseriesMisconfigured } from '../../checks/timeseries-misconfigured.js';
import { freshDatabase, sharedClient } from '../support/database.js';
import { lintShared } from '../support/linted-collection.js';

const HOUR = 3_600_000;
const SENSORS = 40;
const START = Date.UTC(2026, 0, 1);

/** One in two hours from each sensor, and never the same number twice. */
const measurements = (sensorOf: (index: number) => unknown) =>
  Array.from({ length: SENSORS * 50 }, (_, index) => ({
    at: new Date(START + Math.floor(index / SENSORS) * 2 * HOUR),
    sensor: sensorOf(index),
    value: index / 10,
  }));

describe('time-series collections on a real server', () => {
  const client = sharedClient();
  const database = freshDatabase(client);

  const fill = async (name: string, granularity: 'seconds' | 'hours', documents: readonly Document[]) => {
    await database.createCollection(name, { timeseries: { timeField: 'at', metaField: 'sensor', granularity } });
    await database.collection(name).insertMany([...documents], { ordered: false });
  };
  const lintIt = (name: string) =>
    lintShared({ include: [`${database.databaseName}.${name}`], checks: [timeseriesMisconfigured] });

  it('finds small buckets and no index; with the granularity raised and the index, there is nothing to find', async () => {
    await fill(
      'fine',
      'seconds',
      measurements((index) => index % SENSORS),
    );
    const { findings, skipped } = await lintIt('fine');
    expect(skipped).toEqual([]);
    expect(findings.map(({ severity, path }) => [severity, path])).toEqual([
      ['info', 'at'],
      ['info', 'sensor'],
    ]);
    expect(findings[0]?.evidence).toMatchObject({
      measurements: 2_000,
      buckets: 2_000,
      bucketsOpened: 2_000,
      bucketsOpenedForMetadata: SENSORS,
      bucketsFinished: { TimeForward: 2_000 - SENSORS },
    });
    for (const { db, command } of findings.flatMap(({ remedy }) => remedy.commands ?? []))
      await client.db(db).command(command);
    expect((await lintIt('fine')).findings.map(({ path }) => path)).toEqual(['at']);
    // As the steps say: it applies to new buckets, so the stored ones are rewritten, and the counters begin anew.
    const stored = await database.collection('fine').find().sort({ sensor: 1, at: 1 }).toArray();
    for (const granularity of ['minutes', 'hours'])
      await database.command({ collMod: 'fine', timeseries: { granularity } });
    await database.collection('fine').drop();
    await fill('fine', 'hours', stored);
    await database.collection('fine').createIndex({ sensor: 1, at: 1 });
    expect(await lintIt('fine')).toMatchObject({ findings: [], skipped: [] });
  });

  it('does not judge a value of the meta field for each measurement before the server has run for some time', async () => {
    await fill(
      'changing',
      'seconds',
      measurements((index) => ({ sensor: index % SENSORS, reading: index })),
    );
    await database.collection('changing').createIndex({ 'sensor.sensor': 1, at: 1 });
    const { findings, skipped } = await lintIt('changing');
    expect(findings).toEqual([]);
    expect(skipped).toMatchObject([{ check: 'timeseries-misconfigured', reason: 'insufficient' }]);
    expect(skipped[0]?.detail).toContain('2,000 buckets were opened and 0 finished');
  });
});
