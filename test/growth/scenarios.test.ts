/** Some of the virtual collections of `npm run bench:growth`, with seeds of their own. */
import { describe, expect, it } from 'vitest';
import type { GrowthSource } from '../../src/growth/growth.js';
import { measureGrowth } from '../../src/growth/measure-growth.js';
import { GROWTH_SCENARIOS, type GrowthScenario } from '../support/growth/growth-scenarios.js';
import { dailyVerdicts, virtualInput } from '../support/growth/virtual-evidence.js';
import { typicalRate } from '../support/growth/virtual-world.js';
import { RandomDistributions } from '../support/random-distributions.js';

const SEED = 404;
const scenario = (name: string) => GROWTH_SCENARIOS.find((one) => one.name === name) as GrowthScenario;
const NAMES = [
  'steady appends',
  'nightly batches',
  'four fifths idle',
  'queues',
  'a late cap',
  'buckets of 200',
  'two backfills',
];

describe.each<GrowthSource>(['oplog', 'age', 'history'])('by %s', (source) => {
  it.each(NAMES)('%s', (name) => {
    const { world, grows, hiddenFrom = [] } = scenario(name);
    const drawn = world(new RandomDistributions(SEED));
    const growth = measureGrowth(virtualInput(drawn, [source])).arrays[0]?.growth ?? null;
    expect(growth !== null).toBe(grows && !hiddenFrom.includes(source));
    if (growth === null) return;
    expect(growth.sources).toEqual([source]);
    expect(Math.abs(Math.log(growth.rates.typical.perDay.estimate / typicalRate(drawn)))).toBeLessThan(Math.log(1.5));
  });
});

it.each([
  ['twelve busy documents', true],
  ['queues', false],
])('daily runs agree: %s', (name, grows) => {
  const world = scenario(name).world(new RandomDistributions(SEED));
  const told = dailyVerdicts(world, ({ arrays }) => arrays[0]?.growth !== null, ['oplog']);
  expect(new Set(told.slice(5))).toEqual(new Set([grows]));
});
