import type { Db } from 'mongodb';
import { START, customers, day, one, products, publishers, times, whole, words, HOUR } from './clean-house-data.js';

/** Rounds of what the applications do. */
const ROUNDS = 40;

/** What well-written applications do with the data of the clean house: every query and every join is served by an index. */
export async function runCleanWorkload(database: Db): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    await showProduct(database);
    await showCustomer(database);
    await browseCatalogue(database, round);
    await write(database, round);
  }
}

/** A product, with the newest of all its reviews beside those that it holds. */
async function showProduct(database: Db): Promise<void> {
  await database.collection('products').findOne({ sku: `sku-${whole(0, products.length - 1)}` });
  await database
    .collection('reviews')
    .find({ product_id: one(products) })
    .sort({ published_date: -1 })
    .limit(5)
    .toArray();
}

/** A customer's newest orders, and the tasks that are due. */
async function showCustomer(database: Db): Promise<void> {
  const customer = one(customers)._id;
  await database.collection('customers').findOne({ _id: customer });
  await database.collection('orders').find({ 'customer._id': customer }).sort({ placed: -1 }).limit(20).toArray();
  const due = { $gt: new Date(START), $lt: new Date(START + 600 * 24 * HOUR) };
  await database.collection('tasks').find({ owner: customer, due_date: due }).toArray();
}

/** Products by the beginning of their number, a publisher's books with the publisher, and a branch of the categories. */
async function browseCatalogue(database: Db, round: number): Promise<void> {
  await database
    .collection('products')
    .find({ sku: /^sku-5/ })
    .limit(10)
    .toArray();
  await database.collection('movies').find({ 'releases.location': 'Italy' }).limit(10).toArray();
  await database
    .collection('categories')
    .find({ ancestors: whole(100, 190) })
    .toArray();
  if (round % 10 !== 0) return;
  const publisher = { from: 'publishers', localField: 'publisher_id', foreignField: '_id', as: 'publisher' };
  await database
    .collection('books')
    .aggregate([{ $match: { publisher_id: one(publishers) } }, { $limit: 10 }, { $lookup: publisher }])
    .toArray();
}

async function write(database: Db, round: number): Promise<void> {
  const lines = times(2, () => ({ product_id: one(products), quantity: 1, price: whole(1, 90) }));
  await database.collection('orders').updateOne({ 'customer._id': one(customers)._id }, { $set: { note: words(4) } });
  await database.collection('sessions').insertOne({ user: one(customers)._id, lastSeen: new Date(), cart: lines });
  if (round % 5 === 0)
    await database.collection('contacts').insertOne({ schema_version: 2, name: words(2), since: day() });
}
