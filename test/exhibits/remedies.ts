import type { Db, Document, MongoClient } from 'mongodb';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import type { Finding } from '../../src/finding.js';
import { runShellCode } from '../support/shell-code.js';
import { cookTogether, insertInTransactions, taste } from './operations.js';
import { askForOrders } from './order-queries.js';

const WITHOUT_CASE = { locale: 'en', strength: 2 };
const READS = 60;
const PAGE = 20;
/** In ms. */
const DAY = 86_400_000;

type Remedy = (database: Db, name: string) => Promise<unknown>;

/** Which statements that its steps show a person runs one after the other, in place of commands that anybody may. By check. */
const AS_PRINTED: Readonly<Record<string, RegExp>> = {
  'long-reference-array': /updateMany/,
  'lookup-type-mismatch': /updateMany/,
  'dangling-reference': /\$merge/,
  'mixed-types': /updateMany/,
  'schema-versions': /updateMany/,
  'typed-values-as-strings': /updateMany/,
  'useless-index': /dropIndex/,
  'hidden-index': /dropIndex/,
  'unique-index-on-optional-field': /createIndex|dropIndex/,
  'short-oplog': /collMod/,
  'expired-documents': /createIndex|deleteMany|collMod/,
  'ttl-without-effect': /collMod|updateMany/,
};

/** Runs what the steps of a finding show. False if they show nothing to run for its check. */
export async function runAsPrinted(client: MongoClient, { check, remedy }: Finding): Promise<boolean> {
  const wanted = AS_PRINTED[check];
  if (wanted === undefined) return false;
  const statements = remedy.steps
    .flatMap(({ code = '' }) => code.split(/\n(?=db\.)/))
    .filter((statement) => wanted.test(statement));
  for (const statement of statements) await runShellCode(client, statement, { until: new Date() });
  return statements.length > 0;
}

