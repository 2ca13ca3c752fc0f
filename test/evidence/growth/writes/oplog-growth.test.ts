import { describe, expect, it } from 'vitest';
import { ArrayActivity } from '../../../../src/evidence/growth/oplog/array-activity.js';
import type { ArrayChange } from '../../../../src/evidence/growth/oplog/oplog-diff.js';
import type { OplogWindow } from '../../../../src/evidence/growth/oplog/array-activity.js';
import { oplogGrowth, type OplogGrowth } from '../../../../src/evidence/growth/writes/oplog-growth.js';
import { MS_PER_DAY } from '../../../../src/time-units.js';
import { RandomDistributions } from '../../../support/random-distributions.js';

const HOUR = MS_PER_DAY / 24;
const DAY: OplogWindow = { from: 0, to: MS_PER_DAY, covered: MS_PER_DAY, unreadShare: 0 };

type Change = readonly [
  at: number,
  change: Pick<ArrayChange, 'kind' | 'from' | 'elements'>,
  stretch?: number | undefined,
];

const push = (at: number, index: number, stretch?: number): Change => [
  at,
  { kind: 'set', from: index, elements: index + 1 },
  stretch,
];
const write = (at: number, elements: number): Change => [at, { kind: 'length', from: 0, elements }];

function activity(document: number, changes: readonly Change[], createdAt: number | null = null): ArrayActivity {
  const [[at, first, stretch = 0], ...others] = changes as [Change, ...Change[]];
  const whole = (change: Change[1]): ArrayChange => ({ ...change, path: 'reviews', place: 'reviews' });
  const result = new ArrayActivity('reviews', String(document), createdAt, whole(first), at, stretch);
  for (const [time, change, later = 0] of others) result.change(whole(change), time, later);
  return result;
}

/** One append every so many hours, from one hour to another. */
function pushes(length: number, from: number, to: number, every = 1): Change[] {
  return Array.from({ length: Math.ceil((to - from) / every) }, (_, index) =>
    push((from + index * every) * HOUR, length + index),
  );
}

const many = (count: number, changes: (index: number) => readonly Change[], createdAt: number | null = null) =>
  Array.from({ length: count }, (_, index) => activity(index, changes(index), createdAt));

describe('growth is found', () => {
  it.each<[string, ArrayActivity[], number]>([
    ['where elements are appended all day', many(10, () => pushes(40, 0.5, 24)), 24],
    ['where a job appends at night', many(10, () => [...pushes(40, 1, 3, 0.25), ...pushes(48, 23, 24, 0.25)]), 12],
    [
      'where the last element is set anew many times before the next is appended',
      many(10, () =>
        pushes(40, 0.5, 24).flatMap(([at, change]) =>
          Array.from({ length: 12 }, (_, step): Change => [at + (step * HOUR) / 12, change]),
        ),
      ),
      24,
    ],
    ['in one document', many(1, () => pushes(40, 0.5, 24)), 24],
    ['in new documents, from when they were created', many(10, () => pushes(0, 12.5, 24), 12 * HOUR), 24],
    [
      'where lists are written whole, each time longer',
      many(10, () => [2, 6, 10, 14, 18, 22].map((hour, index) => write(hour * HOUR, 5 + 4 * index))),
      21.8,
    ],
    [
      'where some elements are removed too',
      many(10, () => [...pushes(40, 0.5, 20), write(20 * HOUR, 55), ...pushes(55, 20.5, 24)]),
      19,
    ],
  ])('%s', (_, activities, perDay) => {
    const growth = oplogGrowth(activities, DAY);
    expect(growth).toMatchObject({ shape: 'growing', windowDays: 1, documents: activities.length });
    expect(growth.rates?.typical.perDay.estimate).toBeCloseTo(perDay, 0);
  });

  it('where parts of the oplog were not read, between the changes that were seen', () => {
    const stretches = [0, 12, 23].map((hour, stretch) =>
      Array.from({ length: 6 }, (_, index) => push((hour + index / 6) * HOUR, 6 * hour + index, stretch)),
    );
    const growth = oplogGrowth(
      many(5, () => stretches.flat()),
      { ...DAY, covered: 3 * HOUR },
    );
    expect(growth.shape).toBe('growing');
    expect(growth.rates?.typical.perDay.estimate).toBeCloseTo(144, 0);
    expect(growth.appendedPerDay).toBeCloseTo(5 * 144, -1);
    expect(growth.highestIndex).toBe(6 * 23 + 5);
  });

  it('tells when the documents that grow were created', () => {
    const activities = [1, 2, 3].map((index) => activity(index, pushes(0, 1, 24), -index * MS_PER_DAY));
    expect(oplogGrowth(activities, DAY).created).toEqual({ first: -3 * MS_PER_DAY, last: -MS_PER_DAY });
  });
});

