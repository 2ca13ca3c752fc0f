/** What a history keeps of arrays that were emptied, and for how long that holds back growth that is new. */
import { describe, expect, it } from 'vitest';
import type { HistoryRecord, RecordedCollection } from '../../../src/evidence/growth/history/history-record.js';
import { measureGrowth } from '../../../src/evidence/growth/measure-growth.js';
import { recordedCollection } from '../../../src/evidence/growth/recorded-collection.js';
import { MS_PER_DAY } from '../../../src/time-units.js';
import { GROWTH_SCENARIOS } from '../../support/growth/growth-scenarios.js';
import { NOW, PATH, virtualInput } from '../../support/growth/virtual-evidence.js';
import { RandomDistributions } from '../../support/random-distributions.js';

type RecordedArray = RecordedCollection['arrays'][number];

const world = GROWTH_SCENARIOS.find(({ name }) => name === 'steady appends')?.world(new RandomDistributions(3));
if (world === undefined) throw new TypeError('there is no such scenario.');
const input = virtualInput(world, ['age', 'oplog'], new RandomDistributions(3));
const told: Pick<RecordedArray, 'forecasts'> = { forecasts: [{ unit: 'elements', limit: 1_000, days: 450 }] };
const emptied: Pick<RecordedArray, 'emptied'> = { emptied: true };

const recorded = recordedCollection({ namespace: 'shop.virtual', uuid: 'c0ffee' }, input, measureGrowth(input));

function run(daysAgo: number, of: Partial<RecordedArray>, path = PATH): HistoryRecord {
  const { sketch: _, arrays: [array] = [], ...collection } = recorded as RecordedCollection;
  const { lengths } = array as RecordedArray;
  const others = path === PATH ? [] : [{ path: PATH, lengths }];
  return {
    schemaVersion: 1,
    at: new Date(NOW - daysAgo * MS_PER_DAY).toISOString(),
    salt: 'salt',
    collections: [{ ...collection, arrays: [...others, { path, lengths, ...of }] }],
  };
}

function withoutArrays(daysAgo: number): HistoryRecord {
  const record = run(daysAgo, {});
  return { ...record, collections: record.collections.map((collection) => ({ ...collection, arrays: [] })) };
}

const toldBy = (records: readonly HistoryRecord[]) =>
  measureGrowth({ ...input, records }).arrays.find(({ path }) => path === PATH)?.growth?.source ?? null;

describe('growth by the oplog is told', () => {
  it.each<[string, HistoryRecord[]]>([
    ['by the first run', []],
    ['if no run saw arrays being emptied', [run(2, {}), run(1, {})]],
    ['if it is nine days ago that a run saw that', [run(9, emptied), run(1, {})]],
    ['if a run by a clock that is ahead saw that', [run(1, {}), run(-3, emptied)]],
    ['if arrays at another path are emptied', [run(1, emptied, 'other')]],
    ['if it was told then, and a run since saw no such array', [run(2, { ...emptied, ...told }), withoutArrays(1)]],
    ['if it was told then and in each run since', [run(3, { ...emptied, ...told }), run(2, told), run(1, told)]],
  ])('%s', (_, records) => expect(toldBy(records)).toBe('oplog'));
});

describe('growth by the oplog is not told', () => {
  it.each<[string, HistoryRecord[]]>([
    ['if the run before saw arrays being emptied', [run(1, emptied)]],
    ['if a run a week ago saw that, and those since did not', [run(7, emptied), run(3, {}), run(1, {})]],
    ['if a file since then told it, by itself', [run(3, emptied), run(2, {}), run(1, told)]],
    ['if it was told then, and not by each run since', [run(3, { ...emptied, ...told }), run(2, {}), run(1, told)]],
  ])('%s', (_, records) => expect(toldBy(records)).toBeNull());
});

it('a run keeps that it saw arrays being emptied, and no other does', () => {
  const queue = GROWTH_SCENARIOS.find(({ name }) => name.includes('emptied at random'));
  const seen = [queue, GROWTH_SCENARIOS[0]].map((scenario) => {
    const ofScenario = virtualInput(
      scenario?.world(new RandomDistributions(4)) ?? world,
      ['oplog'],
      new RandomDistributions(4),
    );
    const growth = measureGrowth(ofScenario);
    const kept = recordedCollection({ namespace: 'shop.virtual', uuid: 'c0ffee' }, ofScenario, growth);
    expect(kept?.arrays).toHaveLength(1);
    return kept?.arrays[0]?.emptied;
  });
  expect(seen).toEqual([true, undefined]);
});
