import { describe, expect, it } from 'vitest';
import { unboundedArray } from '../../checks/unbounded-array.js';
import type { PathProfile } from '../../src/check.js';
import { arrays, problem } from '../support/checks/evidence-builders.js';
import { RandomDistributions } from '../support/random-distributions.js';

const random = new RandomDistributions(20240917);
const review = { _id: 'objectId', by: 'string', text: 'string', at: 'date' } as const;

describe('the remedy for an array that no query can name', () => {
  it.each<[string, PathProfile[], string]>([
    [
      'an array in an array',
      arrays({
        path: 'grid[]',
        lengths: random.list(300, () => random.between(1, 9_000)).map((length) => [length]),
        elements: 'int',
      }),
      'grid',
    ],
    [
      'references in an array in an array',
      arrays({
        path: 'grid[]',
        lengths: random.list(300, () => random.between(1, 9_000)).map((length) => [length]),
        elements: 'objectId',
      }),
      'grid',
    ],
    [
      'names that are data',
      arrays({ path: 'byUser.*.log', lengths: random.list(300, () => random.between(1, 9_000)), fields: review }),
      'byUser.*.log',
    ],
    [
      'a name with a dot',
      arrays({ path: 'to["a.b"]', lengths: random.list(300, () => random.between(1, 9_000)), elements: 'date' }),
      'to["a.b"]',
    ],
    [
      'references by a name with a dot',
      arrays({ path: '["a.b"]', lengths: random.list(300, () => random.between(1, 9_000)), elements: 'objectId' }),
      '["a.b"]',
    ],
  ])('gives no query or update that names another array: %s', (_, paths, path) => {
    const found = problem(unboundedArray, { paths });
    expect(found.path).toBe(path);
    expect(found.remedy.text).toContain(`\`${path}\``);
    expect(found.remedy.text).not.toMatch(/Check:|\$push|\$unset|findOne/);
  });

  it('moves the whole array of arrays if only together the inner ones are long', () => {
    const lengths = random
      .list(300, () => random.wholeLognormal(20, 1))
      .map((rows) => random.list(rows, () => random.between(50, 300)));
    const { path, remedy } = problem(unboundedArray, {
      paths: arrays({ path: 'grid[]', lengths, elements: 'int' }),
    });
    expect(path).toBe('grid');
    expect(remedy.text).toContain('Each array is of moderate length');
    expect(remedy.text).toContain('Move the elements of `grid` to it');
  });
});
