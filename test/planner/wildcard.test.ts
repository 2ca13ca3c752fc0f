import type { Document } from 'mongodb';
import { expect, it } from 'vitest';
import type { IndexDescription } from '../../src/inventory/collection.js';
import { coversPath } from '../../src/planner/wildcard.js';

function wildcard(field: string, wildcardProjection?: Document): IndexDescription {
  const options = { name: 'wildcard', unique: false, sparse: false, hidden: false, clustered: false };
  return { ...options, key: { [field]: 1 }, ...(wildcardProjection !== undefined && { wildcardProjection }) };
}

it.each<[string, Document | undefined, string, boolean]>([
  ['$**', undefined, 'customer', true],
  ['$**', undefined, 'customer.id', true],
  ['$**', undefined, '_id', false],
  ['$**', undefined, '_id.order', false],
  ['$**', undefined, '_identity', true],
  ['customer.$**', undefined, 'customer', true],
  ['customer.$**', undefined, 'customer.id', true],
  ['customer.$**', undefined, 'customers', false],
  ['customer.id.$**', undefined, 'customer', false],
  ['$**', { customer: 1 }, 'customer.id', true],
  ['$**', { customer: 1 }, 'state', false],
  ['$**', { 'customer.id': 1 }, 'customer', false],
  ['$**', { customer: { id: true } }, 'customer.id', true],
  ['$**', { customer: 0 }, 'customer.id', false],
  ['$**', { customer: 0 }, 'state', true],
  ['$**', { 'customer.id': false }, 'customer', true],
  ['$**', { customer: 0 }, '_id', false],
  ['$**', { customer: 0, _id: 1 }, '_id', true],
  ['$**', { customer: 0, _id: 1 }, 'state', true],
  ['$**', { customer: 1, _id: 1 }, 'state', false],
  ['$**', { _id: 1 }, '_id.order', true],
  ['$**', { _id: 1 }, 'state', false],
  ['$**', { _id: 0 }, 'state', true],
  ['$**', { customer: 1, _id: 0 }, 'customer', true],
])('an index on %s with the projection %j: it holds %s: %s', (field, projection, path, covered) => {
  expect(coversPath(wildcard(field, projection), path)).toBe(covered);
});
