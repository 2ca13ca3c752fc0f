import { ObjectId, type Collection, type Db } from 'mongodb';
import { SECONDS_PER_DAY } from '../../time-units.js';
import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';

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

export const fastGrowingArray: Exhibit = {
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
