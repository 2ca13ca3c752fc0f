import { ObjectId } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { seededRandom, wholeBetween } from '../seeded-random.js';

const CUSTOMERS = 400;
const OLDEST_DAYS = 60;
const VISITS_PER_DAY = 3;
/** Visits that the twin keeps, by `$push … $slice`. */
const NEWEST_VISITS = 20;
const SECONDS_PER_DAY = 86_400;

/** A customer with a visit list as long as its age makes it, and an `_id` that tells the age. */
function customers(longest: number): object[] {
  const random = seededRandom(8);
  const now = Math.floor(Date.now() / 1_000);
  return Array.from({ length: CUSTOMERS }, () => {
    const days = random() * OLDEST_DAYS;
    const visits = Math.round(days * VISITS_PER_DAY * (0.8 + 0.4 * random()));
    return {
      _id: ObjectId.createFromTime(now - Math.round(days * SECONDS_PER_DAY)),
      visits: Array.from({ length: Math.min(longest, visits) }, () => ({ page: wholeBetween(random, 1, 500), seconds: wholeBetween(random, 1, 90) })),
    };
  });
}

/** `createFromTime` leaves all but the time zero, so two customers of one second would share an `_id`. */
function distinct(documents: readonly object[]): object[] {
  const byId = new Map(documents.map((document) => [String((document as { _id: ObjectId })._id), document]));
  return [...byId.values()];
}

export const fastGrowingArray: Exhibit = {
  check: 'fast-growing-array',
  story: 'every visit kept in its customer, three a day / the newest 20 visits in the customer',
  bad: {
    name: 'customers_with_all_visits',
    path: 'visits',
    async plant(database) {
      await database.collection(this.name).insertMany(distinct(customers(Infinity)));
    },
  },
  twin: {
    name: 'customers_with_newest_visits',
    async plant(database) {
      await database.collection(this.name).insertMany(distinct(customers(NEWEST_VISITS)));
    },
  },
};
