import { describe, expect, it } from 'vitest';
import { outlierDocument } from '../../checks/outlier-document.js';
import { arrays, problem, problems, type Given } from '../support/checks/evidence-builders.js';
import { RandomDistributions } from '../support/random-distributions.js';

const KB = 1024;
const MB = 1024 * KB;
const random = new RandomDistributions(3);
const typical = random.list(1_000, () => random.between(500, 2_000));

describe('outliers', () => {
  it.each<[string, Given, { severity: string; confidence: string; source?: string; seen: number }]>([
    [
      'one of 3 MB among a thousand of 2 KB',
      { sizes: [...typical, 3 * MB] },
      { severity: 'warning', confidence: 'high', seen: 1 },
    ],
    ['one of 300 KB', { sizes: [...typical, 300 * KB] }, { severity: 'info', confidence: 'high', seen: 1 }],
    [
      'one in a hundred',
      { sizes: [...typical, ...random.list(10, () => random.between(MB, 4 * MB))] },
      { severity: 'warning', confidence: 'high', seen: 10 },
    ],
    [
      'one among thirty',
      { sizes: [...typical.slice(0, 30), 3 * MB] },
      { severity: 'warning', confidence: 'medium', seen: 1 },
    ],
    [
      'as many as one in twenty of a sample that the random cursor took',
      { sizes: [...typical, ...random.list(50, () => random.between(3 * MB, 4 * MB))], storage: { count: 100_000 } },
      { severity: 'warning', confidence: 'high', seen: 50 },
    ],
    [
      'so many of such a sample that another might have more than one in ten',
      { sizes: [...typical, ...random.list(90, () => random.between(3 * MB, 4 * MB))], storage: { count: 100_000 } },
      { severity: 'info', confidence: 'low', seen: 90 },
    ],
    [
      'so few of such a sample that another might have none',
      { sizes: [...typical, 3 * MB, 3 * MB], storage: { count: 100_000 } },
      { severity: 'info', confidence: 'low', seen: 2 },
    ],
    [
      'one that only the probe found',
      {
        sizes: typical,
        storage: { count: 30_000 },
        largest: {
          maximumBytes: 15 * MB,
          source: 'probe',
          sizes: [15 * MB, 14 * MB, ...typical],
          probe: { state: 'complete', thresholdBytes: 8 * MB, sizes: [15 * MB, 14 * MB], atLeast: false },
        },
      },
      { severity: 'warning', confidence: 'high', seen: 2 },
    ],
  ])('%s', (_, given, { severity, confidence, seen }) => {
    const found = problem(outlierDocument, given);
    expect(found).toMatchObject({ severity, confidence, path: null, evidence: { outliersSeen: seen } });
    expect(found.remedy.text).toMatch(/hasOverflow: true.*outlier pattern|outlier pattern.*hasOverflow: true/i);
  });

  it('names the array to be continued in overflow documents', () => {
    const found = problem(outlierDocument, {
      sizes: [...typical, 3 * MB],
      paths: arrays({ path: 'customers', lengths: [...random.list(1_000, () => random.between(1, 20)), 40_000] }),
      profile: { largest: { bytes: 3 * MB, heaviestPath: 'customers', heaviestPathBytes: 3 * MB - 500 } },
    });
    expect(found.message).toContain('Most of it is `customers`.');
    expect(found.remedy.text).toMatch(/keep at most 1\d elements of `customers`/);
  });
});

describe('what makes an outlier large', () => {
  const MEDIAN = 10;
  const outlier = (lengths: readonly number[], heaviestPath: string) => {
    const paths = arrays({
      path: 'customers',
      lengths: [...Array.from({ length: 1_000 }, () => MEDIAN), ...lengths],
      fields: { name: 'string' },
    });
    return problem(outlierDocument, {
      sizes: [...typical, 3 * MB],
      paths,
      profile: { largest: { bytes: 3 * MB, heaviestPath, heaviestPathBytes: 2 * MB } },
    });
  };

  it.each<[string, number[], string, string]>([
    ['the array, where a field of its many elements weighs most', [40_000], 'customers[].name', 'customers'],
    ['the field, where one of a few elements holds a giant', [MEDIAN], 'customers[].name', 'customers[].name'],
    ['the array itself', [40_000], 'customers[]', 'customers'],
  ])('is %s', (_, lengths, heaviestPath, named) => {
    const { message, evidence } = outlier(lengths, heaviestPath);
    expect(message).toContain(`Most of it is \`${named}\`.`);
    expect(evidence['heaviestPath']).toBe(named);
  });
});

describe('sizes without outliers', () => {
  it.each<[string, Given]>([
    ['all much alike', { sizes: typical }],
    ['a long tail without a break', { sizes: random.list(1_000, () => 20 * KB + random.wholeLognormal(20 * KB, 1.2)) }],
    ['a tail of large documents', { sizes: random.list(1_000, () => random.wholeLognormal(60 * KB, 1)) }],
    ['a giant that is still small', { sizes: [...typical, 100 * KB] }],
    [
      'two kinds of documents, one of them large',
      { sizes: [...typical, ...random.list(200, () => random.between(MB, 2 * MB))] },
    ],
    ['five documents', { sizes: [500, 600, 700, 800, 3 * MB] }],
  ])('%s', (_, given) => {
    expect(problems(outlierDocument, given)).toEqual([]);
  });

  it('stays silent on lognormal sizes, however broad', () => {
    const reported = Array.from({ length: 200 }, (_, seed) => seed).filter((seed) => {
      const draw = new RandomDistributions(seed);
      const sigma = 0.3 + 1.7 * draw.next();
      const sizes = draw.list(1_000, () => Math.min(16 * MB, 100 + draw.wholeLognormal(20 * KB, sigma)));
      return problems(outlierDocument, { sizes, storage: { count: seed % 2 === 0 ? 1_000 : 100_000 } }).length > 0;
    });
    expect(reported).toEqual([]);
  });
});
