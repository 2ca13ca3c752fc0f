import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { pipelineText } from '../../../src/judgement/pipelines/pipeline-text.js';
import { shaped } from '../../support/joins/pipelines.js';

describe('a pipeline as a command', () => {
  it.each<[Document, string]>([
    [
      { $match: { a: 1, 'b.c': { $gt: 2, $lt: 3 } } },
      '{ $match: { a: <number>, "b.c": { $gt: <number>, $lt: <number> } } }',
    ],
    [{ $match: { a: null, b: { $in: ['x', 'y'] } } }, '{ $match: { a: null, b: { $in: [<string>] } } }'],
    [{ $match: { a: /^x/i } }, '{ $match: { a: { $regex: <regex> } } }'],
    [{ $match: { $or: [{ a: 1 }, { b: 1 }] } }, '{ $match: { $or: [{ a: <number> }, { b: <number> }] } }'],
    [{ $match: { $expr: { $eq: ['$a', '$b'] } } }, '{ $match: { $expr: { $eq: ["$a", "$b"] } } }'],
    [{ $unwind: '$items' }, '{ $unwind: "$items" }'],
    [
      { $unwind: { path: '$items', preserveNullAndEmptyArrays: true } },
      '{ $unwind: { path: "$items", preserveNullAndEmptyArrays: true } }',
    ],
    [{ $unwind: { path: '$items', preserveNullAndEmptyArrays: false } }, '{ $unwind: "$items" }'],
    [{ $count: 'orders' }, '{ $count: "orders" }'],
    [{ $group: { _id: null, n: { $avg: '$a' } } }, '{ $group: { _id: null, n: { $avg: "$a" } } }'],
    [{ $sort: { a: 1, b: -1 } }, '{ $sort: { a: 1, b: -1 } }'],
    [{ $skip: 5 }, '{ $skip: <number> }'],
    [{ $project: { a: 1, b: '$c' } }, '{ $project: { a: true, b: "$c" } }'],
    [{ $unset: 'a' }, '{ $unset: ["a"] }'],
    [{ $unionWith: 'others' }, '{ $unionWith: { coll: "others", pipeline: [] } }'],
    [{ $out: 'others' }, '{ $out: "others" }'],
    [
      {
        $lookup: {
          from: 'b',
          let: { x: '$x' },
          pipeline: [{ $match: { $expr: { $eq: ['$y', '$$x'] } } }, { $limit: 1 }],
          as: 'b',
        },
      },
      '{ $lookup: { from: "b", let: { x: "$x" }, pipeline: [{ $match: { $expr: { $eq: ["$y", "$$x"] } } }, { $limit: <number> }], as: "b" } }',
    ],
    [
      { $facet: { some: [{ $limit: 1 }], all: [{ $count: 'n' }] } },
      '{ $facet: { some: [{ $limit: <number> }], all: [{ $count: "n" }] } }',
    ],
    // Of these, too little is kept.
    [{ $bucketAuto: { groupBy: '$a', buckets: 3 } }, '{ $bucketAuto: <as before> }'],
    [{ $merge: { into: 'others', on: 'a' } }, '{ $merge: <as before> }'],
    [{ $unheardOf: { a: 1 } }, '{ $unheardOf: <as before> }'],
    [{ $lookup: { pipeline: [{ $documents: [{ a: 1 }] }], as: 'b' } }, '{ $lookup: <as before> }'],
  ])('%j', (stage, expected) => {
    expect(pipelineText('shop.orders', shaped([stage]))).toBe(
      `db.getSiblingDB("shop").orders.aggregate([\n  ${expected}\n])`,
    );
  });
});
