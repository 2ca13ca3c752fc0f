import { ObjectId } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';

/** With the bestsellers fewer than a sample holds, so that it misses none by chance. */
const BOOKS = 900;
const BESTSELLERS = 4;
const CUSTOMERS_PER_DOCUMENT = 40;
const BESTSELLER_CUSTOMERS = 60_000;

const ids = (count: number) => Array.from({ length: count }, () => new ObjectId());

export const outlierDocument: Exhibit = {
  check: 'outlier-document',
  story: 'a few bestsellers a thousand times the size of other books / their buyers in overflow documents',
  bad: {
    name: 'books',
    path: null,
    async plant(database) {
      const random = new SeededRandom(7);
      const collection = database.collection(this.name);
      const books = Array.from({ length: BOOKS }, (_, index) => ({
        title: `book ${index}`,
        customers: ids(random.between(CUSTOMERS_PER_DOCUMENT / 2, CUSTOMERS_PER_DOCUMENT)),
      }));
      await collection.insertMany(books);
      await collection.insertMany(
        Array.from({ length: BESTSELLERS }, () => ({ title: 'a bestseller', customers: ids(BESTSELLER_CUSTOMERS) })),
      );
    },
  },
  twin: {
    name: 'books_with_overflow',
    async plant(database) {
      const random = new SeededRandom(7);
      const books = Array.from({ length: BOOKS }, (_, index) => ({
        title: `book ${index}`,
        customers: ids(random.between(CUSTOMERS_PER_DOCUMENT / 2, CUSTOMERS_PER_DOCUMENT)),
        hasOverflow: false,
      }));
      const overflow = Array.from({ length: 300 }, (_, page) => ({
        book: page % BESTSELLERS,
        page,
        customers: ids(CUSTOMERS_PER_DOCUMENT),
        hasOverflow: page < 300 - BESTSELLERS,
      }));
      await database.collection(this.name).insertMany([...books, ...overflow]);
    },
  },
};
