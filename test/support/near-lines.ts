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
  await plantShapes(database, count, random);
  await plantRareDocuments(database, count, random);
  await plantReferences(database, count, random);
  await plantBeyondLines(database, count, random);
}

async function plantShapes(database: Db, count: number, random: SeededRandom): Promise<void> {
  await fill(database, 'threads', count, () => ({ title: 'thread', posts: posts(random, 0.01, 200) }));
  await fill(database, 'payments', count, () => ({
    amount: random.chance(0.05) ? '12' : random.below(90),
    kind: 'card',
  }));
  await fill(database, 'scores', count, () => ({
    byPlayer: Object.fromEntries([1, 2].map(() => [`player_${random.below(1_000)}`, random.below(9)])),
  }));
  // 2,000 references, and 200 fields, by the longest.
  await fill(database, 'followings', Math.min(count, 25_000), () => ({
    accounts: Array.from({ length: random.chance(0.01) ? random.between(1_900, 2_100) : 3 }, () => new ObjectId()),
  }));
  await fill(database, 'settings', count, () =>
    named('flag', random.chance(0.01) ? random.between(190, 210) : random.between(1, 9)),
  );
  // Shape of which a field belongs to 95 %, and of which nine in ten fields are common.
  await fill(database, 'articles', Math.max(count, 10_000), () => ({
    ...named('part', 9),
    ...(random.chance(0.95) && { author: 'nobody' }),
    ...(random.chance(0.9) && { [`extra_${random.below(30)}`]: true }),
  }));
}

/** One in thousands. */
async function plantRareDocuments(database: Db, count: number, random: SeededRandom): Promise<void> {
  await fill(database, 'polls', count, (number) => ({ votes: posts(random, number % 20_000 === 17 ? 1 : 0, 1_200) }));
  await fill(database, 'shipments', count, (number) => ({ weight: number % 3_000 === 7 ? 'heavy' : random.below(90) }));
  await fill(database, 'scans', count, (number) => ({ text: 'x'.repeat(number % 3_000 === 11 ? 262_000 : 90) }));
  await fill(database, 'menus', count, (number) => ({ menu: nested(number % 3_000 === 13 ? 33 : 3) }));
}

/** References, copies and joins. */
async function plantReferences(database: Db, count: number, random: SeededRandom): Promise<void> {
  const customers = Array.from({ length: 500 }, (_, number) => ({ _id: new ObjectId(), name: `customer ${number}` }));
  await database.collection('customers').insertMany(customers);
  await fill(database, 'orders', count, () => {
    const customer = random.choose(customers);
    const copied = random.chance(0.05) ? 'renamed' : customer.name;
    return { customer_id: random.chance(0.05) ? new ObjectId() : customer._id, customer_name: copied };
  });
  // Nineteen in twenty are found, and neighbours have the same one.
  const agents = Array.from({ length: 200 }, () => ({ _id: new ObjectId() }));
  await database.collection('agents').insertMany(agents.filter((_, number) => number % 20 !== 3));
  await fill(database, 'tickets', count, (number) => ({
    agent_id: agents[Math.floor((number / count) * agents.length)]?._id,
  }));
  await fill(database, 'visits', count, () => {
    const patient = random.choose(customers)._id;
    return { patient: random.chance(0.1) ? patient : patient.toHexString() };
  });
  await fill(database, 'calls', count, () => {
    const patient = random.choose(customers)._id;
    return { patient: random.chance(0.02) ? patient : patient.toHexString() };
  });
  for (const name of VIEWS) await createJoiningView(database, name);
}

/** Collections that a view joins with the customers. */
export const VIEWS = ['visits', 'calls'] as const;

export async function createJoiningView(database: Db, name: (typeof VIEWS)[number]): Promise<void> {
  await database.createCollection(`${name}_with_customers`, {
    viewOn: name,
    pipeline: [{ $lookup: { from: 'customers', localField: 'patient', foreignField: '_id', as: 'customer' } }],
  });
}

/** These are far beyond their lines. */
async function plantBeyondLines(database: Db, count: number, random: SeededRandom): Promise<void> {
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

function named(name: string, count: number): Document {
  return Object.fromEntries(Array.from({ length: count }, (_, number) => [`${name}_${number}`, number]));
}

function nested(levels: number): Document {
  return levels === 0 ? { dish: 'soup' } : { [`level_${levels}`]: nested(levels - 1) };
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
