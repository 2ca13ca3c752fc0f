import { describe, expect, it } from 'vitest';
import { documentLifetime } from '../../../../src/evidence/growth/writes/document-lifetime.js';
import { drawnGrowth } from '../../../../src/evidence/growth/writes/drawn-growth.js';
import type { OplogGrowth } from '../../../../src/evidence/growth/writes/oplog-growth.js';
import type { DrawnWindow, DrawnWrite } from '../../../../src/evidence/growth/oplog/drawn-writes.js';
import { measureGrowth } from '../../../../src/evidence/growth/measure-growth.js';
import { lengthExpression } from '../../../../src/evidence/growth/oplog/present-lengths.js';
import { present } from '../../../../src/presence.js';
import { MS_PER_DAY } from '../../../../src/time-units.js';
import { GROWTH_SCENARIOS } from '../../../support/growth/growth-scenarios.js';
import { virtualInput } from '../../../support/growth/virtual-evidence.js';
import { RandomDistributions } from '../../../support/random-distributions.js';

const WEEK: DrawnWindow = {
  from: 0,
  to: 7 * MS_PER_DAY,
  measuredAt: 7 * MS_PER_DAY,
  share: 0.005,
  shareOfArrays: 1,
  unreadShare: 0,
};

const write = (document: number, days: number, rest: Partial<DrawnWrite>): DrawnWrite => ({
  document: String(document),
  place: 'log',
  at: (7 - days) * MS_PER_DAY,
  kind: 'set',
  from: (rest.elements ?? 1) - 1,
  elements: 1,
  createdAt: null,
  now: 1,
  ...rest,
});

/** One drawn write to each of so many arrays, over all of the window. */
const one = (count: number, of: (days: number, index: number) => Partial<DrawnWrite>) =>
  Array.from({ length: count }, (_, index) =>
    write(index, (7 * (index + 0.5)) / count, of((7 * (index + 0.5)) / count, index)),
  );

const typical = ({ rates }: OplogGrowth) => rates?.typical.perDay.estimate ?? Number.NaN;

interface PushesAndSaves {
  readonly arrays: number;
  /** Pushes of one element a day to the median array, and by how much that differs. */
  readonly perDay: number;
  readonly deviation?: number;
  /** How often a day each array is saved whole, with so many more elements. */
  readonly saves?: number;
  readonly perSave?: number;
  readonly drawn: number;
}

function pushesAndSaves(
  random: RandomDistributions,
  { arrays, perDay, deviation = 0, saves = 0, perSave = 0, drawn }: PushesAndSaves,
): DrawnWrite[] {
  const timesOf = (rate: number, kind: DrawnWrite['kind']) =>
    Array.from({ length: random.poisson(rate * 7) }, () => ({ days: 7 * random.next(), kind }));
  return Array.from({ length: arrays }, (_, index) => index).flatMap((index) => {
    const rate = random.lognormal(perDay, deviation);
    const latestFirst = [...timesOf(rate, 'set'), ...timesOf(saves, 'length')].toSorted((a, b) => a.days - b.days);
    const now = 500 + (index % 50);
    let elements = now;
    return latestFirst.flatMap(({ days, kind }) => {
      const added = kind === 'set' ? 1 : perSave;
      const written = write(index, days, { kind, from: kind === 'set' ? elements - 1 : 0, elements, now });
      elements -= added;
      return random.chance(drawn) ? [written] : [];
    });
  });
}

describe('arrays are emptied', () => {
  it.each<[string, DrawnWrite[], true | undefined]>([
    ['by a job since which few were added', one(60, (days) => ({ elements: 40, now: days > 2 ? 5 : 45 })), true],
    ['if as much is removed as added', one(60, (_, index) => ({ elements: 10, now: 6 + ((index * 7) % 9) })), true],
    [
      'not if too few writes were drawn to tell a gain from chance',
      one(30, (_, index) => ({ elements: 50, now: 50 + (index % 10 === 0 ? 6 : 0) })),
      undefined,
    ],
    [
      'not if elements are set anywhere',
      one(60, (_, index) => ({ elements: 1 + ((index * 37) % 60), now: 60 })),
      undefined,
    ],
    [
      'not if a few became shorter by much',
      one(60, (_, index) => ({ elements: 50, now: index < 15 ? 5 : 51 })),
      undefined,
    ],
    [
      'not if many became shorter by little',
      one(60, (_, index) => ({ elements: 50, now: index % 2 === 0 ? 49 : 54 })),
      undefined,
    ],
    ['not by seven writes', one(20, (_, index) => ({ elements: 50, now: index < 7 ? 30 : 65 })), undefined],
    ['by eight of as many', one(20, (_, index) => ({ elements: 50, now: index < 8 ? 30 : 65 })), true],
  ])('%s', (_, writes, expected) => {
    const growth = drawnGrowth(writes, WEEK);
    expect(growth.shape).toBe('replaced');
    expect(growth.emptied).toBe(expected);
  });
});

