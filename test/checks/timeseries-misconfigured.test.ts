import { describe, expect, it } from 'vitest';
import { timeseriesMisconfigured } from '../../checks/timeseries-misconfigured.js';
import type { Buckets, Collection } from '../../src/check.js';
import { judge, problem, problems, type Given } from '../support/checks/evidence-builders.js';
import { index } from '../support/checks/index-builders.js';

const HOUR = 3_600_000;
const OPTIONS = { timeField: 'at', metaField: 'sensor', granularity: 'seconds' };
const ON_SOURCE = index({ sensor: 1, at: 1 });

/** 200,000 measurements in two days; each of 100 sensors measures every 40 minutes unless a row says otherwise. */
const given = (
  buckets: Partial<Buckets>,
  timeseries: Partial<NonNullable<Collection['timeseries']>> = {},
  rest: Given = {},
): Given => ({
  indexes: [ON_SOURCE],
  ...rest,
  collection: { kind: 'timeseries', timeseries: { ...OPTIONS, ...timeseries } },
  buckets: {
    stored: 100_000,
    measurements: 200_000,
    opened: 100_000,
    openedForMetadata: 100,
    finished: { TimeForward: 99_900 },
    countedFor: 48 * HOUR,
    ...buckets,
  },
});

describe('a time-series collection with small buckets', () => {
  it.each<[string, Given, [severity: string, path: string | null, says: string, does: string]]>([
    ['of one hour', given({}), ['warning', 'at', 'beyond its span of 1 h', 'granularity to "minutes"']],
    [
      'of one day',
      given({}, { granularity: 'minutes' }),
      ['warning', 'at', 'beyond its span of 1 day', 'granularity to "hours"'],
    ],
    [
      'of the longest span that has a name',
      given({ countedFor: 2_400 * HOUR }, { granularity: 'hours' }),
      ['warning', 'at', 'span of 30 days', 'bucketMaxSpanSeconds'],
    ],
    ['few yet', given({ stored: 9_000 }), ['info', 'at', '2 on average, 200,000 in 100,000 buckets', 'granularity']],
    [
      'for each value of the meta field',
      given({ openedForMetadata: 90_000, finished: {} }),
      ['warning', 'sensor', '90,000 of 100,000 buckets were opened for a value', 'Keep in `sensor` only'],
    ],
    [
      'for each value, which memory ended, soon after the start',
      given({ openedForMetadata: 90_000, finished: { MemoryThreshold: 80_000 }, countedFor: 60_000 }),
      ['warning', 'sensor', '2.5 on average, 200,000 in 80,000 buckets', 'Keep in `sensor`'],
    ],
    [
      'as earlier ones arrive later',
      given({ finished: { TimeForward: 900, TimeBackward: 90_000 } }),
      ['warning', 'at', 'an earlier measurement arrived', 'in the order of their times'],
    ],
    [
      'as types change',
      given({ finished: { SchemaChange: 90_000 } }),
      ['warning', null, 'changed its type', 'one type'],
    ],
    [
      'as memory is short',
      given({ finished: { CachePressure: 90_000 } }),
      ['warning', 'sensor', 'too many were open', 'fewer sources'],
    ],
    [
      'through mongos, where the start is unknown',
      given({ countedFor: null }),
      ['warning', 'at', '200,000 in 99,900 buckets', 'minutes'],
    ],
  ])('%s', (_, all, [severity, path, says, does]) => {
    const found = problem(timeseriesMisconfigured, all);
    expect(found).toMatchObject({ severity, path, confidence: 'high' });
    expect(found.message).toContain(says);
    expect(found.remedy.steps.map(({ text }) => text).join(' ')).toContain(does);
  });

  it('is widened by a step that cannot be undone, so that a person takes it', () => {
    const { remedy } = problem(timeseriesMisconfigured, given({}));
    expect(remedy.commands).toBeUndefined();
    expect(remedy.steps[0]?.code).toBe(
      'db.getSiblingDB("shop").runCommand({ "collMod": "products", "timeseries": { "granularity": "minutes" } })',
    );
  });

  it.each<[string, Given]>([
    ['if they hold ten and more', given({ measurements: 1_100_000 })],
    ['if they were full', given({ finished: { Size: 90_000, TimeForward: 5_000 } })],
    ['if the collection is small', given({ stored: 999 })],
  ])('is none %s', (_, all) => expect(judge(timeseriesMisconfigured, all)).toEqual([]));

  it.each<[string, Partial<Buckets>]>([
    [
      'soon after a restart, as most are still open',
      { opened: 5_000, finished: { TimeForward: 900 }, countedFor: HOUR },
    ],
    ['if nothing was written since', { opened: 0, measurements: 0, finished: {} }],
    ['if those of before were opened again', { opened: 900, finished: { TimeForward: 50_000 } }],
  ])('is not judged %s', (_, buckets) => {
    expect(judge(timeseriesMisconfigured, given(buckets))).toMatchObject([{ notJudged: 'insufficient' }]);
  });
});

describe('a time-series collection without an index on its meta field', () => {
  const FULL = { measurements: 5_000_000 };

  it.each<[string, Given]>([
    ['without any', given(FULL, {}, { indexes: [] })],
    ['with one on the time', given(FULL, {}, { indexes: [index({ at: 1 })] })],
    ['with a hidden one', given(FULL, {}, { indexes: [{ ...ON_SOURCE, hidden: true }] })],
    ['with one on a field of another name', given(FULL, {}, { indexes: [index({ sensors: 1, at: 1 })] })],
  ])('%s', (_, all) => {
    const found = problem(timeseriesMisconfigured, all);
    expect(found).toMatchObject({ severity: 'info', confidence: 'medium', path: 'sensor' });
    expect(found.remedy.commands).toEqual([
      {
        db: 'shop',
        command: { createIndexes: 'products', indexes: [{ key: { sensor: 1, at: 1 }, name: 'sensor_1_at_1' }] },
      },
    ]);
  });

  it.each<[string, Given]>([
    ['on a field of it', given(FULL, {}, { indexes: [index({ 'sensor.id': 1, at: -1 })] })],
    ['in a small collection', given({ ...FULL, stored: 900 }, {}, { indexes: [] })],
  ])('is none if there is one %s', (_, all) => expect(problems(timeseriesMisconfigured, all)).toEqual([]));

  it('is none without a meta field', () => {
    const { collection, ...rest } = given(FULL, {}, { indexes: [] });
    const { metaField: _, ...timeseries } = OPTIONS;
    expect(judge(timeseriesMisconfigured, { ...rest, collection: { ...collection, timeseries } })).toEqual([]);
  });
});
