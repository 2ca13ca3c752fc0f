import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeText } from '../../src/cli/code-command.js';
import { readCode } from '../../src/code/read-code.js';
import type { UnderstoodCode } from '../../src/code/understood-code.js';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'mongolint-code-'))));
afterAll(() => rm(folder, { recursive: true }));

let count = 0;

async function understood(files: Readonly<Record<string, string>>): Promise<UnderstoodCode> {
  count += 1;
  const own = join(folder, String(count));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(own, name)), { recursive: true });
    await writeFile(join(own, name), text);
  }
  return readCode(own);
}

/** One line a place, without causes and the summary. */
async function placesOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const lines = codeText(await understood(files))
    .trimEnd()
    .split('\n')
    .slice(0, -1);
  return lines.filter((line) => !line.startsWith('Collection unknown: '));
}

const DRIVER = `import { MongoClient, ObjectId } from 'mongodb';
const client = new MongoClient(process.env.MONGODB_URI);
const db = client.db('shop');
const orders = db.collection('orders');
`;
const MONGOOSE = `import mongoose, { Schema } from 'mongoose';
const User = mongoose.model('User', new Schema({ email: String }));
`;

/** What each line of code is understood as. Every line is the fifth of the driver's and the third of mongoose's files. */
const IDIOMS: readonly (readonly [what: string, code: string, place: string])[] = [
  [
    'a filter that is written out',
    DRIVER + `orders.find({ status: 'open', total: { $gt: 5 } })`,
    'orders.find: by status, total',
  ],
  ['a sort and a limit', DRIVER + `orders.find({}).sort({ at: -1 }).limit(10)`, 'orders.find: sorted by at, limited'],
  ['options instead', DRIVER + `orders.find({}, { sort: { at: 1 }, limit: 3 })`, 'orders.find: sorted by at, limited'],
  [
    'a filter that gets a field at times',
    DRIVER + `function f(a) { const filter = { b: 1 }; if (a) filter.a = a; return orders.find(filter); }`,
    'orders.find: by b, a?',
  ],
  [
    'a filter from a helper',
    DRIVER + `const own = (user) => ({ user, gone: null }); const f = (u) => orders.findOne(own(u));`,
    'orders.findOne: by user, gone, limited',
  ],
  [
    'spreads of known objects',
    DRIVER + `const base = { gone: false }; orders.countDocuments({ ...base, user: 1 })`,
    'orders.countDocuments: by gone, user',
  ],
  [
    'a spread of what is not known',
    DRIVER + `const f = (extra) => orders.find({ user: 1, ...extra })`,
    'orders.find: by user, …; not all of it known',
  ],
  [
    'a filter that somebody else may change',
    DRIVER + `const f = (x) => { const filter = { a: 1 }; scopeTo(filter); return orders.find(filter); }`,
    'orders.find: by a, …; not all of it known',
  ],
  ['one of two filters', DRIVER + `const f = (a) => orders.find(a ? { a } : { b: 1 })`, 'orders.find: by a; by b'],
  [
    'a filter that nobody knows',
    DRIVER + `export const f = (filter) => orders.find(filter)`,
    'orders.find: not all of it known',
  ],
  [
    'a pipeline that grows',
    DRIVER +
      `const stages = [{ $match: { a: 1 } }]; stages.push({ $lookup: { from: 'users', localField: 'user', foreignField: '_id', as: 'users' } }); orders.aggregate(stages)`,
    'orders.aggregate: $match, $lookup users',
  ],
  [
    'an update by operators',
    DRIVER + `orders.updateOne({ _id: new ObjectId() }, { $push: { notes: 1 }, $set: { at: 2 } })`,
    'orders.updateOne: by _id, $push, $set',
  ],
  [
    'a constant as the name',
    DRIVER + `const NAMES = { jobs: 'jobs' } as const; db.collection(NAMES.jobs).deleteMany({ done: true })`,
    'jobs.deleteMany: by done',
  ],
  [
    'a name that nobody knows',
    DRIVER + `const f = (name) => db.collection(name).deleteOne({ a: 1 })`,
    '?.deleteOne: by a; collection unknown',
  ],
  ['a method of an array', DRIVER + `[1, 2].find((one) => one > 1)`, ''],
  ['a model', MONGOOSE + `User.findOne({ email: 1 })`, 'users.findOne: by email, limited'],
  [
    'a model by its id',
    MONGOOSE + `User.findByIdAndUpdate(1, { $inc: { n: 1 } })`,
    'users.findByIdAndUpdate: by _id, $inc',
  ],
  [
    'a builder that adds conditions',
    MONGOOSE + `User.find({ a: 1 }).where('b').equals(2)`,
    'users.find: by a, …; not all of it known',
  ],
  ['a sort as text', MONGOOSE + `User.find().sort('-at name').lean()`, 'users.find: sorted by at, name'],
  [
    'a collection that the schema names',
    `import { Schema, model } from 'mongoose';\n\nmodel('Person', new Schema({}, { collection: 'folk' })).exists({ a: 1 })`,
    'folk.exists: by a, limited',
  ],
  [
    'a collection of Meteor',
    `import { Mongo } from 'meteor/mongo';\nconst Boards = new Mongo.Collection('boards');\nBoards.find({ archived: false })`,
    'boards.find: by archived',
  ],
  [
    'a database that is no MongoDB',
    `import { getFirestore } from 'firebase-admin/firestore';\nconst db = getFirestore();\ndb.collection('users').updateOne({ a: 1 })`,
    '',
  ],
];

