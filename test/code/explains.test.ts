import type { Document } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { explains, placesOf } from '../../src/code/explains.js';
import { operationShape } from '../../src/workload/shapes/operation-shape.js';
import { literalPlaceholder } from '../../src/workload/shapes/placeholder.js';
import type { OperationKind } from '../../src/workload/workload.js';
import { understood } from '../support/code/understood.js';

const DRIVER = `import { MongoClient } from 'mongodb';
const db = new MongoClient('').db();
const orders = db.collection('orders');
`;
const MONGOOSE = `import mongoose from 'mongoose';
const Order = mongoose.model('Order', new mongoose.Schema({}));
`;

/** Whether the only place of some code may have sent a command. */
async function mayHaveSent(code: string, kind: OperationKind, command: Document, namespace = 'shop.orders') {
  const { places } = await understood({ 'app.ts': code });
  expect(places).toHaveLength(1);
  const shape = operationShape({ kind, namespace, command, truncated: false }, literalPlaceholder);
  return explains(places[0]!, shape);
}

const find = (filter: Document, rest: Document = {}) => ['find', { filter, ...rest }] as const;
const piped = (...pipeline: Document[]) => ['aggregate', { pipeline }] as const;
const update = (q: Document, u: Document, rest: Document = {}) => ['update', { q, u, multi: false, ...rest }] as const;

const EXPLAINED: readonly (readonly [string, string, readonly [OperationKind, Document]])[] = [
  ['the same paths', `orders.find({ a: 1, b: x })`, find({ b: 'text', a: 2 })],
  ['operators in what a variable holds', `orders.find({ a: x })`, find({ a: { $gt: 2 } })],
  ['a path that is there at times', `const f = {}; if (x) f.a = x; orders.find(f)`, find({})],
  ['paths of a filter that is not all known', `orders.find({ a: 1, ...x })`, find({ a: 1, c: 1 })],
  ['one of several ways', `orders.find(x ? { a: 1 } : { b: 1 })`, find({ b: 1 })],
  [
    'alternatives',
    `orders.find({ $or: [{ a: x }, { a: y }, { b: 1 }] })`,
    find({ $or: [{ a: 1 }, { a: null }, { b: 2 }] }),
  ],
  ['a sort and a limit', `orders.find({}).sort({ a: -1 }).limit(5)`, find({}, { sort: { a: -1 }, limit: 5 })],
  ['a direction that a variable holds', `orders.find({}).sort({ a: x })`, find({}, { sort: { a: -1 } })],
  ['a name that is data', 'orders.find({ [`votes.${x}`]: 1 })', find({ 'votes.maria': 1 })],
  ['a count', `orders.countDocuments({ a: 1 })`, piped({ $match: { a: 1 } }, { $group: { _id: 1, n: { $sum: 1 } } })],
  [
    'a pipeline with short stages',
    `orders.aggregate([{ $set: { a: 1 } }, { $count: 'n' }])`,
    piped({ $addFields: { a: 1 } }, { $group: { _id: null, n: { $sum: 1 } } }, { $project: { n: 1, _id: 0 } }),
  ],
  [
    'a pipeline with stages that are not known',
    `orders.aggregate([{ $match: { a: 1 } }, ...x, { $limit: 3 }])`,
    piped({ $match: { a: 2 } }, { $sort: { a: 1 } }, { $limit: 3 }),
  ],
  ['an update', `orders.updateOne({ _id: x }, { $push: { notes: x } })`, update({ _id: 1 }, { $push: { notes: 'a' } })],
  ['a branch that is not known', `orders.find({ $and: [{ a: 1 }, x] })`, find({ $and: [{ a: 1 }, { c: 1 }] })],
  [
    'alternatives that are there at times',
    `const f = { a: 1 }; if (x) f.$or = [{ b: 1 }, { c: 1 }]; orders.find(f)`,
    find({ a: 1 }),
  ],
  [
    'a sort that is added where it is kept',
    `const all = orders.find({ a: 1 }); all.sort({ b: 1 })`,
    find({ a: 1 }, { sort: { b: 1 } }),
  ],
  ['a replacement', `orders.replaceOne({ _id: x }, x)`, update({ _id: 1 }, { a: 1 })],
];

