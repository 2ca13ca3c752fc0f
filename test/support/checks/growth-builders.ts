import type { ArrayGrowth, GrowthEvidence, LimitForecast, MeasuredGrowth, OplogGrowth } from '../../../src/check.js';
import { absent, present } from '../../../src/presence.js';
import { DOCUMENT_LIMIT_BYTES } from '../../../src/profile/server-limits.js';

const around = (value: number) => ({ low: 0.9 * value, estimate: value, high: 1.1 * value });

/** Growth as ages show it: a typical array of 50 elements and a largest of 150, which get 1 and 3 a day. */
export function measured(rest: Partial<MeasuredGrowth> = {}): MeasuredGrowth {
  const rates = { typical: { value: 50, perDay: around(1) }, largest: { value: 150, perDay: around(3) } };
  return {
    source: 'age',
    sources: ['age'],
    confidence: 'high',
    windowDays: 60,
    rates,
    lifetimeDays: null,
    ...rest,
  };
}

/** The forecasts of an array: days until it has 200 and 1,000 elements, and its document 16 MB. */
export function forecasts(days: readonly [number, number, number]): LimitForecast[] {
  const limits = [200, 1_000, DOCUMENT_LIMIT_BYTES];
  return limits.map((limit, index) => {
    const expectedDays = days[index] as number;
    const range = Number.isFinite(expectedDays) ? { earliest: 0.8 * expectedDays, latest: 1.2 * expectedDays } : null;
    return {
      unit: index === 2 ? 'bytes' : 'elements',
      limit,
      expectedDays,
      typical: null,
      largest: range,
    };
  });
}

/** What is known of an array that grows. */
export function growingArray(
  path: string,
  days: readonly [number, number, number],
  growth: Partial<MeasuredGrowth> = {},
): ArrayGrowth {
  return { path, age: null, oplog: null, history: null, growth: measured(growth), forecasts: forecasts(days) };
}

/** What the oplog shows of an array that 40 writes made longer. */
export function writtenArray(rest: Partial<OplogGrowth> = {}): OplogGrowth {
  return {
    verdict: 'growing',
    because: 'growing',
    windowDays: 4,
    writes: 40,
    share: 0.25,
    documents: 30,
    longest: 150,
    appendedPerDay: 90,
    rates: null,
    ...rest,
  };
}

/** What is known of the growth of a collection whose documents are so many days old at most. */
export function growthOf(
  arrays: readonly ArrayGrowth[],
  rest: Partial<GrowthEvidence> = {},
  oldest = 60,
): GrowthEvidence {
  return {
    arrays,
    sizes: { age: null, history: null, growth: null, forecast: null },
    sources: {
      age: present({ days: oldest, from: '_id' }),
      oplog: absent('unsupported', 'a standalone server has none.'),
      history: absent('insufficient', 'no earlier run has measured this collection.'),
    },
    ...rest,
  };
}
