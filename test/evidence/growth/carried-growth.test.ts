/** What files of evidence carry of growth comes to what a history file comes to, in virtual collections of known growth. */
import { describe, expect, it } from 'vitest';
import { carriedGrowth, grownSince } from '../../../src/evidence/growth/carried-growth.js';
import type { EarlierCollection } from '../../../src/evidence/growth/collection-runs.js';
import type { CarriedGrowth, GrowthEvidence } from '../../../src/evidence/growth/growth.js';
import { measureGrowth } from '../../../src/evidence/growth/measure-growth.js';
import { MS_PER_DAY } from '../../../src/time-units.js';
import { RandomDistributions } from '../../support/random-distributions.js';
import { GROWTH_SCENARIOS, type GrowthScenario } from '../../support/growth/growth-scenarios.js';
import { NOW, PATH, virtualInput } from '../../support/growth/virtual-evidence.js';

const SEED = 16;
const COLLECTION = { namespace: 'shop.virtual', uuid: 'c0ffee' };
/** Of each family the first, and what only looks like growth. */
const GROWING = new Set(['steady appends', 'rates lognormal, 1', 'one document of a thousand']);
const scenarios = [
  ...GROWTH_SCENARIOS.filter(({ name }) => GROWING.has(name)),
  ...GROWTH_SCENARIOS.filter(({ grows }) => !grows).slice(0, 6),
];

/** By five files, four days apart from first to last; and by a history file of the same runs. */
function grownBy({ world }: GrowthScenario): { readonly files: GrowthEvidence; readonly history: GrowthEvidence } {
  const random = new RandomDistributions(SEED);
  const virtual = world(random);
  const carried = [-4, -3, -2, -1, 0].map((days): EarlierCollection & { growth: GrowthEvidence } => {
    const input = virtualInput(virtual, [], random, days);
    const growth = measureGrowth(input);
    const collection = carriedGrowth(COLLECTION, input, growth) as CarriedGrowth;
    return { at: NOW + days * MS_PER_DAY, collection, growth: { ...growth, carried: collection } };
  });
  const last = carried.at(-1) as (typeof carried)[number];
  const { profile } = virtualInput(virtual, [], random);
  return {
    files: grownSince(last.growth, NOW, profile, carried.slice(0, -1)),
    history: measureGrowth(virtualInput(virtual, ['history'], random)),
  };
}

const ofPath = ({ arrays }: GrowthEvidence) => arrays.find(({ path }) => path === PATH);

describe('growth over five files', () => {
  it.each(scenarios)('$name', (scenario) => {
    const { files, history } = grownBy(scenario);
    expect(files.sources.history).toMatchObject({ present: true, value: { days: 4, from: 'earlier evidence files' } });
    const [byFiles, byHistory] = [ofPath(files), ofPath(history)];
    expect(byFiles?.history?.shape).toBe(byHistory?.history?.shape);
    expect(byFiles?.growth?.confidence).toBe(byHistory?.growth?.confidence);
    expect(byFiles?.growth !== null).toBe(scenario.grows);
    const [rate, expected] = [byFiles, byHistory].map((one) => one?.growth?.rates.typical.perDay.estimate ?? 1);
    expect(Math.abs((rate as number) / (expected as number) - 1)).toBeLessThan(0.5);
  });

  it('is unknown by one file alone', () => {
    const [scenario] = scenarios;
    const input = virtualInput((scenario as GrowthScenario).world(new RandomDistributions(SEED)), [], null as never);
    const growth = measureGrowth(input);
    const alone = { ...growth, carried: carriedGrowth(COLLECTION, input, growth) as CarriedGrowth };
    expect(grownSince(alone, NOW, input.profile, [])).toBe(alone);
    expect(ofPath(alone)?.growth).toBeNull();
  });

  it('is not known of what a file does not carry', () => {
    const input = virtualInput(
      (scenarios[0] as GrowthScenario).world(new RandomDistributions(SEED)),
      [],
      null as never,
    );
    expect(carriedGrowth({ namespace: 'shop.virtual' }, input, measureGrowth(input))).toBeNull();
  });

  it('keeps the longer history of a history file', () => {
    const [scenario] = scenarios;
    const { files, history } = grownBy(scenario as GrowthScenario);
    const carried = files.carried as CarriedGrowth;
    const { profile } = virtualInput(
      (scenario as GrowthScenario).world(new RandomDistributions(SEED)),
      [],
      null as never,
    );
    const earlier = [{ at: NOW - MS_PER_DAY, collection: carried }];
    const longer = { ...history, carried };
    expect(grownSince(longer, NOW, profile, earlier)).toBe(longer);
  });

  it('holds no hash that another collection shares', () => {
    const input = virtualInput(
      (scenarios[0] as GrowthScenario).world(new RandomDistributions(SEED)),
      [],
      null as never,
    );
    const growth = measureGrowth(input);
    const hashes = ['c0ffee', 'facade'].map(
      (uuid) => carriedGrowth({ ...COLLECTION, uuid }, input, growth)?.sketch?.hashes,
    );
    expect(hashes[0]).toMatch(/^[\w+/=]{200,}$/);
    expect(hashes[0]).not.toBe(hashes[1]);
    expect(JSON.stringify(carriedGrowth(COLLECTION, input, growth))).not.toContain('c0ffee');
  });
});
