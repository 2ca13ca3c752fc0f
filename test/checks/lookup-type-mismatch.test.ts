import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { lookupTypeMismatch } from '../../checks/lookup-type-mismatch/check.js';
import type { TypeCounts } from '../../src/check.js';
import {
  aggregate,
  foundIn,
  judgeCluster,
  problemIn,
  type GivenCluster,
  type GivenOperation,
} from '../support/checks/joined-evidence.js';
import { severitiesOf } from '../support/checks/reported-problem.js';

type Types = Readonly<Record<string, TypeCounts>>;

const byFields = (localField: string, foreignField = '_id'): Document => ({
  $lookup: { from: 'customers', localField, foreignField, as: 'customer' },
});
const byExpression = (local: unknown, foreign: unknown = '$_id'): Document => ({
  $lookup: {
    from: 'customers',
    let: { id: local },
    pipeline: [{ $match: { $expr: { $eq: [foreign, '$$id'] } } }],
    as: 'customer',
  },
});

function shop(
  orders: Types,
  customers: Types,
  operations: readonly GivenOperation[],
  rest: Partial<GivenCluster> = {},
): GivenCluster {
  return { collections: { orders: { fields: orders }, customers: { fields: customers } }, operations, ...rest };
}

const OBJECT_IDS: Types = { _id: { objectId: 100 } };

describe('types on the two sides', () => {
  it.each<[string, TypeCounts, TypeCounts, boolean]>([
    ['string and ObjectId', { string: 100 }, { objectId: 100 }, true],
    ['int and string', { int: 100 }, { string: 100 }, true],
    ['date and string', { date: 100 }, { string: 100 }, true],
    ['int and double', { int: 100 }, { double: 100 }, false],
    ['long and decimal', { long: 100 }, { decimal: 100 }, false],
    ['the same', { objectId: 100 }, { objectId: 100 }, false],
    ['some of the same', { string: 70, objectId: 30 }, { objectId: 100 }, false],
    ['a slip among hundreds', { string: 300, objectId: 1 }, { objectId: 100 }, true],
    ['nulls, which are nothing', { null: 100 }, { objectId: 100 }, false],
    ['strings beside nulls', { string: 50, null: 50 }, { objectId: 90, null: 10 }, true],
    ['too few values', { string: 12 }, { objectId: 100 }, false],
  ])('%s', (_, local, foreign, isFound) => {
    const given = shop({ customer: local }, { _id: foreign }, [aggregate([byFields('customer')])]);
    expect(foundIn(lookupTypeMismatch, given)).toEqual(isFound ? ['error shop.orders customer'] : []);
  });

  it('few values are enough of a collection that was read whole', () => {
    const collections = {
      orders: { fields: { customer: { string: 3 } }, complete: true },
      customers: { fields: { _id: { objectId: 4 } }, complete: true },
    };
    expect(
      problemIn(lookupTypeMismatch, { collections, operations: [aggregate([byFields('customer')])] }).confidence,
    ).toBe('high');
  });
});

describe('arrays', () => {
  const arrays: Types = { customer: { array: 100 }, 'customer[]': { objectId: 300 } };
  const texts: Types = { customer: { array: 100 }, 'customer[]': { string: 300 } };

  it.each<[string, Types, readonly Document[], boolean]>([
    ['are compared by element', arrays, [byFields('customer')], false],
    ['of strings are compared by element', texts, [byFields('customer')], true],
    ['are compared whole by $expr', arrays, [byExpression('$customer')], true],
    ['are elements once they are unwound', arrays, [{ $unwind: '$customer' }, byExpression('$customer')], false],
    [
      'on the way are compared by element',
      { items: { array: 100 }, 'items[]': { object: 300 }, 'items[].customer': { objectId: 300 } },
      [byFields('items.customer')],
      false,
    ],
  ])('%s', (_, orders, pipeline, isFound) => {
    expect(foundIn(lookupTypeMismatch, shop(orders, OBJECT_IDS, [aggregate(pipeline)]))).toHaveLength(isFound ? 1 : 0);
  });

  it('are to be compared with localField and foreignField', () => {
    const { message, remedy } = problemIn(
      lookupTypeMismatch,
      shop(arrays, OBJECT_IDS, [aggregate([byExpression('$customer')])]),
    );
    expect(message).toContain('`$expr` compares an array as a whole.');
    expect(remedy.text).toContain('`localField` and `foreignField`');
  });
});

