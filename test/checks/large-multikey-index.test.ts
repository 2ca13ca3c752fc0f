import { describe, expect, it } from 'vitest';
import { largeMultikeyIndex } from '../../checks/large-multikey-index.js';
import type { IndexDescription } from '../../src/check.js';
import { arrays, pathProfile, problem, problems, type Given } from '../support/checks/evidence-builders.js';
import { ID_INDEX, index } from '../support/checks/index-builders.js';

type Arrays = Parameters<typeof arrays>[0];

/** Of a hundred documents, ten have thirty times as many or more. */
const heavy = (median: number) =>
  Array.from({ length: 100 }, (_, each) => (each < 10 ? (30 + 3 * each) * median : median - 59 + each));
const SIZES = heavy(300);
const TAGS: Arrays = { path: 'tags', lengths: heavy(300), elements: 'objectId' };
const given = (
  of: Partial<Arrays> = {},
  key: IndexDescription['key'] = { tags: 1 },
  options: Partial<IndexDescription> = {},
): Given => ({ sizes: SIZES, paths: arrays({ ...TAGS, ...of }), indexes: [ID_INDEX, index(key, options)] });
const items = (type: string): Partial<Arrays> => ({
  path: 'items',
  elements: 'object',
  fields: { value: type } as NonNullable<Arrays['fields']>,
});
/** Elements that are whole numbers up to this one. */
const numbersTo = (max: number): Given => ({
  ...given(),
  paths: arrays({ ...TAGS, elements: 'int' }).map((each) =>
    each.path === 'tags[]' ? { ...each, values: { numbers: { count: 1_000, min: 1, max, whole: 1_000 } } } : each,
  ),
});

describe('large-multikey-index', () => {
  it.each<[string, Given, string]>([
    ['300 elements', given(), 'info high'],
    ['1,200 elements', given({ lengths: heavy(1_200) }), 'warning high'],
    ['in a compound index', given({}, { shop: 1, tags: -1 }), 'info high'],
    ['a hidden index, which is written too', given({}, { tags: 1 }, { hidden: true }), 'info high'],
    ['texts as elements', given({ elements: 'string' }), 'info high'],
    ['dates of the elements', given(items('date'), { 'items.value': 1 }), 'info high'],
    ['numbers of a wide range', numbersTo(5_000), 'info high'],
    ['lengths that show neither a bound nor its lack', given({ lengths: steady(100, 400) }), 'info medium'],
  ])('tells %s', (_, all, expected) => {
    const { severity, confidence, causedBy } = problem(largeMultikeyIndex, all);
    expect(`${severity} ${confidence}`).toBe(expected);
    expect(causedBy).toMatch(/^(?:tags|items)$/);
  });

  it.each<[string, Given]>([
    ['80 elements', given({ lengths: heavy(80) })],
    ['a few long arrays among short ones', given({ lengths: heavy(5) })],
    ['fixed lengths', given({ lengths: heavy(1).map(() => 1_536), elements: 'double' })],
    ['another field', given({}, { shop: 1 })],
    ['a text index', given({}, { tags: 'text' })],
    ['a partial index', given({}, { tags: 1 }, { partialFilterExpression: { open: true } })],
    ['an index in build', given({}, { tags: 1 }, { building: true })],
    ['elements of few values', numbersTo(50)],
    ['texts beside others in an element', given(items('string'), { 'items.value': 1 })],
    ['ten arrays', given({ lengths: heavy(300).slice(0, 10) })],
    [
      'arrays in few of the documents',
      { ...given(), paths: given().paths!.map((each) => ({ ...each, documents: 30 })) },
    ],
    ['no array', { sizes: SIZES, paths: [pathProfile({ path: 'tags' })], indexes: [ID_INDEX, index({ tags: 1 })] }],
  ])('is silent about %s', (_, all) => {
    expect(problems(largeMultikeyIndex, all)).toEqual([]);
  });

  it('says how many elements there are at least', () => {
    expect(problem(largeMultikeyIndex, given()).message).toBe(
      'Index `tags_1` on { tags: 1 } has a key for each element of `tags`, equal ones aside: half of the documents have 300 elements or more, max 17,100. Each insert and delete of one writes all of its keys.',
    );
  });
});

function steady(from: number, to: number): number[] {
  return Array.from({ length: 100 }, (_, each) => Math.round(from + (each / 100) * (to - from)));
}
