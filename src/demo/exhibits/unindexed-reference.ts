import { ObjectId, type Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';

const PRODUCTS = 150;
const REVIEWS = 3_000;

async function plantReviews(database: Db, reviews: string, products: string): Promise<void> {
  const ids = Array.from({ length: PRODUCTS }, () => new ObjectId());
  await database.collection(products).insertMany(ids.map((_id, number) => ({ _id, name: `Product ${number}` })));
  const documents = Array.from({ length: REVIEWS }, (_, index) => ({
    product: ids[index % PRODUCTS],
    stars: 1 + (index % 5),
  }));
  await database.collection(reviews).insertMany(documents);
}

export const unindexedReference: Exhibit = {
  check: 'unindexed-reference',
  story: 'reviews that refer to their product, with nothing to find them by / with an index on the reference',
  bad: {
    name: 'reviews',
    path: 'product',
    beside: ['reviewed_products'],
    plant(database) {
      return plantReviews(database, this.name, 'reviewed_products');
    },
  },
  twin: {
    name: 'reviews_indexed',
    beside: ['indexed_products'],
    async plant(database) {
      await plantReviews(database, this.name, 'indexed_products');
      await database.collection(this.name).createIndex({ product: 1, stars: -1 });
    },
  },
};
