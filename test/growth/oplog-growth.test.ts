import { describe, expect, it } from 'vitest';
import type { OplogGrowth } from '../../src/growth/growth.js';
import { HISTORY } from '../../src/growth/limits.js';
import { oplogGrowth } from '../../src/growth/oplog-growth.js';
import type { SampledWrite } from '../../src/growth/oplog-writes.js';
import { MS_PER_DAY } from '../../src/time-units.js';

const NOW = Date.parse('2026-03-01T00:00:00Z');
const DAYS = 7;
const ARRAYS = 40;

/** A tenth of the writes of a week to some arrays, which were made at even times. */
function drawn(perDay: number, write: (at: number, array: number) => Partial<SampledWrite>): SampledWrite[] {
  const count = DAYS * perDay;
  return Array.from({ length: ARRAYS }, (_, array) =>
    Array.from({ length: count }, (__, index) => {
      const ago = DAYS - (index + (array + 0.5) / ARRAYS) / perDay;
      return {
        index,
        one: {
          path: 'log',
          document: `c ${array}`,
          at: NOW - ago * MS_PER_DAY,
          kind: 'set' as const,
          from: index,
          elements: index + 1,
          now: count,
          ...write(ago, array),
        },
      };
    }).filter(({ index }) => (index + array) % 10 === 0),
  ).flatMap((ofArray) => ofArray.map(({ one }) => one));
}

/** How many tens of writes of an array there were before. */
const at = (ago: number) => Math.floor((DAYS - ago) * 10);

const SAMPLED = { lengths: Array.from({ length: ARRAYS }, (_, array) => 20 + array), arrays: ARRAYS };

function judge(writes: readonly SampledWrite[], sampled = SAMPLED, slack = 1): OplogGrowth {
  const window = { from: NOW - DAYS * MS_PER_DAY, to: NOW, share: 0.1, unreadShare: 0 };
  return oplogGrowth(writes, { window, writes, measuredAt: NOW, shareOfDocuments: 1 }, sampled, slack);
}

describe('drawn writes show growth', () => {
  it('by what arrays gained since', () => {
    const growth = judge(drawn(10, () => ({})));
    expect(growth).toMatchObject({ verdict: 'growing', documents: ARRAYS, longest: 70 });
    expect(growth.rates?.typical.perDay.estimate).toBeGreaterThan(9);
    expect(growth.rates?.typical.perDay.estimate).toBeLessThan(11.5);
    expect(growth.appendedPerDay).toBeCloseTo(400, -2);
  });

  it('by saves of whole arrays, whose number of elements shows it', () => {
    const growth = judge(drawn(10, () => ({ kind: 'length', from: 0 })));
    expect(growth.verdict).toBe('growing');
    expect(growth.appendedPerDay).toBeNull();
  });
});

describe('drawn writes show none where', () => {
  it.each<[string, OplogGrowth['because'], OplogGrowth['verdict'], SampledWrite[]]>([
    ['there are few', 'few', 'unknown', drawn(10, () => ({})).slice(0, 5)],
    ['a quarter of the documents is gone', 'few', 'unknown', drawn(10, (ago) => ({ now: ago > 5.2 ? null : 70 }))],
    [
      'arrays are cut at a cap',
      'capped',
      'not growing',
      drawn(10, () => ({ kind: 'length', from: 0, elements: 50, now: 50 })),
    ],
    [
      'slots are set in any order',
      'replaced',
      'not growing',
      drawn(10, (ago, array) => ({
        from: (at(ago) * 7 + array) % 24,
        elements: ((at(ago) * 7 + array) % 24) + 1,
        now: 24,
      })),
    ],
    [
      'as much is removed as added',
      'replaced',
      'not growing',
      drawn(10, (ago, array) => ({ kind: 'length', from: 0, elements: 20 + (at(ago) % 5), now: 18 + (array % 9) })),
    ],
    [
      'all was written on one day',
      'one-off',
      'unknown',
      drawn(10, () => ({})).map((one) => ({ ...one, at: NOW - 2 * MS_PER_DAY + (NOW - one.at) / 20 })),
    ],
    [
      'arrays get no more after a day',
      'replaced',
      'not growing',
      drawn(10, (ago, array) => ({
        document: `c ${array} ${Math.floor(ago)}`,
        from: at(ago) % 10,
        elements: (at(ago) % 10) + 1,
        now: 11 + (array % 5),
      })),
    ],
  ])('%s', (_, because, verdict, writes) => {
    expect(judge(writes)).toMatchObject({ because, verdict, rates: null });
  });

  it.each<[string, Partial<typeof SAMPLED>]>([
    ['the others are longer', { lengths: SAMPLED.lengths.map(() => 200), arrays: 400 }],
    [
      'others as long grow no more',
      { lengths: Array.from({ length: 400 }, (_, array) => 60 + (array % 20)), arrays: 4_000 },
    ],
    [
      'many have reached one greatest length',
      { lengths: Array.from({ length: 400 }, (_, array) => (array % 2 === 0 ? 90 : array % 70)), arrays: 400 },
    ],
  ])('%s', (_, sampled) => {
    expect(
      judge(
        drawn(10, () => ({})),
        { ...SAMPLED, ...sampled },
      ),
    ).toMatchObject({ verdict: 'not growing', because: 'young' });
  });
});

it('growth that the last run showed stays with fewer writes', () => {
  const writes = drawn(10, () => ({})).slice(0, 7);
  expect(judge(writes)).toMatchObject({ verdict: 'unknown', because: 'few' });
  expect(judge(writes, SAMPLED, HISTORY.hysteresis)).toMatchObject({ verdict: 'growing' });
});
