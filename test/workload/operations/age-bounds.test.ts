import { BSON, ObjectId, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { addedBounds, ageBoundsOf } from '../../../src/workload/operations/age-bounds.js';

const NOW = Date.UTC(2026, 10, 27);
const DAY = 86_400_000;
const ago = (days: number) => new Date(NOW - days * DAY);
const idOf = (days: number) => ObjectId.createFromTime((NOW - days * DAY) / 1_000);
const find = (filter: Document, rest: Document = {}): Document => ({ find: 'events', filter, ...rest });
const days = (path: string, age: number) => ({ [path]: { executions: 1, oldestMs: age * DAY } });

describe('how far back a command reaches', () => {
  it.each<[string, Document, Document]>([
    ['a date from below', find({ at: { $gte: ago(30) } }), days('at', 30)],
    ['a date between two', find({ at: { $gt: ago(30), $lt: ago(10) } }), days('at', 30)],
    ['the younger of two', find({ at: { $gte: ago(30) }, $and: [{ at: { $gte: ago(7) } }] }), days('at', 7)],
    ['a date itself', find({ day: ago(3), user: 7 }), days('day', 3)],
    ['an id', find({ _id: idOf(12) }), days('_id', 12)],
    ['ids of a list: the oldest', find({ _id: { $in: [idOf(2), idOf(40)] } }), days('_id', 40)],
    ['a page by ids', find({ _id: { $gt: idOf(5) } }), days('_id', 5)],
    ['a bound in the future', find({ at: { $gte: ago(-3) } }), days('at', 0)],
    ['a count', { count: 'events', query: { at: { $gte: ago(1) } } }, days('at', 1)],
    ['a statement of an update', { q: { _id: idOf(1) }, u: { $set: { a: 1 } } }, days('_id', 1)],
    [
      'the matches ahead',
      { aggregate: 'e', pipeline: [{ $match: { a: 1 } }, { $match: { at: ago(4) } }] },
      days('at', 4),
    ],
    ['the newest', find({}, { sort: { at: -1 }, skip: 40, limit: 20 }), { at: { executions: 1, newest: 60 } }],
    [
      'the newest of a pipeline',
      {
        aggregate: 'e',
        pipeline: [{ $sort: { at: -1, _id: -1 } }, { $skip: 5 }, { $limit: 5 }, { $group: { _id: 1 } }],
      },
      { at: { executions: 1, newest: 10 } },
    ],
    ['no bound', find({ user: 7 }), {}],
    ['only from above', find({ at: { $lt: ago(30) } }), {}],
    ['one of several branches', find({ $or: [{ at: { $gte: ago(1) } }, { user: 7 }] }), {}],
    ['what is excluded', find({ at: { $ne: ago(1) } }), {}],
    ['other values in the list', find({ _id: { $in: [idOf(2), 'a'] } }), {}],
    ['a text and a number', find({ at: { $gte: '2026-01-01' }, n: { $gte: 1_700_000_000_000 } }), {}],
    ['no date, as the least long of Java', find({ at: { $gte: new Date(Number.NaN) } }), {}],
    ['no date among others', find({ at: { $in: [new Date(Number.NaN), ago(1)] } }), {}],
    ['the oldest', find({}, { sort: { at: 1 }, limit: 20 }), {}],
    ['the newest of a user, which may be old', find({ user: 7 }, { sort: { at: -1 }, limit: 20 }), {}],
    ['all, the newest first', find({}, { sort: { at: -1 } }), {}],
    ['all, by a limit of none', find({}, { sort: { at: -1 }, limit: 0 }), {}],
    [
      'a match behind a group',
      { aggregate: 'e', pipeline: [{ $group: { _id: '$a' } }, { $match: { at: ago(1) } }] },
      {},
    ],
    [
      'a limit behind an unwind',
      { aggregate: 'e', pipeline: [{ $sort: { at: -1 } }, { $unwind: '$a' }, { $limit: 5 }] },
      {},
    ],
    ['garbled', { find: 'e', filter: 7, sort: 'x', limit: {} }, {}],
  ])('%s', (_, command, expected) => {
    expect({ ...ageBoundsOf(command, NOW) }).toEqual(expected);
    // As the log writes it.
    expect({ ...ageBoundsOf(BSON.EJSON.serialize(command), NOW) }).toEqual(expected);
  });

  it('keeps names that are data apart, and the oldest of all executions', () => {
    const bounds = [
      ageBoundsOf(find({ at: { $gte: ago(3) } }), NOW),
      ageBoundsOf(find({ at: { $gte: ago(30) }, '65a1f00000000000000000ab': ago(1) }), NOW),
      ageBoundsOf(find({}, { sort: { at: -1 }, limit: 20 }), NOW),
    ];
    expect(bounds.reduce(addedBounds, {})).toEqual({
      at: { executions: 3, oldestMs: 30 * DAY, newest: 20 },
      '*': { executions: 1, oldestMs: DAY },
    });
  });
});