describe('no growth is found where', () => {
  it.each<[string, ArrayActivity[], OplogGrowth['shape']]>([
    ['a backfill appended once to every document', many(500, (index) => [push(12 * HOUR + index, 5)]), 'few'],
    [
      'a backfill went from document to document',
      many(50, (index) => pushes(5 * index, index / 4, index / 4 + 0.2, 0.01)),
      'one-off',
    ],
    [
      'backfills appended to every document again and again, hours ago',
      many(50, () => pushes(5, 2, 4, 0.5)),
      'one-off',
    ],
    [
      'lists are cut at a cap',
      many(20, () => Array.from({ length: 20 }, (_, hour) => write(hour * HOUR, 50))),
      'capped',
    ],
    [
      'some lists have not reached the cap yet',
      [
        ...many(10, () => Array.from({ length: 20 }, (_, hour) => write(hour * HOUR, 50))),
        ...many(10, () => pushes(20, 0.5, 24)),
      ],
      'capped',
    ],
    [
      'buckets fill and roll over',
      many(40, (index) => pushes(0, (index % 10) * 2.4, (index % 10) * 2.4 + 2.3, 0.1)),
      'rolls-over',
    ],
    [
      'buckets roll over by time, with a count that varies',
      many(24, (hour) => pushes(0, hour, hour + 0.95, 1 / (55 + (hour % 5) * 2))),
      'rolls-over',
    ],
    [
      'elements are replaced',
      many(10, (index) =>
        Array.from({ length: 40 }, (_, step) => push((step * HOUR) / 2, (step * 37 + index * 11) % 60)),
      ),
      'replaced',
    ],
    [
      'elements are replaced, of which the oplog was read in parts',
      many(10, () =>
        Array.from({ length: 40 }, (_, step) => push((step * HOUR) / 2, (step * 7) % 30, Math.floor(step / 2))),
      ),
      'replaced',
    ],
    [
      'as many elements are removed as added',
      many(10, () =>
        Array.from({ length: 24 }, (_, hour) => (hour % 2 === 0 ? push(hour * HOUR, 5) : write(hour * HOUR, 5))),
      ),
      'replaced',
    ],
  ])('%s', (_, activities, shape) => {
    expect(oplogGrowth(activities, DAY)).toMatchObject({ shape, rates: null });
  });
});

it('in 500 trials, arrays whose elements are set at random, or in turn, are found to grow in at most 5', () => {
  const simulation = new RandomDistributions(2_026);
  const found = Array.from({ length: 500 }, () => {
    const [size, step, sets] = [8 + simulation.below(120), simulation.below(40), 10 + simulation.below(110)];
    const [cycle, read] = [3 + simulation.below(10), 1 + simulation.below(8)];
    const isRead = (set: number) => set % cycle < read || set > sets - 8;
    const changes = Array.from({ length: sets }, (_, set) => {
      const index = step < 10 ? simulation.below(size) : (set * step) % size;
      return push((set / sets) * MS_PER_DAY, index, Math.floor(set / cycle));
    });
    const shown = changes.filter((_, set) => isRead(set));
    return oplogGrowth(
      many(8, () => shown),
      { ...DAY, covered: (shown.length / sets) * MS_PER_DAY },
    );
  });
  expect(found.filter(({ shape }) => shape === 'growing').length).toBeLessThanOrEqual(5);
});

