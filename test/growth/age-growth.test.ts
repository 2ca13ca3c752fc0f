import { describe, expect, it } from 'vitest';
import { ageGrowth, type AgedValue } from '../../src/growth/age-growth.js';
import type { AgeGrowth } from '../../src/growth/growth.js';
import { RandomDistributions } from '../support/random-distributions.js';

/** Documents of all ages up to 90 days. */
function documents(
  count: number,
  lengthAt: (age: number, random: RandomDistributions, index: number) => number,
): AgedValue[] {
  const random = new RandomDistributions(7);
  return Array.from({ length: count }, (_, index) => {
    const age = 90 * random.next();
    return { age, value: Math.round(lengthAt(age, random, index)) };
  });
}

const byAge = (count: number, lengthAt: Parameters<typeof documents>[1]) =>
  ageGrowth(documents(count, lengthAt), 'elements');

describe('ages show growth', () => {
  it.each<[string, number, number, Parameters<typeof documents>[1]]>([
    ['steadily', 600, 2, (age, random) => random.poisson(2 * age)],
    ['slowly', 600, 0.3, (age, random) => random.poisson(0.3 * age)],
    ['in few documents', 60, 3, (age, random) => random.poisson(3 * age)],
    ['at unequal rates', 600, 3, (age, random) => random.poisson(age * random.lognormal(3, 0.5))],
  ])('%s', (_, count, rate, lengthAt) => {
    const growth = byAge(count, lengthAt);
    expect(growth?.verdict).toBe('growing');
    const { low = NaN, estimate = NaN, high = NaN } = growth?.rates?.typical.perDay ?? {};
    expect(Math.abs(Math.log(estimate / rate))).toBeLessThan(Math.log(1.3));
    expect(low).toBeLessThanOrEqual(rate);
    expect(high).toBeGreaterThanOrEqual(rate);
  });

  it('not of a fifth, beside idle ones, which hide them', () => {
    const growth = byAge(1_000, (age, random, index) => (index % 5 === 0 ? random.poisson(3 * age) : random.below(6)));
    expect(growth).toMatchObject({ because: 'level', rates: null });
  });

  it('of documents in bytes', () => {
    const sizes = documents(600, (age, random) => 200 + 40 * random.poisson(2 * age));
    expect(ageGrowth(sizes, 'bytes')?.rates?.typical.perDay.estimate).toBeCloseTo(80, -1);
  });
});

describe('ages show none where', () => {
  it.each<[string, AgeGrowth['because'], AgeGrowth['verdict'], Parameters<typeof documents>[1]]>([
    ['lengths differ by chance', 'level', 'not growing', (_, random) => random.poisson(20)],
    ['only young ones grow', 'plateau', 'not growing', (age, random) => random.poisson(2 * Math.min(age, 20))],
    ['old ones have reached a cap', 'plateau', 'not growing', (age, random) => Math.min(100, random.poisson(2 * age))],
    ['older ones are of another kind', 'plateau', 'not growing', (age, random) => random.poisson(age > 40 ? 60 : 6)],
    [
      'there were three versions',
      'step',
      'not growing',
      (age, random) => random.poisson(5 + 30 * Math.floor(age / 31)),
    ],
    [
      'older ones may have begun longer',
      'born-longer',
      'unknown',
      (age, random) => 30 + 0.5 * age + random.normal(0, 4),
    ],
  ])('%s', (_, because, verdict, lengthAt) => {
    expect(byAge(600, lengthAt)).toMatchObject({ because, verdict, rates: null });
  });

  it('there are few documents, or all were created at once', () => {
    expect(byAge(39, (age) => 2 * age)).toBeNull();
    expect(
      ageGrowth(
        documents(100, (age) => age).map((one) => ({ ...one, age: 5 + one.age / 90 / 30 })),
        'elements',
      ),
    ).toBeNull();
  });
});
