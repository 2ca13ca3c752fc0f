import { ObjectId, type Db, type Document } from 'mongodb';
import { SeededRandom } from '../../src/demo/seeded-random.js';

const BATCH = 1_000;

/**
 * Collections whose figures lie on the lines of checks, so that a sample of other documents each time would find them now above
 * and now below: an array with 1 % at 200 documents, 5 % strays, 5 % dangling references, 1,000 names, 5 % drifted copies, and
 * a few documents unlike all others.
 *
 * @param count documents of each
 */
export async function plantNearLines(database: Db, count: number): Promise<void> {
  const random = new SeededRandom(count);
  const customers = Array.from({ length: 500 }, (_, number) => ({ _id: new ObjectId(), name: `customer ${number}` }));
  await database.collection('customers').insertMany(customers);
  await fill(database, 'threads', count, () => ({ title: 'thread', posts: posts(random, 0.01, 200) }));
  await fill(database, 'polls', count, (number) => ({ votes: posts(random, number % 20_000 === 17 ? 1 : 0, 1_200) }));
  await fill(database, 'payments', count, () => ({
    amount: random.chance(0.05) ? '12' : random.below(90),
    kind: 'card',
  }));
  await fill(database, 'shipments', count, (number) => ({ weight: number % 3_000 === 7 ? 'heavy' : random.below(90) }));
  await fill(database, 'orders', count, () => {
    const customer = random.choose(customers);
    const copied = random.chance(0.05) ? 'renamed' : customer.name;
    return { customer_id: random.chance(0.05) ? new ObjectId() : customer._id, customer_name: copied };
  });
  await fill(database, 'scores', count, () => ({
    byPlayer: Object.fromEntries([1, 2].map(() => [`player_${random.below(1_000)}`, random.below(9)])),
  }));
  // These are far beyond their lines.
  await fill(database, 'reviews', Math.min(count, 25_000), () => {
    const length = Math.ceil(40 * Math.exp(1.2 * normal(random)));
    return { comments: Array.from({ length }, (_, number) => ({ by: number })) };
  });
  await fill(database, 'parcels', count, () => ({ weight: random.chance(0.03) ? '12' : random.below(90) }));
  // Each sensor in turn, a second apart: a perfect series.
  await fill(database, 'readings', Math.max(count, 10_000), (number) => ({
    at: new Date(Date.UTC(2026, 0, 1) + Math.floor(number / 20) * 1_000),
    sensor: `sensor ${number % 20}`,
    value: random.next(),
  }));
}

/** By Box and Muller. */
function normal(random: SeededRandom): number {
  return Math.sqrt(2 * random.exponential()) * Math.cos(2 * Math.PI * random.next());
}

function posts(random: SeededRandom, share: number, long: number): Document[] {
  const length = random.chance(share) ? random.between(long - 20, long + 20) : random.between(1, 12);
  return Array.from({ length }, (_, number) => ({ by: number }));
}

async function fill(database: Db, name: string, count: number, document: (number: number) => Document): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const length = Math.min(BATCH, count - from);
    await database.collection(name).insertMany(Array.from({ length }, (_, index) => document(from + index)));
  }
}
