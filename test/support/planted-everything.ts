import { MongoClient } from 'mongodb';
import { seedCluster } from '../exhibits/seed-cluster.js';
import { plantShop, runShop } from './workload/shop-workload.js';

/**
 * One of each anti-pattern of the demo, a shop with joins whose operations are recorded, and indexes that are judged by the values of their filters.
 */
export async function plantEverything(uri: string): Promise<void> {
  await seedCluster(uri);
  const client = new MongoClient(uri);
  try {
    const shop = client.db('shop');
    await plantShop(shop);
    await shop.command({ profile: 2 });
    for (const run of [1, 2, 3]) await runShop(shop, run);
    // Joins that partial indexes serve, or do not: verdicts that rest on the values of their filters.
    const customers = shop.collection('customers');
    await customers.createIndex({ key: 1 }, { name: 'business', partialFilterExpression: { kind: 'b2b' } });
    await customers.createIndex({ kind: 1, key: 1 }, { name: 'some', partialFilterExpression: { key: { $gt: -5 } } });
    await customers.createIndex({ kind: 1 }, { name: 'fewer', partialFilterExpression: { key: { $gt: 7 } } });
    await shop.command({ collMod: 'orders', validator: { total: { $gte: 0 } } });
  } finally {
    await client.close();
  }
}
