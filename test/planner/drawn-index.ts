import type { Document } from 'mongodb';
import * as fc from '../support/fast-check.js';

/** An index as it is created; some cannot be, such as one over two arrays side by side. */
export interface DrawnIndex {
  /** What a difference is grouped by. */
  readonly kind: string;
  readonly key: Record<string, 1 | -1 | 'hashed' | 'text' | '2dsphere'>;
  readonly options: Document;
}

export const CASE_INSENSITIVE = { locale: 'en', strength: 2 };

const DIRECTION = fc.constantFrom<1 | -1>(1, 1, -1);
const OFTEN = ['a', 'b', 'c', 'n.x', 'n.y', 'arr', 'items.p', 'items.q'];
const FIELD = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...OFTEN) },
  { weight: 1, arbitrary: fc.constantFrom('n', 'items', 'arr.0', 'zz') },
);

const KEY = fc
  .uniqueArray(fc.tuple(FIELD, DIRECTION), { minLength: 1, maxLength: 3, selector: ([path]) => path })
  .map((fields) => Object.fromEntries(fields));

const COMPARED = fc.constantFrom<unknown>(0, 2, 5, 's1', null);
const FILTER = fc.oneof(
  fc
    .record({ path: fc.constantFrom('a', 'b', 'c', 'n.x'), operator: fc.constantFrom('$gte', '$gt', '$lt', '$lte') })
    .chain(({ path, operator }) =>
      fc.constantFrom<unknown>(1, 4, 's0').map((value) => ({ [path]: { [operator]: value } })),
    ),
  fc.tuple(fc.constantFrom('a', 'b', 'c', 'n.x', 'arr'), COMPARED).map(([path, value]) => ({ [path]: value })),
  fc.constantFrom('a', 'b', 'c', 'n.x', 'items.p', 'arr', 'zz').map((path) => ({ [path]: { $exists: true } })),
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.constantFrom<unknown>('number', 'string', 'int', ['int', 'date']))
    .map(([path, $type]) => ({ [path]: { $type } })),
  fc.constantFrom('a', 'b').map((path) => ({ [path]: { $in: [1, 2, 3] } })),
  fc.constantFrom<Document>(
    { a: { $gte: 1 }, b: { $lt: 7 } },
    { b: { $gte: 1, $lt: 8 } },
    { $or: [{ a: 1 }, { b: { $gt: 2 } }] },
    { $or: [{ c: { $exists: true } }, { b: 3 }] },
  ),
);

const kind = (name: string, key: fc.Arbitrary<DrawnIndex['key']>, options: fc.Arbitrary<Document> = fc.constant({})) =>
  fc.record({ kind: fc.constant(name), key, options });

const HASHED = fc
  .tuple(fc.uniqueArray(fc.constantFrom('a', 'b', 'n.x'), { minLength: 1, maxLength: 3 }), fc.nat(2))
  .map(([paths, at]) =>
    Object.fromEntries(paths.map((path, index) => [path, index === at % paths.length ? 'hashed' : 1])),
  );
const WILDCARD = fc.constantFrom<DrawnIndex['key']>(
  { '$**': 1 },
  { '$**': 1 },
  { 'n.$**': 1 },
  { 'a.$**': 1 },
  { 'items.$**': 1 },
);
const PROJECTED = fc.constantFrom<Document>(
  { wildcardProjection: { a: 1, 'n.x': 1 } },
  { wildcardProjection: { b: 0, 'n.y': 0 } },
  { wildcardProjection: { items: 1, arr: 1 } },
);

/** Kinds of index, the usual ones more often. */
export const INDEX: fc.Arbitrary<DrawnIndex> = fc.oneof(
  { weight: 10, arbitrary: kind('plain', KEY) },
  { weight: 3, arbitrary: kind('sparse', KEY, fc.constant({ sparse: true })) },
  {
    weight: 4,
    arbitrary: kind(
      'partial',
      KEY,
      FILTER.map((partialFilterExpression) => ({ partialFilterExpression })),
    ),
  },
  { weight: 3, arbitrary: kind('collation', KEY, fc.constant({ collation: CASE_INSENSITIVE })) },
  { weight: 3, arbitrary: kind('hashed', HASHED as fc.Arbitrary<DrawnIndex['key']>) },
  { weight: 3, arbitrary: kind('wildcard', WILDCARD) },
  { weight: 1, arbitrary: kind('wildcard projection', fc.constant({ '$**': 1 }), PROJECTED) },
  {
    weight: 1,
    arbitrary: kind(
      'special',
      fc.constantFrom({ a: 1, place: '2dsphere' }, { place: '2dsphere', a: 1 }, { a: 1, b: 'text' }, { b: 'text' }),
    ),
  },
  { weight: 1, arbitrary: kind('hidden', KEY, fc.constant({ hidden: true })) },
);