const CONTRADICTED: readonly (readonly [string, string, readonly [OperationKind, Document]])[] = [
  ['a path that was not recorded', `orders.find({ a: 1, b: x })`, find({ a: 1 })],
  ['a path that the source lacks', `orders.find({ a: 1 })`, find({ a: 1, b: 1 })],
  ['another operator', `orders.find({ a: { $gt: x } })`, find({ a: { $in: [1] } })],
  ['a value in place of an operator', `orders.find({ a: { $gt: x } })`, find({ a: 1 })],
  ['another sort', `orders.find({}).sort({ a: -1 })`, find({}, { sort: { b: 1 } })],
  ['no sort', `orders.find({}).sort({ a: -1 })`, find({})],
  ['no limit', `orders.findOne({ a: 1 })`, find({ a: 1 })],
  ['another kind', `orders.find({ a: 1 })`, ['count', { query: { a: 1 } }]],
  ['another collection', `db.collection('users').find({ a: 1 })`, find({ a: 1 })],
  [
    'another stage',
    `orders.aggregate([{ $match: { a: 1 } }, { $sort: { a: 1 } }])`,
    piped({ $match: { a: 1 } }, { $limit: 1 }),
  ],
  [
    'another joined collection',
    `orders.aggregate([{ $lookup: { from: 'users', localField: 'u', foreignField: '_id', as: 'u' } }])`,
    piped({ $lookup: { from: 'items', localField: 'u', foreignField: '_id', as: 'u' } }),
  ],
  ['an aggregate that is no count', `orders.countDocuments({ a: 1 })`, piped({ $match: { a: 1 } })],
  [
    'another operator of an update',
    `orders.updateOne({ a: 1 }, { $set: { b: x } })`,
    update({ a: 1 }, { $inc: { b: 1 } }),
  ],
  [
    'another field of an update',
    `orders.updateOne({ a: 1 }, { $inc: { b: x } })`,
    update({ a: 1 }, { $inc: { c: 1 } }),
  ],
  [
    'many in place of one',
    `orders.updateOne({ a: 1 }, { $inc: { b: 1 } })`,
    update({ a: 1 }, { $inc: { b: 1 } }, { multi: true }),
  ],
];

const mongooseSent = (code: string, [kind, command]: readonly [OperationKind, Document]) =>
  mayHaveSent(`${MONGOOSE}export const run = (x) => { ${code}; };`, kind, command);
const cutShape = (kind: OperationKind) =>
  operationShape({ kind, namespace: 'shop.orders', command: {}, truncated: true }, literalPlaceholder);

/** What is understood of a file, and what of it may have sent a command, as lines. */
async function linesOf(code: string, [kind, command]: readonly [OperationKind, Document]) {
  const { places } = await understood({ 'app.js': code });
  const shape = operationShape({ kind, namespace: 'shop.orders', command, truncated: false }, literalPlaceholder);
  return placesOf(shape, places).map(({ line, unlisted }) => `${line}${unlisted === undefined ? '' : ` ${unlisted}`}`);
}

const wrapper = (
  keyword: string,
) => `${DRIVER}${keyword} function wanted(more) { return orders.findOne({ a: 1, ...more }); }
wanted({ b: 1 });`;
const returning = (caller: string) => `import mongoose from 'mongoose';
const Order = mongoose.model('Order', new mongoose.Schema({}));
export function base() { return Order.find({ a: 1 }); }
export const run = async () => { ${caller} };`;
const registering = (more: string) => `import { Schema } from 'mongoose';
export const make = (mongoose) => { mongoose.model('Order', new Schema({})); ${more} };
export const read = (mongoose) => mongoose.models.Order.findOne({ a: 1 });`;
const CHILD = `import mongoose from 'mongoose';
const Event = mongoose.model('Event', new mongoose.Schema({}));
Event.discriminator('Click', new mongoose.Schema({}));
export const read = () => mongoose.model('Click').findOne({ a: 1 });`;
const collectionsOf = async (code: string) =>
  (await understood({ 'app.js': code })).places.map(({ collection }) => collection);

