import { expect, it } from 'vitest';
import type { Collection } from '../../../../src/inventory/collection.js';
import { isStoredInOrder, joinObstacle } from '../../../../src/judgement/indexes/usability/join-indexability.js';
import type { EqualityJoin } from '../../../../src/judgement/indexes/usability/joined-index.js';

const COLLECTION: Collection = {
  namespace: 'shop.customers',
  database: 'shop',
  name: 'customers',
  kind: 'collection',
  clustered: false,
};
const VIEW: Collection = { ...COLLECTION, kind: 'view', viewOn: 'people', pipeline: [] };
const SERIES: Collection = { ...COLLECTION, kind: 'timeseries', timeseries: { timeField: 'at', metaField: 'sensor' } };
const JOIN: EqualityJoin = { form: 'localField', foreignField: 'customer', collation: null };
const EXPR: EqualityJoin = { ...JOIN, form: 'exprEquality' };

it.each<[string, EqualityJoin, Collection]>([
  ['of scalars', JOIN, COLLECTION],
  ['of arrays by localField', { ...JOIN, foreignArrays: true, localTypes: ['array'] }, COLLECTION],
  ['of scalars by $expr', EXPR, COLLECTION],
  ['of some arrays by $expr', { ...EXPR, localTypes: ['array', 'int'] }, COLLECTION],
  ['on a metaField', { ...JOIN, foreignField: 'sensor' }, SERIES],
  ['below a metaField', { ...EXPR, foreignField: 'sensor.id' }, SERIES],
])('an index can serve a join %s', (_, join, foreign) => {
  expect(joinObstacle(join, foreign)).toBeNull();
  expect(isStoredInOrder(join, foreign)).toBe(false);
});

it.each<[string, RegExp, EqualityJoin, Collection]>([
  ['foreign arrays by $expr', /; localField and foreignField /, { ...EXPR, foreignArrays: true }, COLLECTION],
  [
    'whole arrays by $expr',
    /compares an? (?:local )?array as a whole/,
    { ...EXPR, localTypes: ['array', 'missing'] },
    COLLECTION,
  ],
  ['a view', /reads a view/, JOIN, VIEW],
  ['measurements', /"customer" is neither/, JOIN, SERIES],
  ['a field that begins like the metaField', /"sensors" is neither/, { ...JOIN, foreignField: 'sensors' }, SERIES],
  ['the timeField by $expr', /unpacked/, { ...EXPR, foreignField: 'at' }, SERIES],
  ['the timeField by what is no date', /by dates only/, { ...JOIN, foreignField: 'at' }, SERIES],
])('no index can serve a join on %s', (_, because, join, foreign) => {
  expect(joinObstacle(join, foreign)).toMatch(because);
});

it('no index is worth creating for a join on the timeField by dates', () => {
  const join: EqualityJoin = { ...JOIN, foreignField: 'at', localTypes: ['date'] };
  expect(joinObstacle(join, SERIES)).toBeNull();
  expect(isStoredInOrder(join, SERIES)).toBe(true);
});