describe('conversions and renames', () => {
  const texts: Types = { customer: { string: 100 } };

  it.each<[string, readonly Document[], boolean]>([
    ['converted in time', [byExpression({ $toObjectId: '$customer' })], false],
    ['converted by $convert', [byExpression({ $convert: { input: '$customer', to: 'objectId' } })], false],
    ['converted on the foreign side', [byExpression('$customer', { $toString: '$_id' })], false],
    ['converted into another wrong type', [byExpression({ $toInt: '$customer' })], true],
    ['under another name', [{ $addFields: { buyer: '$customer' } }, byFields('buyer')], true],
    [
      'converted by a stage before',
      [{ $addFields: { buyer: { $toObjectId: '$customer' } } }, byFields('buyer')],
      false,
    ],
    [
      'computed, which is not judged',
      [{ $addFields: { buyer: { $concat: ['$customer', 'x'] } } }, byFields('buyer')],
      false,
    ],
  ])('%s', (_, pipeline, isFound) => {
    const found = foundIn(lookupTypeMismatch, shop(texts, OBJECT_IDS, [aggregate(pipeline)]));
    expect(found).toEqual(isFound ? ['error shop.orders customer'] : []);
  });
});

describe('a side that was not sampled', () => {
  it('is not judged, and said once', () => {
    const collections = { orders: { fields: null }, customers: { fields: OBJECT_IDS } };
    const operations = [aggregate([byFields('customer')]), aggregate([byExpression('$buyer')])];
    expect(judgeCluster(lookupTypeMismatch, { collections, operations })).toEqual([
      { namespace: 'shop.orders', notJudged: 'privilege', detail: 'reading orders: not authorized.' },
    ]);
  });

  it('leaves the side unjudged that a finding would be on', () => {
    const collections = { orders: { fields: { customer: { string: 100 } } }, customers: { fields: null } };
    const operations = [aggregate([byFields('customer')])];
    expect(judgeCluster(lookupTypeMismatch, { collections, operations })).toEqual([
      {
        namespace: 'shop.orders',
        notJudged: 'privilege',
        detail: 'it is joined with shop.customers: reading customers: not authorized.',
      },
    ]);
  });

  it('is nothing to say where no join compares it', () => {
    expect(judgeCluster(lookupTypeMismatch, { collections: { orders: { fields: null } } })).toEqual([]);
  });
});

