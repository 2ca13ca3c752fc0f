import { expect, it } from 'vitest';
import type { Collection } from '../../../src/inventory/collection.js';
import { isStoredInOrder, joinObstacle } from '../../../src/judgement/joins/join-obstacle.js';
import { COLLECTION, join, SERIES, type StatedOptions } from '../../support/indexes/stated-join.js';

const VIEW: Collection = { ...COLLECTION, kind: 'view', viewOn: 'people', pipeline: [] };
const EXPR = { form: 'exprEquality' } as const;

it.each<[string, StatedOptions, Collection?]>([
  ['of scalars', {}],
  ['of arrays by localField', { foreignArrays: ['customer'], localTypes: ['array'] }],
  ['of scalars by $expr', EXPR],
  ['of some arrays by $expr', { ...EXPR, localTypes: ['array', 'int'] }],
  ['on a metaField', { foreignField: 'sensor' }, SERIES],
  ['below a metaField', { ...EXPR, foreignField: 'sensor.id' }, SERIES],
])('an index can serve a join %s', (_, options, foreign = COLLECTION) => {
  const stated = join({ ...options, foreign });
  expect(joinObstacle(stated)).toBeNull();
  expect(isStoredInOrder(stated)).toBe(false);
});

it.each<[string, RegExp, StatedOptions, Collection?]>([
  [
    'foreign arrays by $expr',
    /; Write the join with `localField` and `foreignField`/,
    { ...EXPR, foreignArrays: ['customer'] },
  ],
  ['whole arrays by $expr', /compares an? (?:local )?array as a whole/, { ...EXPR, localTypes: ['array', 'missing'] }],
  ['a view', /reads a view/, {}, VIEW],
  ['measurements', /"customer" is neither/, {}, SERIES],
  ['a field that begins like the metaField', /"sensors" is neither/, { foreignField: 'sensors' }, SERIES],
  ['the timeField by $expr', /unpacked/, { ...EXPR, foreignField: 'at' }, SERIES],
  ['the timeField by what is no date', /by dates only/, { foreignField: 'at' }, SERIES],
])('no index can serve a join on %s', (_, because, options, foreign = COLLECTION) => {
  expect(Object.values(joinObstacle(join({ ...options, foreign })) ?? {}).join('; ')).toMatch(because);
});

it('no index is worth creating for a join on the timeField by dates', () => {
  const stated = join({ foreign: SERIES, foreignField: 'at', localTypes: ['date'] });
  expect(joinObstacle(stated)).toBeNull();
  expect(isStoredInOrder(stated)).toBe(true);
});
