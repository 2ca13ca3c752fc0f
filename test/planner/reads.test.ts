import type { Document } from 'mongodb';
import { expect, it } from 'vitest';
import type { IndexDescription } from '../../src/inventory/collection.js';
import { accessOf } from '../../src/planner/access-of.js';
import { isRefused, type SortField } from '../../src/planner/access.js';
import { predicateOf } from '../../src/planner/filter-predicate.js';
import { readsOf } from '../../src/planner/reads.js';
import { sampledCollection } from '../../src/planner/value-search.js';
import { fieldTypesOf } from '../../src/profile/field-types.js';
import { index } from '../support/checks/index-builders.js';
import { profileOf } from '../support/documents/profiles.js';

const SAMPLED = 400;
const WHOLE = { method: 'whole-collection', complete: true, boundedBy: null, elapsed: 1 } as const;
const DOCUMENTS = Array.from({ length: SAMPLED }, (_, _id) => ({
  _id,
  ten: _id % 10,
  four: Math.floor(_id / 10) % 4,
  at: new Date(_id),
  tags: [_id % 5, 5 + (_id % 7)],
  ...(_id % 2 === 0 && { half: 'x' }),
}));
const FIELD_TYPES = fieldTypesOf({ profile: profileOf(DOCUMENTS), sample: WHOLE });

interface Asked {
  readonly filter: Document;
  readonly sort?: readonly SortField[];
  readonly wanted?: number;
}

/** Of a collection a hundred times as large as its sample. */
it.each<[string, IndexDescription, Asked, number | null, number | null]>([
  ['one of ten values', index({ ten: 1 }), { filter: { ten: 3 } }, 4_000, 4_000],
  ['two of them', index({ ten: 1 }), { filter: { ten: { $in: [3, 4] } } }, 8_000, 8_000],
  ['values of two fields', index({ ten: 1, four: 1 }), { filter: { ten: 3, four: 1 } }, 1_000, 1_000],
  ['one of them alone', index({ ten: 1 }), { filter: { ten: 3, four: 1 } }, 4_000, 4_000],
  ['an element of an array', index({ tags: 1 }), { filter: { tags: 2 } }, 6_800, 6_800],
  ['what has no value', index({ half: 1 }), { filter: { half: null } }, 20_000, 20_000],
  ['a range, of which a sample does not tell', index({ at: 1 }), { filter: { at: { $gt: new Date(9) } } }, null, null],
  ['a page in order', index({ at: 1 }), { filter: { ten: 3 }, sort: [['at', 1]], wanted: 20 }, 200, 200],
  ['a page of all that match', index({ ten: 1, at: 1 }), { filter: { ten: 3 }, sort: [['at', 1]], wanted: 20 }, 20, 20],
])('estimates what is read for %s', (_, searched, { filter, sort = [], wanted = null }, documents, keys) => {
  const query = { filter: predicateOf(filter), sort, returns: null, collation: null };
  const access = accessOf(searched, sampledCollection(FIELD_TYPES), query);
  if (isRefused(access)) throw new Error(access.because);
  const reads = readsOf(access, { query, fieldTypes: FIELD_TYPES, documents: 100 * SAMPLED, listed: null, wanted });
  const near = (figure: number | null) => (figure === null ? null : Math.round(figure / (documents! / 10)));
  expect([near(reads.documents?.estimate ?? null), near(reads.keys?.estimate ?? null)]).toEqual([
    near(documents),
    near(keys),
  ]);
});
