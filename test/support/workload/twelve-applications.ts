/** Twelve applications, each with its own collection: their weaknesses are labelled before anything runs. */
import { MongoClient, type Db, type Document } from 'mongodb';

/** One application: what it asks, how often, and what is to be found of it. */
export interface PlantedApplication {
  /** Its `appName`, and the `comment` of each of its operations. */
  readonly name: string;
  /** The check and collection of the finding about it; null if it is well designed, or reads what it needs. */
  readonly weakness: { readonly check: string; readonly collection: string } | null;
  readonly executions: number;
  readonly run: (database: Db, round: number) => Promise<unknown>;
}

const DAY = 86_400_000;
const options = (comment: string) => ({ comment });

export const APPLICATIONS: readonly PlantedApplication[] = [
  {
    name: 'accounts',
    weakness: { check: 'missing-lookup-index', collection: 'invoices' },
    executions: 24,
    run: (database, round) =>
      database
        .collection('customers')
        .aggregate(
          [
            { $match: { _id: { $gte: round * 10, $lt: round * 10 + 10 } } },
            {
              $lookup: {
                from: 'invoices',
                let: { customer: '$_id' },
                pipeline: [{ $match: { $expr: { $eq: ['$customer', '$$customer'] } } }],
                as: 'invoices',
              },
            },
          ],
          options('accounts'),
        )
        .toArray(),
  },
  {
    name: 'checkout',
    weakness: { check: 'collection-scan', collection: 'orders' },
    executions: 40,
    run: (database, round) => database.collection('orders').find({ basket: round }, options('checkout')).toArray(),
  },
  {
    name: 'catalogue',
    weakness: { check: 'deep-skip', collection: 'articles' },
    executions: 15,
    run: (database, round) =>
      database
        .collection('articles')
        .find({}, options('catalogue'))
        .sort({ _id: 1 })
        .skip(10_500 + round)
        .limit(20)
        .toArray(),
  },
  {
    name: 'search',
    weakness: { check: 'case-insensitive-regex', collection: 'products' },
    executions: 20,
    run: (database, round) =>
      database
        .collection('products')
        .find({ title: { $regex: `^product ${round}$`, $options: 'i' } }, options('search'))
        .toArray(),
  },
  {
    name: 'mailer',
    weakness: { check: 'poor-targeting', collection: 'subscribers' },
    executions: 30,
    run: (database, round) =>
      database
        .collection('subscribers')
        .find({ country: 'CH', address: `a${round * 2}@example.com` }, options('mailer'))
        .toArray(),
  },
  {
    name: 'reports',
    weakness: { check: 'in-memory-sort', collection: 'visits' },
    executions: 12,
    run: (database) => database.collection('visits').find({}, options('reports')).sort({ at: -1 }).limit(10).toArray(),
  },
  {
    name: 'billing',
    weakness: { check: 'collection-scan', collection: 'payments' },
    executions: 8,
    run: (database, round) =>
      database.collection('payments').updateMany({ due: round }, { $set: { paid: true } }, options('billing')),
  },
  {
    name: 'stock',
    weakness: { check: 'collection-scan', collection: 'items' },
    executions: 6,
    run: (database, round) =>
      database
        .collection('items')
        .findOneAndUpdate({ sku: `sku ${3_400 + round}` }, { $inc: { left: -1 } }, options('stock')),
  },
  {
    name: 'sessions',
    weakness: null,
    executions: 60,
    run: (database, round) => database.collection('sessions').findOne({ token: round }, options('sessions')),
  },
  {
    name: 'feed',
    weakness: null,
    executions: 30,
    run: (database, round) =>
      database
        .collection('posts')
        .find({ author: round % 20 }, options('feed'))
        .sort({ at: -1 })
        .limit(20)
        .toArray(),
  },
  {
    name: 'export',
    weakness: null,
    executions: 6,
    run: (database) => database.collection('posts').find({}, options('export')).toArray(),
  },
  {
    name: 'profile',
    weakness: null,
    executions: 40,
    run: (database, round) =>
      database
        .collection<{ _id: number }>('customers')
        .updateOne({ _id: round }, { $set: { seen: true } }, options('profile')),
  },
];

