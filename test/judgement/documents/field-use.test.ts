import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { fieldUse, type FieldUse } from '../../../src/judgement/documents/part-reads.js';
import { readsOf, type GivenRead } from '../../support/workload/reads.js';

/** What such a read wants of `comments`. */
function useOf(read: GivenRead, views?: Readonly<Record<string, readonly Document[]>>): FieldUse | undefined {
  const [first] = readsOf([read], views)?.reads ?? [];
  return first === undefined ? undefined : fieldUse('comments', first);
}

const projected = (projection: Document): GivenRead => ({ find: { filter: { _id: 1 }, projection } });
const piped = (...pipeline: Document[]): GivenRead => ({ pipeline });
const SLICE = { $slice: ['$comments', -10] };

describe('what a find wants of a field', () => {
  it.each<[string, GivenRead, FieldUse]>([
    ['all without a projection', { find: { filter: {} } }, 'whole'],
    ['all that is included', projected({ title: 1, comments: 1 }), 'whole'],
    ['all where a part of each element is', projected({ 'comments.by': 1 }), 'whole'],
    ['all where something else is excluded', projected({ text: 0 }), 'whole'],
    ['all where a part of each element is excluded', projected({ 'comments.text': 0 }), 'whole'],
    ['all where only _id is excluded', projected({ _id: 0 }), 'whole'],
    ['nothing where others are included', projected({ title: 1 }), 'none'],
    ['nothing where it is excluded', projected({ comments: 0 }), 'none'],
    ['a slice', projected({ comments: { $slice: -10 } }), -10],
    ['a slice beside what is included', projected({ title: 1, comments: { $slice: 5 } }), 5],
    ['a page', projected({ comments: { $slice: [10, 5] } }), 15],
    ['a slice by another name', projected({ title: 1, newest: SLICE }), -10],
    ['all where another array is sliced, which excludes nothing', projected({ likes: { $slice: 3 } }), 'whole'],
    [
      'nothing where another array is sliced beside what is included',
      projected({ title: 1, likes: { $slice: 3 } }),
      'none',
    ],
    ['all for the element that matches', projected({ comments: { $elemMatch: { by: 'x' } } }), 'whole'],
    [
      'all for the element that was found',
      { find: { filter: { 'comments.by': 'x' }, projection: { 'comments.$': 1 } } },
      'whole',
    ],
    ['all for a count of its elements', projected({ title: 1, count: { $size: '$comments' } }), 'whole'],
    ['all for a filter on it', { find: { filter: { 'comments.by': 'x' }, projection: { title: 1 } } }, 'whole'],
    [
      'all for a filter within $or',
      { find: { filter: { $or: [{ 'comments.by': 'x' }, { a: 1 }] }, projection: { title: 1 } } },
      'whole',
    ],
    [
      'all for a filter by an expression',
      { find: { filter: { $expr: { $gt: [{ $size: '$comments' }, 3] } }, projection: { title: 1 } } },
      'whole',
    ],
    ['all for an order by it', { find: { filter: {}, sort: { 'comments.at': 1 }, projection: { title: 1 } } }, 'whole'],
    [
      'nothing for a filter on a field of a like name',
      { find: { filter: { commentsOpen: true }, projection: { title: 1 } } },
      'none',
    ],
    [
      'all where query stats do not tell how many',
      { ...projected({ comments: { $slice: 10 } }), figures: { slices: {} } },
      'whole',
    ],
  ])('%s', (_, read, use) => {
    expect(useOf(read)).toBe(use);
  });
});

describe('what an aggregation wants of a field', () => {
  it.each<[string, GivenRead, FieldUse]>([
    ['all that comes out at the end', piped({ $match: { _id: 1 } }, { $sort: { at: 1 } }, { $limit: 1 }), 'whole'],
    ['nothing behind a projection', piped({ $match: { _id: 1 } }, { $project: { title: 1 } }), 'none'],
    ['nothing behind $unset', piped({ $unset: ['comments', 'text'] }), 'none'],
    ['all behind $unset of another field', piped({ $unset: 'text' }), 'whole'],
    ['nothing for groups by other fields', piped({ $group: { _id: '$author', posts: { $sum: 1 } } }), 'none'],
    ['all for groups of documents', piped({ $group: { _id: '$author', posts: { $push: '$$ROOT' } } }), 'whole'],
    ['nothing for a count', piped({ $match: { a: 1 } }, { $count: 'posts' }), 'none'],
    ['a slice in $project', piped({ $project: { title: 1, newest: SLICE } }), -10],
    ['a slice that takes its place', piped({ $set: { comments: SLICE } }), -10],
    ['a slice, the rest dropped later', piped({ $set: { newest: SLICE } }, { $unset: 'comments' }), -10],
    ['all where a slice is added', piped({ $set: { newest: SLICE } }), 'whole'],
    [
      'all for both ends',
      piped({ $set: { newest: SLICE } }, { $project: { newest: 1, oldest: { $slice: ['$comments', 20] } } }),
      'whole',
    ],
    ['all for its elements one by one', piped({ $unwind: '$comments' }, { $project: { title: 1 } }), 'whole'],
    [
      'all for a join by it',
      piped(
        { $lookup: { from: 'people', localField: 'comments.by', foreignField: '_id', as: 'p' } },
        { $project: { title: 1 } },
      ),
      'whole',
    ],
    [
      'nothing for a join by another field',
      piped(
        { $lookup: { from: 'people', localField: 'author', foreignField: '_id', as: 'p' } },
        { $project: { title: 1, p: 1 } },
      ),
      'none',
    ],
    [
      'all for a variable of a join',
      piped(
        { $lookup: { from: 'people', let: { all: '$comments' }, pipeline: [], as: 'p' } },
        { $project: { title: 1 } },
      ),
      'whole',
    ],
    [
      'all for a slice of what is filtered',
      piped({ $project: { newest: { $slice: [{ $filter: { input: '$comments', cond: true } }, 5] } } }),
      'whole',
    ],
    ['all for a field by its name as text', piped({ $project: { x: { $getField: 'comments' } } }), 'whole'],
    ['all for stages that are not followed', piped({ $facet: { one: [] } }), 'whole'],
  ])('%s', (_, read, use) => {
    expect(useOf(read)).toBe(use);
  });

  it.each<[string, GivenRead, FieldUse | undefined]>([
    ['what a view leaves out', { on: 'headlines', find: { filter: {} } }, 'none'],
    ['all that a view passes on', { on: 'open_posts', find: { filter: {} } }, 'whole'],
    ['what is left out of a view', { on: 'open_posts', find: { filter: {}, projection: { title: 1 } } }, 'none'],
    [
      'nothing that is known, of a command that was cut',
      { find: { projection: { title: 1 } }, truncated: true },
      undefined,
    ],
    ['nothing that is known, of a count', { kind: 'count' }, undefined],
  ])('%s', (_, read, use) => {
    expect(useOf(read, { headlines: [{ $project: { title: 1 } }], open_posts: [{ $match: { open: true } }] })).toBe(
      use,
    );
  });
});