describe('the finding', () => {
  const texts: Types = { _id: { objectId: 100 }, customer: { string: 100 } };

  it('is about the side that refers to the other, whichever is joined', () => {
    const customers: Types = { _id: { objectId: 100 } };
    const fromOrders = shop(texts, customers, [aggregate([byFields('customer')])]);
    const join = { $lookup: { from: 'orders', localField: '_id', foreignField: 'customer', as: 'orders' } };
    const fromCustomers = shop(texts, customers, [aggregate([join], { on: 'customers' })]);
    expect(foundIn(lookupTypeMismatch, fromOrders)).toEqual(['error shop.orders customer']);
    expect(foundIn(lookupTypeMismatch, fromCustomers)).toEqual(['error shop.orders customer']);
  });

  it('is one for all joins of the field', () => {
    const archived: Document = {
      $lookup: { from: 'archive', localField: 'customer', foreignField: '_id', as: 'archived' },
    };
    const given = shop(texts, OBJECT_IDS, [
      aggregate([archived, byFields('customer')]),
      aggregate([byExpression('$customer')]),
    ]);
    const { message } = problemIn(lookupTypeMismatch, {
      ...given,
      collections: { ...given.collections, archive: { fields: { _id: { long: 100 } } } },
    });
    expect(message).toBe(
      '`customer` of shop.orders (string) is joined with shop.archive `_id` (number) and shop.customers `_id` (objectId). Values of these types are never equal: the join finds nothing.',
    );
  });

  it('is a warning where only a view tells of the join', () => {
    const views = { details: { viewOn: 'orders', pipeline: [byFields('customer')] } };
    expect(problemIn(lookupTypeMismatch, shop(texts, OBJECT_IDS, [], { views }))).toMatchObject({
      severity: 'warning',
      evidence: { source: 'sample and view definition' },
    });
  });

  it('says how to convert what is stored, and the join until then', () => {
    const { steps, commands } = problemIn(
      lookupTypeMismatch,
      shop(texts, OBJECT_IDS, [aggregate([byFields('customer')])]),
    ).remedy;
    expect(commands).toBeUndefined();
    const orders = 'db.getSiblingDB("shop").orders';
    const [write, untilThen, convert, check, ...others] = steps.map(
      ({ text, code }) => code?.replaceAll(/\n */g, '') ?? text,
    );
    expect(write).toBe('Let the application write `customer` of shop.orders as objectId.');
    expect(untilThen).toBe('let: { key: { $convert: { input: "$customer", to: "objectId", onError: null } } }');
    expect(convert).toBe(
      `${orders}.updateMany({ "customer": { "$type": "string" } }, [{ "$set": { "customer": { "$convert": { "input": "$customer", "to": "objectId", "onError": "$customer" } } } }])`,
    );
    expect(check).toBe(
      `${orders}.find({ "customer": { "$type": "string" } }).readPref("secondaryPreferred").maxTimeMS(600000)`,
    );
    expect(others).toEqual([]);
  });

  it.each<[string, Types, Types, string]>([
    [
      'in an array of arrays',
      { customer: { array: 100 }, 'customer[]': { array: 100 }, 'customer[][]': { string: 100 } },
      OBJECT_IDS,
      'Convert the stored values with a script of your own: no single update does it.',
    ],
    [
      'here by themselves and there in an array',
      { customer: { string: 50, array: 50 }, 'customer[]': { string: 100 } },
      OBJECT_IDS,
      'Convert the stored values with a script of your own: no single update does it.',
    ],
    [
      'of which the server makes none of the other type',
      { customer: { int: 100 } },
      OBJECT_IDS,
      'Convert the stored values with a script of your own: no single update does it.',
    ],
    [
      'in an array',
      { customer: { array: 100 }, 'customer[]': { string: 100 } },
      OBJECT_IDS,
      'Check: list the documents with a value of the old type. This scans the collection, on a secondary if there is one, for at most 10 minutes. What it still lists could not be converted: look at those.',
    ],
  ])('converts no values %s in a way that harms them', (_, orders, customers, end) => {
    const given = shop(orders, customers, [aggregate([byFields('customer')])]);
    const { text, steps } = problemIn(lookupTypeMismatch, given).remedy;
    expect(steps.at(-1)?.text).toBe(end);
    expect(text).not.toContain('"$convert": { "input": "$customer"');
  });
});

describe('values with a counterpart in a sample', () => {
  // The labels were written before the first run of the code.
  it.each<[string, TypeCounts, readonly string[]]>([
    ['none of a few', { string: 40 }, ['error']],
    ['2 %', { string: 980, objectId: 20 }, ['error']],
    ['one of a few, which may be many', { string: 40, objectId: 1 }, ['info, error if sure']],
    ['9 %, which may be more than ten', { string: 910, objectId: 90 }, ['info, error if sure']],
    ['11 %', { string: 890, objectId: 110 }, []],
  ])('%s', (_, local, expected) => {
    const given = shop({ customer: local }, { _id: { objectId: 1_000 } }, [aggregate([byFields('customer')])]);
    expect(severitiesOf(judgeCluster(lookupTypeMismatch, given))).toEqual(expected);
  });
});
