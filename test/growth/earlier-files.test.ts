/** What files of evidence carry of growth comes to what a history file comes to, in virtual collections of known growth. */
import { describe, expect, it } from 'vitest';
import { type GrowthEvidence, growthSchema, type KeptGrowth } from '../../src/growth/growth.js';
import { grownSince, type KeptRun, keptGrowth, measureGrowth } from '../../src/growth/measure-growth.js';
import { MS_PER_DAY } from '../../src/time-units.js';
import { GROWTH_SCENARIOS, type GrowthScenario } from '../support/growth/growth-scenarios.js';
import { NOW, virtualInput } from '../support/growth/virtual-evidence.js';
import { RandomDistributions } from '../support/random-distributions.js';

const SEED = 16;
const SALT = 'of the files';
const NAMES = new Set(['steady appends', 'queues', 'two backfills', 'recordings of five days']);

/** By five files, four days apart from first to last; and by a history file of the same runs. */
function grownBy({ world }: GrowthScenario): { readonly files: GrowthEvidence; readonly history: GrowthEvidence } {
  const virtual = world(new RandomDistributions(SEED));
  const carried = [-4, -3, -2, -1, 0].map((days): KeptRun & { growth: GrowthEvidence } => {
    const input = virtualInput(virtual, [], days);
    const growth = measureGrowth(input);
    const kept = keptGrowth(input, growth, SALT) as KeptGrowth;
    return { at: NOW + days * MS_PER_DAY, kept, growth: { ...growth, carried: kept } };
  });
  const { growth } = carried.at(-1) as (typeof carried)[number];
  const { profile } = virtualInput(virtual, []);
  return {
    files: grownSince(growth, NOW, profile, carried.slice(0, -1)),
    history: measureGrowth(virtualInput(virtual, ['history'])),
  };
}

describe('growth over five files', () => {
  const scenarios = GROWTH_SCENARIOS.filter(({ name }) => NAMES.has(name));

  it.each(scenarios)('$name', (scenario) => {
    const { files, history } = grownBy(scenario);
    expect(files.sources.history).toMatchObject({ present: true, value: { days: 4, from: 'earlier evidence files' } });
    expect(history.arrays[0]?.growth !== null).toBe(scenario.grows);
    expect(files.arrays[0]?.growth !== null).toBe(scenario.grows);
  });

  const [steady] = scenarios as [GrowthScenario];

  it('is unknown by one file alone', () => {
    const { files } = grownBy(steady);
    const input = virtualInput(steady.world(new RandomDistributions(SEED)), []);
    expect(measureGrowth(input).arrays[0]?.growth).toBeNull();
    expect(grownSince(files, NOW, input.profile, [])).toBe(files);
  });

  it('keeps the longer history of a history file', () => {
    const { files, history } = grownBy(steady);
    const { profile } = virtualInput(steady.world(new RandomDistributions(SEED)), []);
    const kept = files.carried as KeptGrowth;
    const longer = { ...history, carried: kept };
    expect(grownSince(longer, NOW, profile, [{ at: NOW - MS_PER_DAY, kept }])).toBe(longer);
  });

  it('holds no hash that another salt shares', () => {
    const input = virtualInput(steady.world(new RandomDistributions(SEED)), []);
    const growth = measureGrowth(input);
    const hashes = ['one', 'other'].map((salt) => keptGrowth(input, growth, salt)?.sketch?.hashes);
    expect(hashes[0]).toMatch(/^[\w+/=]{200,}$/);
    expect(hashes[0]).not.toBe(hashes[1]);
  });

  it('keeps forecasts that have an end, and the next run stays with them', () => {
    const input = virtualInput(steady.world(new RandomDistributions(SEED)), ['history']);
    const { forecasts = [] } = keptGrowth(input, measureGrowth(input), SALT) ?? {};
    expect(forecasts.map(({ path, limit }) => `${path} ${limit}`)).toContain('log 200');
    expect(forecasts.filter(({ days }) => !Number.isFinite(days))).toEqual([]);
    const daysAfter = (last: KeptGrowth['forecasts'] = []) => {
      const earlier = input.earlier.map(({ at, kept }) => ({ at, kept: { ...kept, forecasts: last } }));
      return measureGrowth({ ...input, earlier }).arrays[0]?.forecasts[0]?.expectedDays ?? 0;
    };
    const days = daysAfter();
    expect(days).toBeGreaterThan(0);
    expect(daysAfter([{ path: 'log', limit: 200, days: days + 2 }])).toBeCloseTo(days + 1);
  });

  it('is read from files with fields that mongolint no longer has', () => {
    const { files } = grownBy(steady);
    const [array] = files.arrays;
    const [forecast] = array?.forecasts ?? [];
    const { sketch } = files.carried as Required<KeptGrowth>;
    const earlier = {
      ...files,
      arrays: [
        {
          ...array,
          growth: { ...array?.growth, disagreeing: [], byChance: true },
          forecasts: [{ ...forecast, surelyDays: 9 }],
        },
      ],
      carried: {
        documents: 1_000,
        sketch: { ...sketch, evenly: 160 },
        told: [{ path: 'log', limit: 200, days: 1, surely: 2 }],
      },
    };
    expect(growthSchema.parse(JSON.parse(JSON.stringify(earlier)))).toEqual({
      ...files,
      arrays: [{ ...array, forecasts: [forecast] }],
      carried: { documents: 1_000, sketch },
    });
  });
});
