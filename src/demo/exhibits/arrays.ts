import { ObjectId, type Collection, type Db, type Document } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';
import { SECONDS_PER_DAY } from '../../time-units.js';
import { recordOperations } from '../recorded-operations.js';

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
  bad: {
    name: 'posts',
    path: 'comments',
    async plant(database) {
      const random = new SeededRandom(1);
      const posts = Array.from({ length: POSTS }, (_, index) => ({
        title: `post ${index}`,
        comments: Array.from({ length: popularity(random) }, () => comment(random)),
      }));
      await database.collection(this.name).insertMany(posts);
    },
  },
  twin: {
    name: 'posts_with_newest_comments',
    async plant(database) {
      const random = new SeededRandom(1);
      const posts = Array.from({ length: POSTS }, (_, index) => {
        const commentCount = popularity(random);
        const newest = Array.from({ length: Math.min(NEWEST_COMMENTS, commentCount) }, () => comment(random));
        return { title: `post ${index}`, commentCount, newestComments: newest };
      });
      await database.collection(this.name).insertMany(posts);
    },
  },
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

function collectionIn(database: Db, { name }: { readonly name: string }): Collection<Customer> {
  return database.collection(name);
}

/** The oldest customers are on the site. */
async function visit(collection: Collection<Customer>, sliced: { readonly $slice?: number }): Promise<void> {
  const online = await collection
    .find({}, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(ONLINE)
    .toArray();
  const added = { page: 1, seconds: 30 };
  await collection.updateMany(
    { _id: { $in: online.map(({ _id: id }) => id) } },
    { $push: { visits: { $each: [added], ...sliced } } },
  );
}

const fastGrowingArray: Exhibit = {
  check: 'fast-growing-array',
  story: 'every visit kept in its customer, three a day / the newest 20 visits in the customer',
  bad: {
    name: 'customers_with_all_visits',
    path: 'visits',
    async plant(database) {
      await collectionIn(database, this).insertMany(distinct(customers(Infinity)));
    },
    async write(database) {
      await visit(collectionIn(database, this), {});
    },
  },
  twin: {
    name: 'customers_with_newest_visits',
    async plant(database) {
      await collectionIn(database, this).insertMany(distinct(customers(NEWEST_VISITS)));
    },
    async write(database) {
      await visit(collectionIn(database, this), { $slice: -NEWEST_VISITS });
    },
  },
};

const HOSTS = 60;

const longReferenceArray: Exhibit = {
  check: 'long-reference-array',
  story: 'a host that lists the _ids of all its log messages / messages that refer to their host',
  bad: {
    name: 'hosts_listing_messages',
    path: 'messages',
    async plant(database) {
      const random = new SeededRandom(2);
      const hosts = Array.from({ length: HOSTS }, (_, index) => ({
        name: `host-${index}`,
        messages: Array.from({ length: random.between(100, 12_000) }, () => new ObjectId()),
      }));
      await database.collection(this.name).insertMany(hosts);
    },
  },
  twin: {
    name: 'messages_naming_host',
    async plant(database) {
      const random = new SeededRandom(2);
      const hosts = Array.from({ length: HOSTS }, () => new ObjectId());
      const messages = Array.from({ length: 6_000 }, () => ({
        host: random.choose(hosts),
        severity: random.between(0, 7),
        text: 'connection accepted',
      }));
      await database.collection(this.name).createIndex({ host: 1 });
      await database.collection(this.name).insertMany(messages);
    },
  },
};

const WRITTEN_POSTS = 40;

/** As many posts as a test plants, each of which gets a comment. */
const commented = (name: string, push: Document) => ({
  name,
  async plant(database: Db) {
    const posts = database.collection<{ _id: number; comments: Document[] }>(name);
    await posts.insertMany(Array.from({ length: WRITTEN_POSTS }, (_, _id) => ({ _id, comments: [] })));
    await recordOperations(database, async () => {
      for (let _id = 0; _id < WRITTEN_POSTS; _id += 1) await posts.updateOne({ _id }, { $push: push });
    });
  },
});

const uncappedWrite: Exhibit = {
  check: 'uncapped-write',
  needsMember: true,
  story: 'forty posts of a test that get comments without a cap / that keep the newest hundred',
  bad: { ...commented('posts_of_a_test', { comments: { text: 'Yes' } }), path: 'comments' },
  twin: commented('posts_of_a_test_capped', { comments: { $each: [{ text: 'Yes' }], $slice: -100 } }),
};

export const arraysExhibits: readonly Exhibit[] = [unboundedArray, fastGrowingArray, longReferenceArray, uncappedWrite];
