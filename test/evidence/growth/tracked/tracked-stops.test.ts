import { describe, expect, it } from 'vitest';
import { doDocumentsStop } from '../../../../src/evidence/growth/tracked/tracked-stops.js';
import type { TrackedValues } from '../../../../src/evidence/growth/tracked/tracked-documents.js';
import { RandomDistributions } from '../../../support/random-distributions.js';

/** Of the older runs, the history keeps fewer. */
const THINNED = [20, 14, 10, 8, 6, 5, 4, 3, 2, 1, 0];
const SHORT = [12, 9, 7, 5, 4, 3, 2, 1, 0];
const COUNT = 120;

interface Kind {
  /** Elements a day. */
  readonly perDay: number;
  /** Elements that come together. */
  readonly burst: number;
  /** Day after which a document gains no more, from the first run on. */
  readonly until?: (random: RandomDistributions) => number;
}

function grown(
  { perDay, burst, until = () => Infinity }: Kind,
  daysAgo: readonly number[],
  seed: number,
): TrackedValues {
  const random = new RandomDistributions(seed);
  const days = daysAgo[0] as number;
  const documents = Array.from({ length: COUNT }, () => {
    const [times, last] = [[] as number[], Math.min(days, until(random))];
    const wait = () => (random.exponential() * burst) / perDay;
    for (let at = wait(); at < last; at += wait()) times.push(at);
    const lengths = daysAgo.map((ago) => 10 + burst * times.filter((at) => at < days - ago).length);
    return { values: Float64Array.from(lengths), isEven: true };
  });
  return { daysAgo, documents };
}

function stoppingOfForty(kind: Kind, daysAgo: readonly number[], verdict: 'growing' | 'nothing' | 'filling'): number {
  return Array.from({ length: 40 }, (_, seed) => grown(kind, daysAgo, seed)).filter((values) =>
    doDocumentsStop(values, verdict),
  ).length;
}

describe('of lasting growth, as many documents begin as stop, though older runs are further apart', () => {
  it.each<[string, Kind, readonly number[]]>([
    ['in large bursts', { perDay: 3, burst: 30 }, THINNED],
    ['in large bursts, by few runs', { perDay: 3, burst: 30 }, SHORT],
    ['in bursts', { perDay: 3, burst: 12 }, THINNED],
    ['of few elements', { perDay: 0.3, burst: 1 }, SHORT],
  ])('%s', (_, kind, daysAgo) => {
    expect(stoppingOfForty(kind, daysAgo, 'growing')).toBe(0);
    expect(stoppingOfForty(kind, daysAgo, 'nothing')).toBeLessThanOrEqual(4);
  });
});

describe('documents that stop one after the other, while others go on, are seen', () => {
  const filling: Kind = {
    perDay: 3,
    burst: 1,
    until: (random) => (random.chance(0.5) ? 12 * random.next() : Infinity),
  };
  it.each([
    ['over three weeks', THINNED],
    ['over twelve days', SHORT],
  ])('%s', (_, daysAgo) => {
    expect(stoppingOfForty(filling, daysAgo, 'growing')).toBe(40);
    expect(stoppingOfForty(filling, daysAgo, 'filling')).toBe(40);
  });
});