/** What a person does about the other exhibits whose remedies are no commands, as their steps say. By check. */
export const BY_HAND: Readonly<Record<string, Remedy>> = {
  'unbounded-array': (database, name) => keepNewest(database, name, 'comments'),
  'fast-growing-array': (database, name) => keepNewest(database, name, 'visits'),
  'oversized-document': (database, name) =>
    database.collection(name).updateMany({ trace: { $exists: true } }, { $unset: { trace: '' }, $set: { file: 'a' } }),
  'retried-transactions': (database, name) => cookTogether(database, name, false),
  'unsafe-write-concern': (database, name) => taste(database, name, ['majority']),
  'open-transactions': (database, name) => insertInTransactions(database, name, 3),
  'bloated-document': (database, name) =>
    database
      .collection(name)
      .updateMany({}, [{ $set: { poster: { $concat: ['posters/', { $toString: '$_id' }, '.webp'] } } }]),
  'outlier-document': withOverflow,
  'dynamic-field-names': async (database, name) => {
    await database.collection(name).updateMany({}, [{ $set: { scores: { $objectToArray: '$scores' } } }]);
    await database.collection(name).createIndex({ 'scores.k': 1, 'scores.v': 1 });
  },
  'deep-nesting': async (database, name) => {
    await database.collection(name).updateMany({}, { $unset: { reply: '' }, $set: { answers: null } });
    await database.collection(name).createIndex({ answers: 1 });
  },
  'archive-candidate': async (database, name) => {
    const events = database.collection(name);
    const old = { starts: { $not: { $gte: new Date(1.7e12 + 38 * DAY) } } };
    await events.aggregate([{ $match: old }, { $merge: { into: 'events_archive' } }]).toArray();
    await events.deleteMany(old);
  },
  'too-many-indexes': async (database, name) => {
    for (let property = 5; property < 25; property += 1)
      await database.collection(name).dropIndex(`property${String(property).padStart(2, '0')}_1`);
  },
  'large-multikey-index': async (database, name) => {
    await database.collection(name).dropIndex('likedBy_1');
    await database.collection(name).updateMany({}, { $unset: { likedBy: '' } });
  },
  'unindexed-reference': (database, name) => database.collection(name).createIndex({ product: 1 }),
  'uncapped-write': (database, name) =>
    recordOperations(database, async () => {
      await database.collection(name).updateMany({}, { $push: { comments: { $each: [], $slice: -100 } } as never });
    }),
  'upsert-without-unique-index': async (database, name) => {
    await database.collection(name).dropIndex('page_1');
    await database.collection(name).createIndex({ page: 1 }, { unique: true });
  },
  // The only member is the primary.
  'reusable-space': (database, name) => database.command({ compact: name, force: true }),
  'empty-collection': (database, name) => database.collection(name).drop(),
  'too-many-collections': asOne,
  'bucket-candidate': asTimeSeries,
  'timeseries-misconfigured': inLongBuckets,
  'heavy-lookup': withCopies,
  'early-lookup': (database, name) =>
    askForOrders(database, () =>
      database
        .collection(name)
        .aggregate([
          { $sort: { placed: -1 } },
          { $limit: 10 },
          { $lookup: { from: 'buyers_joined_first', localField: 'customer', foreignField: '_id', as: 'buyer' } },
          { $addFields: { buyer: { $first: '$buyer' } } },
        ])
        .toArray(),
    ),
  'split-one-to-few': embedded,
  'case-insensitive-regex': async (database, name) => {
    const orders = database.collection(name);
    await orders.createIndex({ mail: 1 }, { name: 'mail_without_case', collation: WITHOUT_CASE });
    await askForOrders(database, (customer) =>
      orders.findOne({ mail: `customer${customer}@example.com` }, { collation: WITHOUT_CASE }),
    );
  },
  'expression-filter': async (database, name) => {
    await askForOrders(database, (day) =>
      database
        .collection(name)
        .find({ placed: { $gte: new Date(1.7e12 + day * DAY), $lt: new Date(1.7e12 + (day + 1) * DAY) } })
        .toArray(),
    );
  },
  'unselective-filter': (database, name) =>
    askForOrders(database, (customer) =>
      database
        .collection(name)
        .find({ mail: `Customer${customer}@example.com` })
        .toArray(),
    ),
  'n-plus-one-query': (database, name) =>
    recordOperations(database, async () => {
      const orders = await database.collection('orders_one_by_one').find().limit(120).toArray();
      const ids = orders.map(({ customer }) => customer as never);
      await database
        .collection(name)
        .find({ _id: { $in: ids } })
        .toArray();
    }),
  'long-in-list': async (database, name) => {
    const orders = database.collection(name);
    const customers = { from: 'customers_of_regions', localField: 'customer', foreignField: '_id', as: 'source' };
    const copied = { customerRegion: { $first: '$source.region' } };
    await orders
      .aggregate([{ $lookup: customers }, { $project: copied }, { $merge: { into: name, whenNotMatched: 'discard' } }])
      .toArray();
    await orders.createIndex({ customerRegion: 1 });
    await askForOrders(database, (region) =>
      orders.find({ customerRegion: `region ${region % 4}` }, { projection: { number: 1 } }).toArray(),
    );
  },
  'whole-document-write': (database, name) =>
    recordOperations(database, async () => {
      for (let rated = 0; rated < 10; rated += 1)
        await database.collection(name).updateOne({}, { $set: { rating: 5 } });
    }),
  'failing-operations': (database, name) =>
    askForOrders(database, () => database.collection(name).updateOne({}, { $inc: { visits: 1 } })),
  'index-builds-in-requests': (database, name) =>
    recordOperations(database, async () => {
      await database.collection(name).createIndex({ number: 1 });
    }),
  'mass-write': (database, name) =>
    askForOrders(database, (season) => database.collection(name).updateOne({}, { $set: { season } })),
  'memory-bound-aggregation': (database, name) =>
    askForOrders(database, () =>
      database
        .collection(name)
        .aggregate([{ $sortByCount: '$views' }])
        .toArray(),
    ),
  'write-contention': (database, name) =>
    recordOperations(database, async () => {
      for (let view = 0; view < 200; view += 1)
        await database.collection(name).updateOne({ title: `book ${view}` }, { $inc: { views: 1 } });
    }),
  'endless-collection': (database, name) =>
    database.collection(name).createIndex({ at: 1 }, { expireAfterSeconds: 60 * 365 * 24 * 3_600 }),
  'never-matching-condition': async (database, name) => {
    const invoices = database.collection(name);
    const first = await invoices.findOne();
    await askForOrders(database, () => invoices.find({ _id: first?._id as never }).toArray());
  },
  // The new index begins with the field of this one, as the remedy says.
  'poor-targeting': (database, name) => database.command({ collMod: name, index: { name: 'status_1', hidden: true } }),
  'computed-value': (database, name) => askForOrders(database, () => database.collection(name).findOne({})),
  'full-count': (database, name) => askForOrders(database, () => database.collection(name).estimatedDocumentCount()),
  'rebuilt-array': (database, name) =>
    askForOrders(database, () =>
      database
        .collection(name)
        .aggregate([{ $project: { total: { $sum: '$items.price' } } }])
        .toArray(),
    ),
  'unbounded-find': (database, name) =>
    askForOrders(database, () =>
      database
        .collection(name)
        .find({}, { projection: { body: 0 } })
        .sort({ _id: 1 })
        .limit(PAGE)
        .toArray(),
    ),
  'over-fetching': (database, name) =>
    askForOrders(database, () =>
      database
        .collection(name)
        .find({}, { projection: { poster: 0 } })
        .sort({ _id: -1 })
        .limit(PAGE)
        .toArray(),
    ),
  'deep-skip': (database, name) =>
    askForOrders(database, (page) =>
      database
        .collection(name)
        .find({ number: { $gt: 11_000 + PAGE * page } })
        .sort({ number: 1 })
        .limit(PAGE)
        .toArray(),
    ),
};

