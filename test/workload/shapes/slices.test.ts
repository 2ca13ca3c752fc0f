import { Long, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { executionOf, isExecution } from '../../../src/workload/operations/execution.js';
import { FiguresSum } from '../../../src/workload/operations/figures.js';
import { slicesOf, type Slice, type Slices } from '../../../src/workload/shapes/slices.js';

const find = (projection: Document): Document => ({ find: 'posts', projection });
const project = (...stages: Document[]): Document => ({ aggregate: 'posts', pipeline: stages });

const first = (elements: number): Slice => ({ first: elements, last: 0 });
const last = (elements: number): Slice => ({ first: 0, last: elements });

describe('the slices that a command asks for', () => {
  it.each<[string, Document, Slices]>([
    ['the first', find({ comments: { $slice: 10 } }), { comments: first(10) }],
    ['the last', find({ comments: { $slice: -5 } }), { comments: last(5) }],
    ['a page, to its end', find({ comments: { $slice: [20, 10] } }), { comments: first(30) }],
    ['a page from the end', find({ comments: { $slice: [-20, 10] } }), { comments: last(20) }],
    ['in an object', find({ post: { comments: { $slice: 10 } } }), { 'post.comments': first(10) }],
    [
      'of two arrays',
      find({ comments: { $slice: 10 }, tags: { $slice: -1 }, title: 1 }),
      { comments: first(10), tags: last(1) },
    ],
    ['as a Long', find({ comments: { $slice: Long.fromNumber(7) } }), { comments: first(7) }],
    ['in Extended JSON', find({ comments: { $slice: { $numberLong: '7' } } }), { comments: first(7) }],
    ['in a find’s expression', find({ newest: { $slice: ['$comments', -10] } }), { comments: last(10) }],
    ['in $project', project({ $project: { newest: { $slice: ['$comments', -10] } } }), { comments: last(10) }],
    ['in $set, by position', project({ $set: { page: { $slice: ['$comments', 20, 10] } } }), { comments: first(30) }],
    [
      'the wider of two',
      project({ $set: { page: { $slice: ['$comments', 3] } } }, { $set: { other: { $slice: ['$comments', 10] } } }),
      { comments: first(10) },
    ],
    [
      'both ends',
      project({ $set: { page: { $slice: ['$comments', 3] } } }, { $set: { other: { $slice: ['$comments', -10] } } }),
      { comments: { first: 3, last: 10 } },
    ],
    [
      'of a field whose name is data',
      find({ 'boards.65f1f77bcf86cd7994390111': { $slice: 10 } }),
      { 'boards.*': first(10) },
    ],
    ['none of nothing', find({ comments: { $slice: 0 } }), {}],
    ['none of a computed length', project({ $project: { page: { $slice: ['$comments', '$shown'] } } }), {}],
    ['none of a computed array', project({ $project: { page: { $slice: [{ $reverseArray: '$comments' }, 5] } } }), {}],
    ['none of a variable', project({ $project: { page: { $slice: ['$$ROOT', 5] } } }), {}],
    [
      'what an update keeps',
      { findAndModify: 'posts', update: { $push: { 'threads.$[one].comments': { $each: [], $slice: -5 } } } },
      { 'threads.comments': last(5) },
    ],
    ['none in what query stats tell', find({ comments: { $slice: '?number' } }), {}],
    ['none in garbage', { find: 'posts', projection: 5, pipeline: [null, 5] }, {}],
  ])('%s', (_, command, slices) => {
    expect(slicesOf(command)).toEqual(slices);
  });

  it('are told with the operation, the widest of them', () => {
    const sum = new FiguresSum();
    for (const elements of [5, 20, 10]) {
      const entry = {
        fields: { ns: 'shop.posts', command: find({ comments: { $slice: elements } }) },
        operation: 'query',
        at: 0,
        milliseconds: 1,
        responseBytes: 1,
        user: '',
        truncated: false,
      };
      const execution = executionOf(entry);
      if (!isExecution(execution)) throw new Error(JSON.stringify(execution));
      sum.add(execution);
    }
    expect(sum.figures()).toMatchObject({ executions: 3, slices: { comments: { first: 20, last: 0 } } });
  });
});
