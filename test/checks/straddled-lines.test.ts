/** Verdicts of ten samples of the same documents, in which a quantile of an array is now above its line, now below. */
import { describe, expect, it } from 'vitest';
import { unboundedArray } from '../../checks/unbounded-array.js';
import { quantileAtLeast } from '../../src/judgement/margins.js';
import { arrays, distribution, problems } from '../support/checks/evidence-builders.js';
import { RandomDistributions } from '../support/random-distributions.js';

const DOCUMENTS = 50_000;
/** Share of the documents that have the array. */
const HAVE = 0.13;
const SAMPLED = 1_000;
const SAMPLES = 10;
const SEEN = { share: SAMPLED / DOCUMENTS, byChance: true };
const COMMENT = { _id: 'objectId', by: 'string', text: 'string', at: 'date' } as const;

const random = new RandomDistributions(20_261_127);
/** With a heavy tail, and no bound. */
const population = random.list(DOCUMENTS, () => (random.next() < HAVE ? random.wholeLognormal(20, 1.1) : -1));
const present = population.filter((length) => length >= 0).toSorted((one, other) => one - other);
const quantile = (of: readonly number[], share: number) => of[Math.floor(share * of.length)] ?? 0;
/** The lengths of the arrays in each sample. */
const samples = Array.from({ length: SAMPLES }, () =>
  random.list(SAMPLED, () => population[random.between(0, DOCUMENTS - 1)] ?? -1).filter((length) => length >= 0),
);

/** Each verdict once. */
const different = (of: (lengths: readonly number[]) => unknown) => [...new Set(samples.map(of))];

describe('an array in 13 % of the documents', () => {
  it.each(['p95', 'p99'] as const)('is seen above and below a line at its %s, and never surely above', (name) => {
    const line = quantile(present, name === 'p95' ? 0.95 : 0.99);
    expect(different((lengths) => distribution(lengths)[name] >= line)).toHaveLength(2);
    expect(different((lengths) => quantileAtLeast(distribution(lengths), name, SEEN) >= line)).toEqual([false]);
  });

  const THRESHOLDS = { embeddedInfo: 20, embeddedError: 100_000 };
  const judged = (lengths: readonly number[], share: number) =>
    problems(unboundedArray, {
      paths: arrays({ path: 'comments', lengths, fields: COMMENT }),
      sample: { complete: false },
      storage: { count: DOCUMENTS },
      thresholds: { ...THRESHOLDS, embeddedWarning: quantile(present, share) },
    });

  it('has one verdict in ten samples if its p99 is at the line', () => {
    expect(
      different((lengths) =>
        judged(lengths, 0.99)
          .map(({ severity }) => severity)
          .join(),
      ),
    ).toEqual(['info']);
  });

  // In 130 arrays, what the p99 surely reaches is about the p95: some samples show that it is above the line, others don't.
  it('may be a warning in each of ten samples if its p95 is at the line: to a baseline, none is better or worse', () => {
    const ifSure = different((lengths) =>
      judged(lengths, 0.95)
        .map(({ severity, severityIfSure = severity }) => severityIfSure)
        .join(),
    );
    expect(ifSure).toEqual(['warning']);
  });
});