describe('entries drawn from the oplog, one a document', () => {
  it.each<[string, DrawnWrite[], string]>([
    [
      'show growth if the older, the more was gained since',
      one(60, (days) => ({ elements: 50, now: 50 + Math.round(3 * days) })),
      'growing',
    ],
    ['are too few to show anything', one(6, (days) => ({ elements: 50, now: 50 + Math.round(3 * days) })), 'few'],
    ['show a cap if it was always the length', one(60, () => ({ kind: 'length', elements: 50, now: 50 })), 'capped'],
    [
      'show elements that are set anywhere',
      one(60, (_, index) => ({ elements: 1 + ((index * 37) % 60), now: 60 })),
      'replaced',
    ],
    [
      'show elements that are removed as they are added',
      one(60, (_, index) => ({ elements: 10, now: 6 + ((index * 7) % 9) })),
      'replaced',
    ],
    [
      'show a backfill',
      Array.from({ length: 60 }, (_, index) => write(index, 2 + index / 600, { elements: 20 + (index % 5), now: 25 })),
      'one-off',
    ],
    [
      'show what grows while it is young',
      one(90, (days) => ({ elements: 30, now: 30 + Math.round(20 * Math.min(1, days)) })),
      'young',
    ],
    [
      'show growth by some writes to one array, of which none is new',
      [6.8, 6.4, 5.4, 4.8, 4.7, 4, 3.8, 2.2, 1.9].map((days) =>
        write(1, days, { elements: 400 - 50 * days, now: 400 }),
      ),
      'growing',
    ],
    [
      'show nothing if some writes to one array set elements anywhere',
      [6.8, 6.4, 5.4, 4.8, 4.7, 4, 3.8, 2.2, 1.9].map((days, index) =>
        write(1, days, { elements: 1 + ((index * 37) % 60), now: 60 }),
      ),
      'replaced',
    ],
  ])('%s', (_, writes, shape) => {
    expect(drawnGrowth(writes, WEEK).shape).toBe(shape);
  });

  it('give the rate of the median array, not that of the busiest, which are drawn more often', () => {
    // 90 arrays get one element a day, ten get 30: of 20 times fewer entries drawn, most are of the ten.
    const random = new RandomDistributions(3);
    const arrays = [...random.list(90, () => 1), ...random.list(10, () => 30)];
    const writes = arrays.flatMap((perDay, index) =>
      random
        .list(random.poisson(perDay * 7 * 0.2), () => 7 * random.next())
        .map((days) => {
          const gained = Math.round(perDay * days);
          return write(index, days, { elements: 300 - gained, now: 300 });
        }),
    );
    const { rates, appendedPerDay } = drawnGrowth(writes, { ...WEEK, share: 0.2 });
    expect(rates?.typical.perDay.estimate).toBeGreaterThan(0.75);
    expect(rates?.typical.perDay.estimate).toBeLessThan(1.4);
    expect((appendedPerDay ?? NaN) / (90 + 300)).toBeCloseTo(1, 0);
  });

  it.each<[string, DrawnWrite['kind'], number]>([
    ['pushed five at a time', 'set', 5],
    ['saved whole with four more each time', 'length', 4],
    ['set one by one', 'set', 1],
  ])('give the rate of elements that are %s', (_, kind, several) => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const random = new RandomDistributions(seed);
      const perDay = 3;
      const writes = random
        .list(600, (__, index) => index)
        .flatMap((index) => {
          const times = random
            .list(random.poisson((perDay / several) * 7), () => 7 * random.next())
            .sort((a, b) => a - b);
          return times.flatMap((days, later) => {
            const now = 150 + (index % 100);
            const elements = now - several * later;
            const from = kind === 'set' ? elements - several : 0;
            return random.chance(0.05) ? [write(index, days, { kind, from, elements, now })] : [];
          });
        });
      const { shape, rates, active } = drawnGrowth(writes, { ...WEEK, share: 0.05 });
      expect(shape).toBe('growing');
      expect(Math.abs(Math.log((rates?.typical.perDay.estimate ?? NaN) / perDay))).toBeLessThan(Math.log(1.3));
      expect(Math.abs(Math.log((active?.arrays ?? NaN) / 600))).toBeLessThan(Math.log(1.6));
    }
  });

  it('show nothing of arrays that were saved shorter, and have not gained since', () => {
    const saves = Array.from({ length: 60 }, (_, index) =>
      write(1, 6.8 - index * 0.11, { kind: 'length', elements: 20 + Math.round(index * 1.24), now: 95 }),
    );
    const writes = [write(1, 6.9, { kind: 'length', elements: 100, now: 95 }), ...saves];
    expect(drawnGrowth(writes, { ...WEEK, share: 0.5 }).shape).toBe('growing');
  });

  it.each([2, 20, 100])('give the same rates if one write of a thousand adds %i elements', (several) => {
    for (let seed = 1; seed <= 4; seed += 1) {
      const random = new RandomDistributions(seed);
      const writes = pushesAndSaves(random, { arrays: 400, perDay: 4, deviation: 0.8, drawn: 0.05 });
      const withImport = writes.map((drawn, index) =>
        index === 300 ? { ...drawn, from: drawn.elements - several } : drawn,
      );
      const [before, after] = [writes, withImport].map((some) => drawnGrowth(some, { ...WEEK, share: 0.05 })) as [
        OplogGrowth,
        OplogGrowth,
      ];
      expect(typical(after) / typical(before)).toBeCloseTo(1, 1);
      expect(after.rates?.largest.perDay).toEqual(before.rates?.largest.perDay);
      expect((after.active?.arrays ?? Number.NaN) / (before.active?.arrays ?? Number.NaN)).toBeCloseTo(1, 0);
    }
  });

  it('give the same rate if arrays are also saved whole as they are, and the random cursor drew fewer of them', () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const random = new RandomDistributions(seed);
      const setting = { arrays: 1_500, perDay: 8, deviation: 0.5, saves: 0.3, drawn: 0.005 };
      const growth = drawnGrowth(pushesAndSaves(random, setting), { ...WEEK, share: 0.05, byChance: true });
      expect(growth.mostAtOnce).toBe(1);
      expect(Math.abs(Math.log(typical(growth) / 8))).toBeLessThan(Math.log(1.2));
    }
  });

  it('are not taken for saves of several, if saves add nothing, but by chance', () => {
    let several = 0;
    for (let seed = 1; seed <= 100; seed += 1) {
      const random = new RandomDistributions(seed);
      const writes = pushesAndSaves(random, { arrays: 400, perDay: 2, saves: 0.05, drawn: 0.3 });
      if ((drawnGrowth(writes, { ...WEEK, share: 0.3 }).mostAtOnce ?? Number.NaN) !== 1) several += 1;
    }
    expect(several).toBeLessThanOrEqual(5);
  });

  it('do not give what all arrays gain if saves add several, since only pushes say how many', () => {
    const random = new RandomDistributions(6);
    const setting = { arrays: 800, perDay: 0.05, saves: 1, perSave: 4, drawn: 0.05 };
    const growth = drawnGrowth(pushesAndSaves(random, setting), { ...WEEK, share: 0.05 });
    expect(growth.mostAtOnce).toBeGreaterThan(2);
    expect(growth.appendedPerDay).toBeNull();
  });

  it('give what all arrays gain by the arrays themselves if the random cursor drew fewer of them than of other entries', () => {
    const random = new RandomDistributions(4);
    const drawn = (perDay: number, share: number) =>
      random
        .list(200, (_, index) => index)
        .flatMap((index) =>
          random
            .list(random.poisson(perDay * 7 * share), () => 7 * random.next())
            .map((days) => write(index, days, { elements: 900 - Math.round(perDay * days), now: 900 })),
        );
    const growth = drawnGrowth(drawn(40, 0.01), { ...WEEK, share: 0.1, byChance: true });
    expect(growth.shape).toBe('growing');
    expect((growth.appendedPerDay ?? NaN) / (200 * 40)).toBeGreaterThan(0.8);
    expect((growth.appendedPerDay ?? NaN) / (200 * 40)).toBeLessThan(1.25);
    expect((growth.active?.arrays ?? NaN) / 200).toBeGreaterThan(0.75);
    expect((growth.active?.arrays ?? NaN) / 200).toBeLessThan(1.33);
    const few = drawnGrowth(drawn(4, 0.01), { ...WEEK, share: 0.1, byChance: true });
    expect(few).toMatchObject({ shape: 'growing', appendedPerDay: null });
    expect(few.active).toBeUndefined();
  });

  it('give the rate of 600 arrays that grow by bursts of 12, whatever the order of the entries', () => {
    const random = new RandomDistributions(5);
    const bursts = GROWTH_SCENARIOS.find(({ name }) => name === 'bursts') as (typeof GROWTH_SCENARIOS)[number];
    const { oplog } = virtualInput(bursts.world(random), ['oplog'], random);
    if (!oplog.present || !('drawnFrom' in oplog.value)) throw new Error('Nothing was drawn.');
    const { writes, drawnFrom } = oplog.value;
    const inTime = writes.toSorted((a, b) => a.at - b.at);
    const [rates, inOrderOfTime] = [writes, inTime].map((some) => drawnGrowth(some, drawnFrom).rates?.typical.perDay);
    expect(rates?.estimate).toBeGreaterThan(2);
    expect(rates?.estimate).toBeLessThan(4.5);
    expect(inOrderOfTime?.estimate).toBeCloseTo(rates?.estimate ?? 0, 0);
  });

  it('show after how many days documents are deleted', () => {
    const writes = one(60, (days) => ({ now: days > 3 ? null : 20 }));
    expect(documentLifetime(writes, WEEK)).toBeCloseTo(3, 0);
    expect(
      documentLifetime(
        one(60, () => ({ now: 20 })),
        WEEK,
      ),
    ).toBeNull();
    const aged = one(60, (_, index) => ({ createdAt: (7 - index) * MS_PER_DAY, now: index > 30 ? null : 20 }));
    expect(documentLifetime(aged, WEEK)).toBeCloseTo(31, 0);
  });
});