function keepNewest(database: Db, name: string, path: string): Promise<unknown> {
  const newest: Document = { $push: { [path]: { $each: [], $slice: -PAGE } } };
  return database.collection(name).updateMany({}, newest);
}

/** The first buyers stay, the others are in documents of their own (outlier pattern). */
async function withOverflow(database: Db, name: string): Promise<void> {
  const books = database.collection<{ customers: unknown[] }>(name);
  for (const { _id, customers } of await books.find({ 'customers.40': { $exists: true } }).toArray()) {
    const pages = Array.from({ length: Math.ceil(customers.length / 40) - 1 }, (_, page) => ({
      book: _id,
      page,
      customers: customers.slice(40 * (page + 1), 40 * (page + 2)),
    }));
    await database.collection(`${name}_overflow`).insertMany(pages);
    await books.updateOne({ _id }, { $set: { customers: customers.slice(0, 40), hasOverflow: true } });
  }
  await database.collection(`${name}_overflow`).createIndex({ book: 1, page: 1 });
}

async function asOne(database: Db, glob: string): Promise<void> {
  const beginning = glob.replace('*', '');
  await database.createCollection(`${beginning}series`, { timeseries: { timeField: 'at', metaField: 'river' } });
  for (const { name } of await database.listCollections({ name: { $regex: `^${beginning}\\d` } }).toArray()) {
    const levels = await database.collection(name).find({}).toArray();
    await database.collection(`${beginning}series`).insertMany(levels);
    await database.collection(name).drop();
  }
}

async function asTimeSeries(database: Db, name: string): Promise<void> {
  const readings = await database.collection(name).find({}).toArray();
  await database.collection(name).drop();
  await database.createCollection(name, {
    timeseries: { timeField: 'at', metaField: 'sensor', granularity: 'minutes' },
  });
  await database.collection(name).insertMany(readings);
}

async function inLongBuckets(database: Db, name: string): Promise<void> {
  const levels = await database.collection(name).find({}).sort({ gauge: 1, at: 1 }).toArray();
  await database.collection(name).drop();
  await database.createCollection(name, {
    timeseries: { timeField: 'at', metaField: 'gauge', granularity: 'hours' },
  });
  await database.collection(name).insertMany(levels);
}

async function withCopies(database: Db, name: string): Promise<void> {
  const orders = database.collection(name);
  for (const { _id, name: buyerName } of await database.collection('buyers_joined').find({}).toArray())
    await orders.updateMany({ buyer: _id }, { $set: { buyerName: buyerName as string } });
  await orders.createIndex({ buyer: 1 });
  await recordOperations(database, async () => {
    for (let page = 0; page < READS; page += 1)
      await orders.find({ number: { $gte: page * PAGE, $lt: (page + 1) * PAGE } }).toArray();
  });
}

async function embedded(database: Db, name: string): Promise<void> {
  const patrons = database.collection('patrons_joined');
  const children = { from: name, localField: '_id', foreignField: 'patron', as: 'addresses' };
  await patrons
    .aggregate([{ $lookup: children }, { $unset: ['addresses._id', 'addresses.patron'] }, { $merge: 'patrons_joined' }])
    .toArray();
  await database.collection(name).drop();
  await recordOperations(database, async () => {
    for (const { _id } of await patrons.find({}, { projection: { _id: 1 }, limit: READS }).toArray())
      await patrons.findOne({ _id });
  });
}