describe('of several places', () => {
  it('a call that may be none is one that may be meant, unless its arguments show what it is', async () => {
    const some = `${DRIVER}export const a = (q) => orders.find(q).toArray();
export const b = (model, q) => model.find(q).toArray();
export const c = (list, id) => list.find((each) => each.id === id);
export const d = (crypto, text) => crypto.createHash('sha1').update(text);`;
    expect(await linesOf(some, find({ a: 1 }))).toEqual(['4', '5 doubtful']);
    expect(await linesOf(some, update({ a: 1 }, { $set: { b: 1 } }))).toEqual([]);
  });

  it('one on something unknown may be of mongoose, where the source imports it', async () => {
    const code = `import 'mongoose';
export const a = (Order, x) => Order.updateMany({ a: x }, { $inc: { b: 1 } });`;
    const stamped = update({ a: 1 }, { $inc: { b: 1 }, $set: { updatedAt: new Date(0) } }, { multi: true });
    expect(await linesOf(code, stamped)).toEqual(['2']);
    expect(await linesOf(code.replace('mongoose', 'express'), stamped)).toEqual([]);
  });

  it('a wrapper counts if none of its callers that are known explains a command, and others may call it', async () => {
    expect(await linesOf(wrapper('export'), find({ a: 1, b: 1 }, { limit: 1 }))).toEqual(['5']);
    expect(await linesOf(wrapper('export'), find({ a: 1, c: 1 }, { limit: 1 }))).toEqual(['4 wrapper']);
    expect(await linesOf(wrapper(''), find({ a: 1, c: 1 }, { limit: 1 }))).toEqual([]);
  });

  it('a query that a function returns is as its callers leave it', async () => {
    expect(await linesOf(returning('await base()'), find({ a: 1, b: 1 }))).toEqual([]);
    expect(await linesOf(returning(`await base().where('b').equals(1)`), find({ a: 1, b: 1 }))).toEqual(['3']);
  });

  it('models are found by name, unless two have it', async () => {
    expect(await collectionsOf(registering(''))).toEqual(['orders']);
    expect(await collectionsOf(registering(`mongoose.model('Order', new Schema({}), 'old');`))).toEqual([null]);
    expect(await collectionsOf(CHILD)).toEqual(['events']);
  });
});

describe('a place', () => {
  it.each(EXPLAINED)('explains %s', async (_, code, [kind, command]) => {
    expect(await mayHaveSent(`${DRIVER}export const run = (x, y) => { ${code}; };`, kind, command)).toBe(true);
  });

  it.each(CONTRADICTED)('is contradicted by %s', async (_, code, [kind, command]) => {
    expect(await mayHaveSent(`${DRIVER}export const run = (x, y) => { ${code}; };`, kind, command)).toBe(false);
  });

  it('of mongoose explains what it leaves out and adds', async () => {
    // A variable may be undefined, and mongoose then drops the path; a constant is always sent.
    expect(await mongooseSent('Order.find({ a: x, b: 1 })', find({ b: 1 }))).toBe(true);
    expect(await mongooseSent('Order.find({ a: x, b: 1 })', find({ a: 1 }))).toBe(false);
    expect(await mongooseSent('Order.find({ b: 1 })', find({ b: 1, __t: 'Sale' }))).toBe(true);
    const stamped = { $inc: { n: 1 }, $set: { updatedAt: new Date(0) }, $setOnInsert: { __v: 0 } };
    expect(await mongooseSent('Order.updateOne({ b: 1 }, { $inc: { n: 1 } })', update({ b: 1 }, stamped))).toBe(true);
  });

  it('of a command that the source cut is contradicted by collection and kind alone', async () => {
    const [place] = (await understood({ 'app.ts': `${DRIVER}orders.find({ a: 1 })` })).places;
    expect([explains(place!, cutShape('find')), explains(place!, cutShape('count'))]).toEqual([true, false]);
  });
});
