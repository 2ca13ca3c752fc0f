import { BSON, Decimal128, ObjectId, type Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { commandOf } from '../../src/rehearsal/commands.js';
import { Constants } from '../../src/rehearsal/constants.js';
import { ScaledCollection } from '../../src/rehearsal/scaled-collection.js';
import type { OperationKind } from '../../src/workload/workload.js';
import { shapeOf } from '../support/workload/shapes.js';

const documents = Array.from({ length: 60 }, (_, number) => ({
  _id: ObjectId.createFromTime(number),
  state: ['open', 'paid', 'sent'][number % 3],
  at: new Date(Date.UTC(2026, 0, number + 1)),
  total: number * 10,
  lines: [{ sku: `sku-${number}`, pieces: number % 7 }],
  tags: ['new', `tag${number}`],
  ...(number % 20 === 0 && { rare: 'once' }),
}));
const collection = new ScaledCollection(
  documents.map((document) => BSON.deserialize(BSON.serialize(document), { promoteValues: false })),
  documents.length,
);

/** The command that stands for the shape of another. */
function repeated(kind: OperationKind, command: Document, lists = 3): Document {
  const constants = new Constants(collection, new SeededRandom(1), () => lists);
  const written = commandOf(shapeOf(kind, command), constants, { returned: 4.2, skipped: 0 });
  return BSON.deserialize(BSON.serialize(written), { bsonRegExp: false });
}

const found = (filter: Document) => repeated('find', { find: 'orders', filter })['filter'];

describe('constants', () => {
  it('of equality are values of one document', () => {
    const { state, total } = found({ state: 'x', total: 1 });
    expect(documents.some((document) => document.state === state.$eq && document.total === total.$eq)).toBe(true);
  });

  it('are of a document that has all of the fields', () => {
    expect(found({ rare: 'x', state: 'y' })).toMatchObject({ rare: { $eq: 'once' } });
  });

  it('of a range have the lower bound below the upper one', () => {
    for (let run = 0; run < 10; run += 1) {
      const { $gte, $lt } = found({ at: { $gte: new Date(0), $lt: new Date(1) } }).at;
      expect($gte.getTime()).toBeLessThanOrEqual($lt.getTime());
      expect(documents.some(({ at }) => at.getTime() === $gte.getTime())).toBe(true);
    }
  });

  it.each([false, true])(
    'of a range of integers have their order, not that of their digits: inclusive %s',
    (isInclusive) => {
      const [low, high] = isInclusive ? (['$gte', '$lte'] as const) : (['$gt', '$lt'] as const);
      for (let run = 0; run < 20; run += 1) {
        const condition = found({ total: { [low]: 1, [high]: 2 } }).total;
        expect(condition[low]).toBeLessThanOrEqual(condition[high]);
      }
    },
  );

  it('find from one document to all of them if they vary', () => {
    const constants = new Constants(collection, new SeededRandom(3), () => 1);
    const shares = Array.from({ length: 60 }, () => {
      constants.vary({ inVain: false });
      const { $gte, $lt } = constants.filter({ at: { $gte: '?date', $lt: '?date' } })['at'];
      expect($gte.getTime()).toBeLessThanOrEqual($lt.getTime());
      return documents.filter(({ at }) => at >= $gte && at < $lt).length;
    });
    expect(shares.filter((share) => share <= 2).length).toBeGreaterThan(5);
    expect(shares.filter((share) => share >= 30).length).toBeGreaterThan(5);
  });

  it('of equality are of no document if the recorded ones were in vain', () => {
    const constants = new Constants(collection, new SeededRandom(3), () => 1);
    constants.vary({ inVain: true });
    const { state } = constants.filter({ state: { $eq: '?string' } });
    expect(documents.some((document) => document.state === state.$eq)).toBe(false);
  });

  it('of a range of decimals have their order', () => {
    const prices = new ScaledCollection(
      documents.map((_, number) => ({ _id: number, price: Decimal128.fromString(`${9 + number}.5`) })),
      documents.length,
    );
    for (let run = 0; run < 20; run += 1) {
      const constants = new Constants(prices, new SeededRandom(run), () => 1);
      const { $gte, $lte } = constants.filter({ price: { $gte: '?number', $lte: '?number' } })['price'];
      expect(Number(String($gte))).toBeLessThanOrEqual(Number(String($lte)));
    }
  });

  it.each([false, true])('of $exists are as they were: %s', (isThere) => {
    expect(found({ state: { $exists: isThere } })).toEqual({ state: { $exists: isThere } });
  });

  it('of lists are as many as were recorded, and different ones', () => {
    const { $in } = found({ total: { $in: [1, 2] } }).total;
    expect($in.length).toBeGreaterThan(1);
    expect(new Set($in).size).toBe($in.length);
    expect($in.every((total: number) => documents.some((document) => document.total === total))).toBe(true);
  });

  it.each<[string, Document, Document]>([
    ['null', { gone: null }, { gone: { $eq: null } }],
    ['what no document has', { gone: 'x' }, { gone: { $eq: '' } }],
    ['$exists', { rare: { $exists: true } }, { rare: { $exists: true } }],
    [
      'elements',
      { lines: { $elemMatch: { sku: 'x', pieces: 1 } } },
      { lines: { $elemMatch: { sku: { $eq: expect.stringMatching(/^sku-/) } } } },
    ],
    ['paths through arrays', { 'lines.sku': 'x' }, { 'lines.sku': { $eq: expect.stringMatching(/^sku-/) } }],
    ['elements of lists', { tags: 'x' }, { tags: { $eq: 'new' } }],
    ['$size', { tags: { $size: 4 } }, { tags: { $size: 2 } }],
    [
      'a prefix',
      { state: /^ab/ },
      { state: { $regex: expect.objectContaining({ source: expect.stringMatching(/^\^(?:ope|pai|sen)$/) }) } },
    ],
    ['a pattern without one', { state: /ab/i }, { state: { $regex: expect.objectContaining({ flags: 'i' }) } }],
    [
      'alternatives',
      { $or: [{ state: 'a' }, { total: 1 }] },
      { $or: [{ state: { $eq: expect.any(String) } }, { total: { $eq: expect.any(Number) } }] },
    ],
    ['$not', { total: { $not: { $gt: 3 } } }, { total: { $not: { $gt: expect.any(Number) } } }],
    ['$expr', { $expr: { $gt: ['$total', 5] } }, { $expr: { $gt: ['$total', expect.any(Number)] } }],
  ])('of %s', (_, filter, expected) => {
    expect(found(filter)).toMatchObject(expected);
  });

  it.each<[string, OperationKind, Document]>([
    ['what $where asks for is not recorded', 'find', { find: 'orders', filter: { $where: 'sleep(1)' } }],
    ['what $geoWithin asks for is not recorded', 'find', { filter: { place: { $geoWithin: {} } } }],
    ['what $mod asks for is not recorded', 'find', { filter: { total: { $mod: [4, 0] } } }],
    ['what $text asks for is not recorded', 'find', { filter: { $text: { $search: 'coffee' } } }],
    ['a name in it is data, which is not recorded', 'find', { filter: { 'votes.65f0c0ffee65f0c0ffee65f0': 1 } }],
    ['an insert reads nothing', 'insert', { insert: 'orders' }],
    [
      'what $bucket asks for is not recorded',
      'aggregate',
      { pipeline: [{ $bucket: { groupBy: '$total', boundaries: [0, 1] } }] },
    ],
    ['it sorts by a score, which is not recorded', 'find', { filter: {}, sort: { score: { $meta: 'textScore' } } }],
  ])('says that %s', (reason, kind, command) => {
    expect(() => repeated(kind, command)).toThrow(reason);
  });
});

describe('a command', () => {
  it.each<[string, OperationKind, Document, Document]>([
    [
      'a limited find, with what it returned',
      'find',
      { filter: {}, sort: { at: -1 }, limit: 50 },
      { find: 'orders', sort: { at: -1 }, limit: 5 },
    ],
    [
      'a projection',
      'find',
      { filter: {}, projection: { total: 1, _id: 0 } },
      { projection: { total: true, _id: false } },
    ],
    ['a count', 'count', { query: { state: 'x' } }, { count: 'orders', query: { state: { $eq: expect.any(String) } } }],
    ['a distinct', 'distinct', { key: 'state', query: {} }, { distinct: 'orders', key: 'state' }],
    [
      'an update of one, as a find',
      'update',
      { q: { total: 1 }, u: { $set: { a: 1 } } },
      { find: 'orders', filter: { total: { $eq: expect.any(Number) } }, limit: 1 },
    ],
    [
      'a pipeline',
      'aggregate',
      { pipeline: [{ $match: { state: 'x' } }, { $group: { _id: '$state', n: { $sum: 1 } } }, { $limit: 9 }] },
      {
        aggregate: 'orders',
        pipeline: [
          { $match: { state: { $eq: expect.any(String) } } },
          { $group: { _id: '$state', n: { $sum: 1 } } },
          { $limit: 5 },
        ],
      },
    ],
    [
      'a join',
      'aggregate',
      { pipeline: [{ $lookup: { from: 'customers', localField: 'c', foreignField: '_id', as: 'x' } }] },
      { pipeline: [{ $lookup: { from: 'customers', localField: 'c', foreignField: '_id', as: 'x' } }] },
    ],
    [
      'a pipeline that writes, without its end',
      'aggregate',
      { pipeline: [{ $sort: { at: 1 } }, { $out: 'other' }] },
      { pipeline: [{ $sort: { at: 1 } }] },
    ],
  ])('repeats %s', (_, kind, command, expected) => {
    expect(repeated(kind, command)).toMatchObject(expected);
  });

  it('of an update of many has no limit', () => {
    expect(repeated('update', { q: { total: 1 }, u: { $set: { a: 1 } }, multi: true })).not.toHaveProperty('limit');
  });
});
