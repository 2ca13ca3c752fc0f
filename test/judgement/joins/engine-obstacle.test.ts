import { expect, it } from 'vitest';
import { isClassic } from '../../../src/judgement/joins/join-obstacle.js';
import { COLLECTION, join, type StatedOptions } from '../../support/indexes/stated-join.js';

it.each<[string, StatedOptions]>([
  ['$expr', { form: 'exprEquality' }],
  ['$graphLookup', { form: 'graphLookup' }],
  ['a pipeline', { withPipeline: true }],
  ['a filter', { filter: { state: 1 } }],
  ['a numeric path', { foreignField: 'parts.0.id' }],
  ['the profiler to say so', { inClassicEngine: true }],
])('a join with %s runs in the classic engine on any version', (_, options) => {
  expect(isClassic(join(options), {})).toBe(true);
});

it.each<[string | undefined, boolean]>([
  [undefined, false],
  ['4.4.29', true],
  ['5.0.26', true],
  ['6.0.0', false],
  ['6.0.17', false],
  ['6.0.18', true],
  ['6.0.27', true],
  ['6.3.2', false],
  ['7.0.16', false],
  ['7.0.17', true],
  ['8.0.0', false],
])('a plain $lookup on version %s is certain to run in the classic engine: %s', (version, isCertain) => {
  expect(isClassic(join(), version === undefined ? {} : { version })).toBe(isCertain);
});

it.each(['view', 'timeseries'] as const)('a $lookup of a %s runs in the classic engine', (kind) => {
  expect(isClassic(join({ foreign: { ...COLLECTION, kind } }), {})).toBe(true);
});
