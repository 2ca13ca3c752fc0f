import * as fc from 'fast-check';
import type { Document } from 'mongodb';

/** Stages over the documents of `foreign`, none of which reads an indexed field other than by copying it. */
const STAGES: readonly Document[] = [
  { $match: { kind: 'a' } },
  { $sort: { at: 1 } },
  { $limit: 150 },
  { $skip: 1 },
  { $sample: { size: 150 } },
  { $unset: 'at' },
  { $unset: 'inner.other' },
  { $project: { at: 0 } },
  { $project: { k: 1, inner: 1, tags: 1, kind: 1, at: 1 } },
  { $project: { key: '$k', inner: 1, tags: 1, k: 1, kind: 1, at: 1 } },
  { $project: { outer: { key: '$k' }, k: 1, inner: 1, tags: 1, kind: 1, at: 1 } },
  { $addFields: { key: '$k' } },
  { $addFields: { 'outer.key': '$k' } },
  { $addFields: { key: '$inner.k' } },
  { $addFields: { moved: '$inner' } },
  { $addFields: { key: { $add: ['$k', 0] } } },
  { $addFields: { k: { $add: ['$k', 0] } } },
  { $addFields: { other: 1 } },
  { $set: { 'inner.other': 2 } },
  { $unwind: '$tags' },
  { $unwind: { path: '$tags', includeArrayIndex: 'position' } },
  { $lookup: { from: 'third', localField: 'at', foreignField: 'at', as: 'third' } },
  { $graphLookup: { from: 'third', startWith: '$at', connectFromField: 'at', connectToField: 'at', as: 'third' } },
  { $group: { _id: '$k', n: { $sum: 1 } } },
  { $group: { _id: { key: '$k' }, n: { $sum: 1 } } },
  { $group: { _id: '$inner.k', n: { $sum: 1 } } },
  { $group: { _id: '$kind', k: { $first: '$k' } } },
  { $sortByCount: '$k' },
  { $replaceRoot: { newRoot: { $ifNull: ['$inner', {}] } } },
  { $replaceWith: { key: '$k', k: '$k' } },
  { $replaceWith: { $mergeObjects: ['$$ROOT', { z: 1 }] } },
  { $setWindowFields: { sortBy: { at: 1 }, output: { running: { $sum: '$at' } } } },
  { $fill: { output: { missing: { value: 0 } } } },
  { $redact: '$$KEEP' },
  { $facet: { k: [{ $match: {} }] } },
  { $bucketAuto: { groupBy: '$k', buckets: 3 } },
];

/** Fields that joins compare, by the names they have after the stages. Each has an index. */
export const FIELDS = ['k', 'inner.k', 'key', 'outer.key', 'moved.k', '_id', '_id.key'] as const;

/** A join of `local` with `foreign`, with stages in between. */
export interface RandomJoin {
  readonly stages: readonly Document[];
  readonly field: string;
  readonly form: 'view' | 'view-expression' | 'sub-pipeline';
}

/** Joins with up to three stages between the foreign collection and the comparison. */
export const randomJoins: fc.Arbitrary<RandomJoin> = fc.record({
  stages: fc.array(fc.constantFrom(...STAGES), { maxLength: 3 }),
  field: fc.constantFrom(...FIELDS),
  form: fc.constantFrom('view', 'view-expression', 'sub-pipeline'),
});