describe('a place is understood', () => {
  it.each(IDIOMS)('%s', async (_, code, expected) => {
    const line = code.split('\n').length;
    expect(await placesOf({ 'app.ts': code })).toEqual(expected === '' ? [] : [`app.ts:${line} ${expected}`]);
  });

  it('through modules, whether they export by name, by default or the old way', async () => {
    const places = await placesOf({
      'db.js': `const { MongoClient } = require('mongodb');\nexports.orders = new MongoClient('').db().collection('orders');`,
      'jobs.ts': `import { orders } from './db';\nexport default class { run() { return orders.findOne({ c: 1 }); } }`,
      'models/user.ts': `import { model, Schema } from 'mongoose';\nexport default model('User', new Schema({}));`,
      'models/index.ts': `export { default as Account } from './user.js';\nexport * from './user.js';`,
      'app.ts': `import { Account } from '@/models';\nconst { orders } = require('./db');\nAccount.findOne({ a: 1 });\norders.findOne({ b: 1 });`,
      'tsconfig.json': `{ "compilerOptions": { "paths": { "@/*": ["./*"] }, /* no comma ends it */ } }`,
    });
    expect(places).toEqual([
      'app.ts:3 users.findOne: by a, limited',
      'app.ts:4 orders.findOne: by b, limited',
      'jobs.ts:2 orders.findOne: by c, limited',
    ]);
  });

  it('at the callers of a wrapper that leaves to them what is asked for', async () => {
    const places = await placesOf({
      'app.ts':
        MONGOOSE +
        `class Repository {
  constructor(private readonly model) {}
  one(filter) { return this.model.findOne(filter); }
  page(filter) { return this.model.find(filter).sort({ _id: 1 }).limit(10); }
}
class Users extends Repository { constructor() { super(User); } }
new Users().one({ email: 1 });
const users = new Repository(User);
users.page({ active: true });`,
    });
    expect(places).toEqual([
      'app.ts:9 users.findOne: by email, limited; through app.ts:5',
      'app.ts:11 users.find: by active, sorted by _id, limited; through app.ts:6',
    ]);
  });

  it('of a class whose collection is named by a helper of another package, unless an option names it', async () => {
    const places = await placesOf({
      'packages/names/package.json': '{ "name": "@shop/names", "main": "./dist/index.js" }',
      'packages/names/src/index.ts':
        'const prefix = "shop_";\nexport function nameOf(name) { return `${prefix}${name}`; }',
      'app/base.ts': `import { nameOf } from '@shop/names';
export class Base {
  constructor(private db, protected name, options?) {
    this.collectionName = options?.resolver ? options.resolver(name) : nameOf(name);
    this.col = this.db.collection(this.collectionName, options?.collection || {});
  }
  find(query = {}, options?) { return this.col.find(query, options); }
}`,
      'app/rooms.ts': `import { Base } from './base';
export class Rooms extends Base {
  constructor(db) { super(db, 'rooms'); }
  open() { return this.find({ open: true }); }
}`,
    });
    expect(places).toEqual(['app/rooms.ts:4 shop_rooms.find: by open; through app/base.ts:7']);
  });

  it('of `this` in the statics of a schema', async () => {
    const places = await placesOf({
      'group.js': `import mongoose from 'mongoose';
const schema = new mongoose.Schema({ name: String });
schema.statics.named = async function named(name) { return this.findOne({ name }); };
schema.static('open', function open() { return [1].map(() => this.find({ open: true })); });
schema.methods.rename = function rename() { return this.constructor.name; };
export const Group = mongoose.model('Group', schema);`,
    });
    expect(places).toEqual(['group.js:3 groups.findOne: by name, limited', 'group.js:4 groups.find: by open']);
  });

  it('of models that NestJS injects', async () => {
    const places = await placesOf({
      'order.ts': `import { Schema, SchemaFactory } from '@nestjs/mongoose';\n@Schema({ collection: 'sales' })\nexport class Order {}\nexport const OrderSchema = SchemaFactory.createForClass(Order);`,
      'module.ts': `import { MongooseModule } from '@nestjs/mongoose';\nimport { Order, OrderSchema } from './order';\nMongooseModule.forFeature([{ name: Order.name, schema: OrderSchema }]);`,
      'service.ts': `import { InjectModel } from '@nestjs/mongoose';\nimport { Order } from './order';\nexport class Orders {\n  constructor(@InjectModel(Order.name) private orders: Model<Order>) {}\n  open() { return this.orders.find({ open: true }); }\n}`,
    });
    expect(places).toEqual(['service.ts:5 sales.find: by open']);
  });

  it('with what its file is for', async () => {
    const places = await placesOf({
      'test/orders.test.ts': `${DRIVER}orders.deleteMany({})`,
      'migrations/1.ts': `${DRIVER}orders.updateMany({}, { $unset: { a: 1 } })`,
    });
    expect(places).toEqual([
      'migrations/1.ts:5 orders.updateMany: $unset; migration',
      'test/orders.test.ts:5 orders.deleteMany: test',
    ]);
  });
});