describe('the scenarios of the bench, by entries drawn of half a million', () => {
  it.each(GROWTH_SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    (_, { world, grows, hiddenFrom = [] }) => {
      const random = new RandomDistributions(11);
      const { arrays } = measureGrowth(virtualInput(world(random), ['oplog'], random));
      expect(arrays[0]?.growth?.source ?? null).toBe(grows && !hiddenFrom.includes('oplog') ? 'oplog' : null);
    },
  );

  it('says that it was drawn at random, and when a limit is surely reached', () => {
    const scenario = GROWTH_SCENARIOS.find(({ grows, hiddenFrom = [] }) => grows && !hiddenFrom.includes('oplog'));
    const random = new RandomDistributions(11);
    const input = virtualInput((scenario as (typeof GROWTH_SCENARIOS)[number]).world(random), ['oplog'], random);
    const drawnAs = (byChance?: true) => {
      if (!input.oplog.present || !('drawnFrom' in input.oplog.value)) throw new Error('Nothing was drawn.');
      const { drawnFrom, writes } = input.oplog.value;
      const oplog = present({ drawnFrom: { ...drawnFrom, ...(byChance && { byChance }) }, writes });
      return measureGrowth({ ...input, oplog }).arrays[0];
    };
    const byChance = drawnAs(true);
    expect(byChance?.growth).toMatchObject({ source: 'oplog', byChance: true });
    for (const { expectedDays, surelyDays } of byChance?.forecasts ?? [])
      expect(surelyDays).toBeGreaterThanOrEqual(expectedDays);
    expect(drawnAs()?.growth).not.toHaveProperty('byChance');
    expect(drawnAs()?.forecasts[0]).not.toHaveProperty('surelyDays');
  });
});

it.each<[string, unknown]>([
  ['tags', { $cond: [{ $isArray: ['$tags'] }, { $size: '$tags' }, null] }],
  [
    'threads[].posts',
    {
      $cond: [
        { $isArray: ['$threads'] },
        {
          $map: {
            input: '$threads',
            as: 'e0',
            in: { $cond: [{ $isArray: ['$$e0.posts'] }, { $size: '$$e0.posts' }, null] },
          },
        },
        null,
      ],
    },
  ],
  ['refs.$id', null],
])('the length at %s is asked for with an expression', (path, expression) => {
  expect(lengthExpression(path)).toEqual(expression);
});