describe('of an oplog that is read in parts', () => {
  /** An append to a document's array. */
  interface Append {
    readonly at: number;
    readonly document: number;
    readonly index: number;
  }

  /** Judges what shows where so large a share of the entries is read: a quarter of it at the end, the rest in twelve stretches before. */
  function judged(appends: readonly Append[], share: number): OplogGrowth {
    const entries = appends.toSorted((one, other) => one.at - other.at);
    const tail = Math.floor(entries.length * (1 - share / 4));
    const arrays = new Map<number, Change[]>();
    let covered = 0;
    const read = (from: number, to: number, stretch: number) => {
      const shown = entries.slice(from, to);
      for (const { at, document, index } of shown) {
        const changes = arrays.get(document) ?? [];
        changes.push(push(at, index, stretch));
        arrays.set(document, changes);
      }
      if (shown.length > 0) covered += (shown.at(-1) as Append).at - (shown[0] as Append).at;
    };
    const stretchLength = tail / 12;
    const shownOfStretch = (entries.length * share * 0.75) / 12;
    for (let stretch = 0; stretch < 12; stretch += 1) {
      const from = Math.floor(stretch * stretchLength);
      read(from, Math.floor(from + shownOfStretch), stretch);
    }
    read(tail, entries.length, 12);
    const createdAt = (changes: readonly Change[]) => (changes[0]?.[1].from === 0 ? changes[0][0] : null);
    const activities = [...arrays].map(([document, changes]) => activity(document, changes, createdAt(changes)));
    const [from, to] = [(entries[0] as Append).at, (entries.at(-1) as Append).at];
    return oplogGrowth(activities, { from, to, covered: share === 1 ? to - from : covered, unreadShare: 0 });
  }

  it('buckets are taken for growing in at most 5 of 500 trials, of three and more generations of them', () => {
    const simulation = new RandomDistributions(7);
    const found = Array.from({ length: 500 }, () => {
      const [sensors, size, generations] = [
        1 + simulation.below(40),
        8 + simulation.below(50),
        3 + simulation.below(10),
      ];
      const isInStep = simulation.next() < 0.5;
      const share = 20 ** -simulation.next();
      const begun = simulation.below(size);
      const appends = Array.from({ length: sensors }, (_, sensor) => {
        const filled = begun + (isInStep ? 0 : simulation.below(size));
        return Array.from({ length: size * generations }, (__, round): Append => {
          const count = filled + round;
          return {
            at: round * 1_000 + simulation.next() * 900,
            document: sensor * 1_000_000 + Math.floor(count / size),
            index: count % size,
          };
        });
      });
      return judged(appends.flat(), share).shape;
    });
    expect(found.filter((shape) => shape === 'growing').length).toBeLessThanOrEqual(5);
  });

  it('arrays that grow are found to in at least 190 of 200 trials', () => {
    const simulation = new RandomDistributions(8);
    const found = Array.from({ length: 200 }, () => {
      const documents = 1 + simulation.below(150);
      const isSkewed = simulation.next() < 0.5;
      const lengths = Array.from({ length: documents }, () => simulation.below(50));
      const share = 10 ** -simulation.next();
      const appends = Array.from({ length: 4_000 }, (_, append): Append => {
        const document = isSkewed
          ? Math.floor(Math.exp(simulation.next() * Math.log(documents + 1))) - 1
          : simulation.below(documents);
        const index = lengths[document] as number;
        lengths[document] = index + 1;
        return { at: append * 1_000, document, index };
      });
      return judged(appends, share).shape;
    });
    expect(found.filter((shape) => shape === 'growing').length).toBeGreaterThanOrEqual(190);
  });
});

it.each<[string, ArrayActivity[], boolean]>([
  ['all day', many(30, (index) => [push(index * 0.8 * HOUR, 3)]), true],
  ['for an hour', many(30, (index) => [push((12 + index / 30) * HOUR, 3)]), false],
])('tells whether appends go on: %s', (_, activities, ongoing) => {
  expect(oplogGrowth(activities, DAY).ongoing).toBe(ongoing);
});

it.each<[string, OplogWindow]>([
  ['of one moment', { from: 12 * HOUR, to: 12 * HOUR, covered: 0, unreadShare: 0 }],
  ['that ends before it begins, as clocks differ', { from: 20 * HOUR, to: 4 * HOUR, covered: 0, unreadShare: 0 }],
])('a window %s shows nothing', (_, window) => {
  expect(
    oplogGrowth(
      many(30, () => [3, 4, 5].map((index) => push(12 * HOUR, index))),
      window,
    ),
  ).toMatchObject({ ongoing: false, rates: null });
});

it.each([
  [0, 1],
  [0.02, 0],
])(
  'where a share of %d of the entries was not read, what was not seen was not there on %d days',
  (unreadShare, coveredDays) => {
    expect(oplogGrowth([], { ...DAY, unreadShare }).coveredDays).toBe(coveredDays);
  },
);

it.each<[string, readonly Change[], true | undefined]>([
  [
    'are, if as many elements are removed as added',
    Array.from({ length: 24 }, (_, hour) => (hour % 2 === 0 ? push(hour * HOUR, 5) : write(hour * HOUR, 5))),
    true,
  ],
  [
    'are not, if elements are replaced',
    Array.from({ length: 40 }, (_, step) => push((step * HOUR) / 2, (step * 37) % 60)),
    undefined,
  ],
  ['are not, if elements are appended', pushes(40, 0.5, 24), undefined],
])('arrays that are emptied %s', (_, changes, emptied) => {
  expect(
    oplogGrowth(
      many(10, () => changes),
      DAY,
    ).emptied,
  ).toBe(emptied);
});
