import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeText } from '../../src/cli/code-command.js';
import { listingJsonSchema, renderListing } from '../../src/cli/code-listing.js';
import { readCode } from '../../src/code/read-code.js';
import type { UnderstoodCode } from '../../src/code/understood-code.js';
import { callCounts, causeText } from '../../src/report/call-counts.js';

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

const MODEL = (name: string) =>
  `import { model, Schema } from 'mongoose';\nexport const ${name} = model('${name}', new Schema({}));`;

/** What has to be looked for in other files. */
const RESOLVED: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
  [
    'on a repository that a constructor is given, by its type',
    {
      'packages/data/package.json': '{ "name": "@shop/data", "main": "dist/index.js" }',
      'packages/data/src/index.ts': `export * from './orders';`,
      'packages/data/src/base.ts': `import type { Model } from 'mongoose';\nexport class Base<T> {\n  constructor(protected model: Model<T>) {}\n  one(query, options: { sort?: object } = {}) { return this.model.findOne(query, null, { sort: options.sort || null }); }\n}`,
      'packages/data/src/orders.ts': `import { Base } from './base';\nimport { Order } from './model';\nexport class Orders extends Base<object> { constructor() { super(Order); } }`,
      'packages/data/src/model.ts': MODEL('Order'),
      'app/service.ts': `import { Orders } from '@shop/data';\nexport class Service {\n  constructor(private readonly orders: Orders) {}\n  open(user) { return this.orders.one({ user, open: true }); }\n}`,
    },
    ['app/service.ts:4 orders.findOne: by user, open, limited; through packages/data/src/base.ts:4'],
  ],
  [
    'through a wrapper of a wrapper',
    {
      'app.ts': `${DRIVER}const one = (filter) => orders.findOne(filter);\nconst own = (filter) => one({ ...filter, gone: false });\nexport const f = (user) => own({ user });`,
    },
    ['app.ts:7 orders.findOne: by user, gone, limited; through app.ts:5'],
  ],
  [
    'on models that one function builds and a context hands on, of two applications with the same names',
    Object.fromEntries(
      ['sales', 'stock'].flatMap((name) => [
        [
          `${name}/tsconfig.json`,
          '{ "extends": "../tsconfig.json", "compilerOptions": { "paths": { "~/*": ["./src/*"] } } }',
        ],
        [
          `${name}/src/models.ts`,
          `import { Schema, Connection, Model } from 'mongoose';\nexport interface Models { Items: Model<object> }\nexport interface Context { models: Models }\nexport const load = (db: Connection): Models => {\n  const models = {} as Models;\n  models.Items = db.model('${name}_items', new Schema({}));\n  return models;\n};`,
        ],
        [
          `${name}/src/resolver.ts`,
          `import { Context } from '~/models';\nexport const find = (_, { id }, { models }: Context) => models.Items.findOne({ id });`,
        ],
      ]),
    ),
    [
      'sales/src/resolver.ts:2 sales_items.findOne: by id, limited',
      'stock/src/resolver.ts:2 stock_items.findOne: by id, limited',
    ],
  ],
  [
    'on the only collection that is kept in a property of that name',
    {
      'db.js': `const { MongoClient } = require('mongodb');\nmodule.exports = (app) => { app.Carts = new MongoClient('').db().collection('carts'); };`,
      'cart.js': `exports.open = (context) => context.app.Carts.findOne({ open: true });\nexports.other = ({ Carts }) => Carts.deleteOne({ a: 1 });`,
    },
    ['cart.js:1 carts.findOne: by open, limited', 'cart.js:2 carts.deleteOne: by a'],
  ],
  [
    'in a table that is built from declarations under the same keys',
    {
      'core.js': `export class Core {
  async build(db) {
    for (const plugin of this.plugins)
      for (const key in plugin.collections) {
        const config = plugin.collections[key];
        this.collections[key] = await this.made(db, config);
      }
  }
  async made(db, config) { return db.collection(config.name); }
}`,
      'plugin.js': `export default (app) => app.register({ collections: { Orders: { name: 'sales' } } });`,
      'use.js': `export const f = ({ collections }) => collections.Orders.findOne({ a: 1 });`,
    },
    ['use.js:1 sales.findOne: by a, limited'],
  ],
  [
    'by what another module assigns to an object of the source',
    {
      'app.js': `module.exports = { name: 'shop' };`,
      'start.js': `const app = require('./app.js');\nconst mongoose = require('mongoose');\napp.db = (name, schema) => mongoose.model(name, schema, name);`,
      'base.js': `const app = require('app.js');\nconst { Schema } = require('mongoose');\nmodule.exports = class { constructor() { this.model = app.db(this.nameOf(), new Schema({})); } };`,
      'order.js': `const Base = require('./base.js');\nmodule.exports = class extends Base {\n  nameOf() { return 'order'; }\n  one(id) { return this.model.findOne({ id }); }\n};`,
    },
    ['order.js:4 order.findOne: by id, limited'],
  ],
  [
    'on a model that is looked for before it is made, and of an enumeration',
    {
      'model.ts': `import mongoose, { Schema } from 'mongoose';\nenum Names { User = 'user' }\nconst made = (name, schema) => mongoose.models[name] ?? mongoose.model(name, schema);\nexport const User = made(Names.User, new Schema({}));\nUser.findOne({ a: 1 });`,
    },
    ['model.ts:5 users.findOne: by a, limited'],
  ],
  [
    'of `this` in a class that a schema loads, and in the statics of its options',
    {
      'order.ts': `import mongoose, { Schema } from 'mongoose';\nclass Orders { static async open() { return this.find({ open: true }); } }\nconst schema = new Schema({}, { statics: { last() { return this.find({}).sort({ at: -1 }); } } });\nschema.loadClass(Orders);\nexport const Order = mongoose.model('Order', schema);`,
    },
    ['order.ts:2 orders.find: by open', 'order.ts:3 orders.find: sorted by at'],
  ],
  [
    'on what NestJS provides for a token, and on models of typegoose that its module names',
    {
      'module.ts': `import { TypegooseModule } from 'nestjs-typegoose';\nimport { Schema } from 'mongoose';\nimport { Item } from './item';\nTypegooseModule.forFeature([{ typegooseClass: Item, schemaOptions: { collection: 'goods' } }]);\nexport const provider = { provide: 'LOGS', useFactory: (db) => db.model('Log', new Schema({})) };`,
      'item.ts': `export class Item {}`,
      'service.ts': `import { InjectModel } from 'nestjs-typegoose';\nimport { Item } from './item';\nexport class Service {\n  constructor(@InjectModel(Item) private items, @Inject('LOGS') private logs) {}\n  a() { return this.items.findOne({ a: 1 }); }\n  b() { return this.logs.deleteMany({ b: 1 }); }\n}`,
    },
    ['service.ts:5 goods.findOne: by a, limited', 'service.ts:6 logs.deleteMany: by b'],
  ],
  [
    'on one of two collections',
    { 'app.ts': `${DRIVER}const f = (old) => (old ? db.collection('archive') : orders).findOne({ a: 1 });` },
    ['app.ts:5 archive|orders.findOne: by a, limited'],
  ],
  [
    'on a model that nothing registers, of which its collection is not guessed',
    { 'app.ts': `import { model } from 'mongoose';\nmodel('Order').findOne({ a: 1 });` },
    ['app.ts:2 ?.findOne: by a, limited; collection unknown'],
  ],
  [
    'on a class whose base was not read, but not if it has the method itself',
    {
      'app.ts': `import { Base } from '@shop/base';\nclass Orders extends Base {\n  run() { return this.findOne({ a: 1 }); }\n  count() { return 1; }\n  all() { return this.count({ b: 1 }); }\n}`,
    },
    ['app.ts:3 ?.findOne: by a, limited; collection unknown'],
  ],
  [
    'of another library: not at all if it is not on MongoDB',
    {
      'app.ts': `import { Repository } from 'typeorm';\nexport const f = (users: Repository<object>) => users.findOne({ where: { a: 1 } });`,
    },
    [],
  ],
  [
    'of a type that refers to itself: unknown',
    { 'app.ts': `class Orders {\n  private db: Orders['db'];\n  run() { return this.db.findOne({ a: 1 }); }\n}` },
    ['app.ts:3 ?.findOne: by a, limited; collection unknown'],
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

  it.each<readonly [what: string, files: Readonly<Record<string, string>>, expected: readonly string[]]>(RESOLVED)(
    '%s',
    async (_, files, expected) => expect(await placesOf(files)).toEqual(expected),
  );

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

  it('counts calls that it does not understand, by what they are called on', async () => {
    const { places } = await understood({
      'app.ts': `${DRIVER}import { User } from '@shop/models';
User.findOne({ a: 1 });
User.find(process.argv);
orders.findOne({ b: 1 });
orders.find({ ...User });
export const f = (name, given) => [db.collection(name).deleteMany({}), given.updateOne({ a: 1 }, { $set: { b: 1 } })];`,
    });
    const { causes, ...counts } = callCounts(places);
    expect(counts).toEqual({ understood: 1, partly: 1, notUnderstood: 3, mayBeNone: 1 });
    expect(causes.map(causeText)).toEqual([
      '1 call on `@shop/models`, which was not read: add its folder to `code:`',
      '1 call on a collection whose name is computed',
      '1 call on a parameter of a function',
    ]);
  });

  it('says that Prisma and TypeORM are not read, where they are on MongoDB', async () => {
    const client = `import { PrismaClient } from '@prisma/client';\nnew PrismaClient();\nexport const f = (db: PrismaClient) => db.user.update({ where: { a: 1 } }, {});`;
    const onMongo = await understood({ 'app.ts': client, 'schema.prisma': 'datasource db { provider = "mongodb" }' });
    expect(callCounts(onMongo.places).causes.map(causeText)).toEqual([
      '1 call of `@prisma/client`, whose operations are not read',
    ]);
    const elsewhere = await understood({ 'app.ts': client, 'schema.prisma': 'datasource db { provider = "mysql" }' });
    expect(elsewhere.places).toEqual([]);
  });

  it('takes the properties of a typegoose class for paths, and their options for none', async () => {
    const { paths, indexes } = await understood({
      'order.ts': `import { prop, getModelForClass } from '@typegoose/typegoose';
class Line { @prop() public price: number; }
class Order {
  @prop({ unique: true }) public slug: string;
  @prop() public lines: Line[];
}
export const Orders = getModelForClass(Order);`,
    });
    expect(paths.flatMap(({ path }) => path ?? [])).toEqual(['slug', 'lines', 'lines.price']);
    expect(indexes.map(({ key }) => key)).toEqual([{ slug: 1 }]);
  });

  it('lists it as JSON that its published schema accepts', async () => {
    const code = await understood({
      'app.ts': `${MONGOOSE}User.findOne({ email: 1 });\nexport const f = (name) => name.updateOne({ a: 1 }, { $push: { b: 1 } });\nUser.aggregate([{ $match: { a: 1 } }, { $lookup: { from: 'orders', as: 'x' } }]);`,
    });
    const listing = JSON.parse(renderListing(code));
    const validate = new Ajv2020({ strict: true, validateFormats: false }).compile(listingJsonSchema());
    validate(listing);
    expect(validate.errors).toBe(null);
    expect(listing.places[0]).toMatchObject({
      file: 'app.ts',
      line: 3,
      column: 6,
      collection: 'users',
      method: 'findOne',
      role: 'application',
      understood: 'understood',
      shapes: [{ filter: { shape: { email: { $eq: '?number' } }, closed: true } }],
    });
    expect(listing.places[1]).toMatchObject({ collection: null, cause: { kind: 'parameter', name: null } });
    expect(listing.schemas).toMatchObject([{ collection: 'users', paths: [{ path: 'email' }] }]);
  });

  it('refuses a folder that has none, or is not there', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'));
    await expect(readCode(empty)).rejects.toThrow(`No JavaScript or TypeScript lies below ${empty}.`);
    await expect(readCode(join(empty, 'missing'))).rejects.toThrow("can't be read");
  });
});
