import { ObjectId, type Collection, type Db, type Document } from 'mongodb';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { SECONDS_PER_DAY } from '../../src/time-units.js';
import { type Exhibit, faulty, planted, type PlantedCollection } from './exhibit.js';

/** That the twin keeps, by `$push … $slice`. */
const NEWEST_COMMENTS = 20;

const POSTS = 400;

function comment(random: SeededRandom): object {
  return {
    _id: new ObjectId(),
    by: `reader-${random.between(1, 5_000)}`,
    at: new Date(1.7e12 + random.next() * 1e10),
    text: 'a comment of some length '.repeat(random.between(1, 4)),
  };
}

/** Most posts have few comments, a few have thousands. */
function popularity(random: SeededRandom): number {
  return Math.min(6_000, Math.floor(4 / Math.max(1e-3, 1 - random.next()) ** 1.1));
}

export const unboundedArray: Exhibit = {
  check: 'unbounded-array',
  story: 'all comments kept in their post / the newest 20 in the post, all in a collection of their own',
  bad: faulty('posts', 'comments', async (database, name) => {
    const random = new SeededRandom(1);
    const posts = Array.from({ length: POSTS }, (_, index) => ({
      title: `post ${index}`,
      comments: Array.from({ length: popularity(random) }, () => comment(random)),
    }));
    await database.collection(name).insertMany(posts);
  }),
  twin: planted('posts_with_newest_comments', async (database, name) => {
    const random = new SeededRandom(1);
    const posts = Array.from({ length: POSTS }, (_, index) => {
      const commentCount = popularity(random);
      const newest = Array.from({ length: Math.min(NEWEST_COMMENTS, commentCount) }, () => comment(random));
      return { title: `post ${index}`, commentCount, newestComments: newest };
    });
    await database.collection(name).insertMany(posts);
  }),
};

const CUSTOMERS = 400;

const OLDEST_DAYS = 60;

const VISITS_PER_DAY = 3;

/** By `$push … $slice`. */
const NEWEST_VISITS = 20;

/** Customers who are on the site while the demo lints. */
const ONLINE = 10;

interface Customer {
  readonly _id: ObjectId;
  readonly visits: readonly object[];
}

/** The age of a customer shows in its visit list and in its `_id`. */
function customers(longest: number): Customer[] {
  const random = new SeededRandom(8);
  const now = Math.floor(Date.now() / 1_000);
  return Array.from({ length: CUSTOMERS }, () => {
    const days = random.next() * OLDEST_DAYS;
    const visits = Math.round(days * VISITS_PER_DAY * (0.8 + 0.4 * random.next()));
    return {
      _id: ObjectId.createFromTime(now - Math.round(days * SECONDS_PER_DAY)),
      visits: Array.from({ length: Math.min(longest, visits) }, () => ({
        page: random.between(1, 500),
        seconds: random.between(1, 90),
      })),
    };
  });
}

/** `createFromTime` sets all but the time to zero, so two customers of one second would share an `_id`. */
function distinct(documents: readonly Customer[]): Customer[] {
  return [...new Map(documents.map((document) => [String(document._id), document])).values()];
}

/** The oldest customers are on the site. */
async function visit(all: Collection<Customer>, sliced: { readonly $slice?: number }): Promise<void> {
  const online = await all
    .find({}, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(ONLINE)
    .toArray();
  const added = { page: 1, seconds: 30 };
  await all.updateMany(
    { _id: { $in: online.map(({ _id: id }) => id) } },
    { $push: { visits: { $each: [added], ...sliced } } },
  );
}

/** With what the application writes while it is linted: visits of which the newest are kept. */
function visited(name: string, kept: number, sliced: { readonly $slice?: number }): PlantedCollection {
  return {
    name,
    plant: (database) => database.collection<Customer>(name).insertMany(distinct(customers(kept))),
    write: (database) => visit(database.collection(name), sliced),
  };
}

const fastGrowingArray: Exhibit = {
  check: 'fast-growing-array',
  story: 'every visit kept in its customer, three a day / the newest 20 visits in the customer',
  bad: { ...visited('customers_with_all_visits', Infinity, {}), path: 'visits' },
  twin: visited('customers_with_newest_visits', NEWEST_VISITS, { $slice: -NEWEST_VISITS }),
};

const HOSTS = 60;

const longReferenceArray: Exhibit = {
  check: 'long-reference-array',
  story: 'a host that lists the _ids of all its log messages / messages that refer to their host',
  bad: faulty('hosts_listing_messages', 'messages', async (database, name) => {
    const random = new SeededRandom(2);
    const hosts = Array.from({ length: HOSTS }, (_, index) => ({
      name: `host-${index}`,
      messages: Array.from({ length: random.between(100, 12_000) }, () => new ObjectId()),
    }));
    await database.collection(name).insertMany(hosts);
  }),
  twin: planted('messages_naming_host', async (database, name) => {
    const random = new SeededRandom(2);
    const hosts = Array.from({ length: HOSTS }, () => new ObjectId());
    const messages = Array.from({ length: 6_000 }, () => ({
      host: random.choose(hosts),
      severity: random.between(0, 7),
      text: 'connection accepted',
    }));
    await database.collection(name).createIndex({ host: 1 });
    await database.collection(name).insertMany(messages);
  }),
};

const WRITTEN_POSTS = 40;

/** As many posts as a test plants, each of which gets a comment. */
async function plantCommented(database: Db, name: string, push: Document): Promise<void> {
  const posts = database.collection<{ _id: number; comments: Document[] }>(name);
  await posts.insertMany(Array.from({ length: WRITTEN_POSTS }, (_, _id) => ({ _id, comments: [] })));
  await recordOperations(database, async () => {
    for (let _id = 0; _id < WRITTEN_POSTS; _id += 1) await posts.updateOne({ _id }, { $push: push });
  });
}

const uncappedWrite: Exhibit = {
  check: 'uncapped-write',
  needsMember: true,
  story: 'forty posts of a test that get comments without a cap / that keep the newest hundred',
  bad: faulty('posts_of_a_test', 'comments', (database, name) =>
    plantCommented(database, name, { comments: { text: 'Yes' } }),
  ),
  twin: planted('posts_of_a_test_capped', (database, name) =>
    plantCommented(database, name, { comments: { $each: [{ text: 'Yes' }], $slice: -100 } }),
  ),
};

export const arraysExhibits: readonly Exhibit[] = [unboundedArray, fastGrowingArray, longReferenceArray, uncappedWrite];
