/**
 * A process that writes at a steady rate, as the users of a production cluster do, and measures how long each write takes
 * from the moment at which it was due. Its parent says when a window begins and ends; it answers with the latencies.
 *
 * Usage: node write-load.js URI
 */
import { MongoClient } from 'mongodb';
import { SeededRandom } from '../src/demo/seeded-random.js';
import { orderDocument } from './bench-data.js';

const WRITES_PER_SECOND = 200;
const TICK_MS = 10;
const WRITES_PER_TICK = (WRITES_PER_SECOND * TICK_MS) / 1_000;
const MOST_DOCUMENTS = 20_000;
const SEED = 88;

let latencies: number[] = [];

async function writeOn(uri: string): Promise<void> {
  const client = await new MongoClient(uri, { writeConcern: { w: 'majority' } }).connect();
  const orders = client.db('written').collection<{ _id: number }>('orders');
  const random = new SeededRandom(SEED);
  const write = async (due: number): Promise<void> => {
    const key = { _id: random.below(MOST_DOCUMENTS) };
    await orders.replaceOne(key, orderDocument(random), { upsert: true });
    latencies.push(performance.now() - due);
  };
  let due = performance.now();
  setInterval(() => {
    // Whatever is late is sent at once, and its waiting counts: else a stall would hide in writes that were not sent.
    for (; due <= performance.now(); due += TICK_MS) {
      for (let index = 0; index < WRITES_PER_TICK; index += 1) void write(due).catch(() => process.exit(1));
    }
  }, TICK_MS);
}

process.on('message', (message: 'begin' | 'end') => {
  if (message === 'end') process.send?.(latencies);
  latencies = [];
});
process.on('disconnect', () => process.exit(0));
await writeOn(process.argv[2] as string);
process.send?.('ready');
