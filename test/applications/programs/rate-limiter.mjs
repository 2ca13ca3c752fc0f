import { MongoClient } from 'mongodb';
import { RateLimiterMongo } from 'rate-limiter-flexible';
import { below, databaseName, times, uri } from './support.mjs';

const client = await MongoClient.connect(uri);
// As the documentation's protection of a login from brute force: by address, and by name and address.
const options = { storeClient: client, dbName: databaseName, tableName: 'login_fail' };
const byAddress = new RateLimiterMongo({
  ...options,
  keyPrefix: 'slow',
  points: 100,
  duration: 86_400,
  blockDuration: 86_400,
});
const byName = new RateLimiterMongo({ ...options, keyPrefix: 'consecutive', points: 10, duration: 90 * 86_400 });
await times(6_000, async () => {
  const address = `10.0.${below(64)}.${below(256)}`;
  const name = `user${below(3_000)}_${address}`;
  await Promise.all([byAddress.get(address), byName.get(name)]);
  await Promise.all([byAddress.consume(address).catch(() => {}), byName.consume(name).catch(() => {})]);
  if (below(20) === 0) await byName.delete(name);
});
await client.close();
process.exit(0);
