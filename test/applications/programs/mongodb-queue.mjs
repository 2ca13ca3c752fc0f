import { promisify } from 'node:util';
import mongodb from 'mongodb';
import mongoDbQueue from 'mongodb-queue';
import { times, uri, words } from './support.mjs';

const client = await mongodb.MongoClient.connect(uri, { useUnifiedTopology: true });
const queue = mongoDbQueue(client.db(), 'resize-image-queue', { visibility: 30 });
const call = (method) => promisify(queue[method].bind(queue));
const [add, get, ack, ping, size, inFlight] = ['add', 'get', 'ack', 'ping', 'size', 'inFlight'].map(call);

await call('createIndexes')();
await times(6_000, (number) => add({ image: `images/${number}.jpg`, title: words(3) }));
// Workers take what is oldest; what is done stays, as the documentation says.
await times(
  4_500,
  async (number) => {
    const message = await get();
    if (number % 10 === 0) await ping(message.ack);
    await ack(message.ack);
  },
  4,
);
for (let look = 0; look < 20; look += 1) await Promise.all([size(), inFlight(), call('total')(), call('done')()]);
await client.close();
