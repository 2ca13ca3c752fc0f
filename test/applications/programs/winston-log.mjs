import { MongoClient } from 'mongodb';
import winston from 'winston';
import { MongoDB } from 'winston-mongodb';
import { between, choose, uri, words } from './support.mjs';

const client = new MongoClient(uri);
await client.connect();
const log = winston.createLogger({ level: 'info', transports: [] });
const transport = new MongoDB({ db: client, collection: 'log', expireAfterSeconds: 30 * 86_400 });
log.add(transport);
for (let entry = 0; entry < 20_000; entry += 1) {
  const metadata =
    entry % 3 === 0
      ? { url: `/${words(1)}`, status: choose([200, 200, 404, 500]) }
      : { job: words(1), ms: between(1, 900) };
  log.log(entry % 50 === 0 ? 'error' : 'info', words(6), { metadata });
  if (entry % 200 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
}
const query = (options) =>
  new Promise((resolve, reject) =>
    transport.query(options, (error, found) => (error ? reject(error) : resolve(found))),
  );
await new Promise((resolve) => setTimeout(resolve, 2_000));
for (let look = 0; look < 30; look += 1)
  await query({ from: new Date(Date.now() - 60_000), until: new Date(), limit: 50, start: 0, order: 'desc' });
await client.close();
process.exit(0);