describe('reading source', () => {
  it('says how much of it is understood', async () => {
    const code = await understood({
      'a.ts': `${DRIVER}orders.find({ a: 1 });\nconst f = (n) => db.collection(n).deleteOne({})`,
    });
    expect(codeText(code).split('\n').slice(-3, -1)).toEqual([
      'Collection unknown: 1 call on a collection whose name is computed.',
      '1 file read. 1 call understood, 0 in part, 1 not at all.',
    ]);
  });

  it('says which files it could not read, and reads the others', async () => {
    const { unread, files } = await understood({
      'broken.ts': 'const = ;',
      'deep.js': `a${'.b()'.repeat(1_100)}`,
      'large.js': `const a = "${'x'.repeat(10_000_000)}";`,
      'fine.js': 'export const a = 1;',
    });
    expect(files).toBe(1);
    expect(unread.map(({ file }) => file)).toEqual(['broken.ts', 'deep.js', 'large.js']);
  });

  it('runs none of it, follows no link, and leaves packages and what is built out', async () => {
    const outside = join(folder, 'outside.ts');
    await writeFile(outside, `${DRIVER}orders.find({ outside: 1 })`);
    const own = join(folder, 'linked');
    await mkdir(join(own, 'node_modules/x'), { recursive: true });
    await symlink(outside, join(own, 'linked.ts'));
    await writeFile(join(own, 'node_modules/x/index.js'), `${DRIVER}orders.find({ inside: 1 })`);
    await writeFile(join(own, 'app.js'), `throw new Error('run');`);
    expect(await readCode(own)).toMatchObject({ places: [], files: 1, unread: [] });
  });

  it('follows no tsconfig.json out of the folder', async () => {
    const outside = join(folder, 'elsewhere');
    await mkdir(outside, { recursive: true });
    await writeFile(join(outside, 'db.ts'), `${DRIVER}export { orders };`);
    await writeFile(join(outside, 'tsconfig.json'), `{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }`);
    const places = await placesOf({
      'app.ts': `import { orders } from '@/db';\nimport { orders as others } from '../elsewhere/db';\norders.updateOne({ a: 1 }, { $set: { b: 1 } });\nothers.updateOne({ a: 1 }, { $set: { b: 1 } });`,
      'tsconfig.json': `{ "extends": "../elsewhere/tsconfig.json", "compilerOptions": { "paths": { "@/*": ["../elsewhere/*"] } } }`,
    });
    expect(places).toEqual([
      'app.ts:3 ?.updateOne: by a, $set; collection unknown',
      'app.ts:4 ?.updateOne: by a, $set; collection unknown',
    ]);
  });

  it('takes from a configuration what the source calls a collection, and the database', async () => {
    const own = await mkdtemp(join(folder, 'named-'));
    await writeFile(
      join(own, 'app.ts'),
      `import { stores } from 'a-package';\nstores.orders.find({ a: 1 });\nstores.users().findOne({ b: 1 });`,
    );
    const { places } = await readCode(own, {
      database: 'shop',
      collections: { 'stores.orders': 'orders', 'stores.users': 'users' },
    });
    expect(places.map(({ database, collection, line }) => `${line} ${database}.${collection}`)).toEqual([
      '2 shop.orders',
      '3 shop.users',
    ]);
  });

  it('refuses a folder that has none, or is not there', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'));
    await expect(readCode(empty)).rejects.toThrow(`No JavaScript or TypeScript lies below ${empty}.`);
    await expect(readCode(join(empty, 'missing'))).rejects.toThrow("can't be read");
  });
});