/** By collection: how many documents, what each holds, and its indexes. */
const COLLECTIONS: Readonly<Record<string, readonly [number, (number: number) => Document, readonly Document[]]>> = {
  customers: [1_200, (number) => ({ _id: number, name: `customer ${number}` }), []],
  invoices: [2_000, (number) => ({ customer: number % 1_200, total: number }), []],
  orders: [6_000, (number) => ({ basket: number % 1_500, state: number % 3 }), []],
  articles: [12_000, (number) => ({ _id: number, name: `article ${number}` }), []],
  products: [5_000, (number) => ({ title: `Product ${number}` }), []],
  subscribers: [
    6_000,
    (number) => ({ country: number % 2 === 0 ? 'CH' : 'DE', address: `a${number}@example.com` }),
    [{ country: 1 }],
  ],
  visits: [4_000, (number) => ({ at: new Date(1.7e12 + ((number * 7_919) % 4_000) * DAY) }), []],
  payments: [3_000, (number) => ({ due: number % 600, paid: false }), []],
  items: [3_500, (number) => ({ sku: `sku ${number}`, left: 1_000 }), []],
  sessions: [2_000, (number) => ({ token: number }), [{ token: 1 }]],
  posts: [3_000, (number) => ({ author: number % 20, at: new Date(1.7e12 + number * DAY) }), [{ author: 1, at: -1 }]],
};

export async function plantCollections(database: Db): Promise<void> {
  for (const [name, [documents, of, indexes]] of Object.entries(COLLECTIONS)) {
    await database.collection(name).insertMany(Array.from({ length: documents }, (_, number) => of(number)));
    for (const index of indexes) await database.collection(name).createIndex(index as Record<string, 1>);
  }
}

/** Runs each application over a connection of its own, under its name. */
export async function runApplications(uri: string, databaseName: string): Promise<void> {
  for (const { name, executions, run } of APPLICATIONS) {
    const client = new MongoClient(uri, { appName: name });
    try {
      for (let round = 0; round < executions; round += 1) await run(client.db(databaseName), round);
    } finally {
      await client.close();
    }
  }
}

/** What an application examined in vain. */
export interface Wasted {
  readonly documents: number;
  /** With index keys. */
  readonly examined: number;
}

/** By application, what the profiler says it wasted: a plain aggregation that shares nothing with mongolint's own reading. */
export async function wastedByApplication(database: Db): Promise<Map<string, Wasted>> {
  const comment = { $ifNull: ['$command.comment', '$originatingCommand.comment'] };
  const written = { $add: ['nModified', 'ndeleted', 'ninserted'].map((name) => ({ $ifNull: [`$${name}`, 0] })) };
  const answered = { $max: [{ $ifNull: ['$nreturned', 0] }, written] };
  const rows = await database
    .collection('system.profile')
    .aggregate<{ _id: string; documents: number; keys: number }>([
      { $match: { op: { $ne: 'killcursors' } } },
      { $addFields: { name: { $ifNull: ['$appName', comment] }, answered } },
      { $match: { name: { $in: APPLICATIONS.map(({ name }) => name) } } },
      {
        $group: {
          _id: '$name',
          documents: { $sum: '$docsExamined' },
          keys: { $sum: '$keysExamined' },
          answered: { $sum: '$answered' },
        },
      },
      {
        $project: {
          documents: { $max: [0, { $subtract: ['$documents', '$answered'] }] },
          keys: { $max: [0, { $subtract: ['$keys', '$answered'] }] },
        },
      },
    ])
    .toArray();
  return new Map(rows.map(({ _id, documents, keys }) => [_id, { documents, examined: documents + keys }]));
}
