import { expect, it } from 'vitest';
import { conditionsOf } from '../../../src/judgement/queries/conditions.js';
import { filterShape } from '../../../src/workload/shapes/filter-shape.js';
import { literalPlaceholder } from '../../../src/workload/shapes/placeholder.js';

it.each<[string, unknown[], string]>([
  ['each of which begins with a text: an index is searched for them', [/^\/a$/, /^\/b\/.*/], 'range false'],
  ['of which one may begin with any', [/^\/a$/, /b/], 'residual false'],
  ['of which one ignores case', [/^\/a$/, /^\/b$/i], 'residual true'],
  ['beside texts', ['/a', /^\/b/], 'mixed false'],
])('a list of patterns %s', (_, patterns, expected) => {
  const [condition] = conditionsOf([filterShape({ place: { $in: patterns } }, literalPlaceholder)]).all;
  expect(`${condition?.role} ${condition?.ignoresCase}`).toBe(expected);
});
