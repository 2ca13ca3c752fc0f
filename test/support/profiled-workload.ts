import { ObjectId, type Db } from 'mongodb';

const PATRONS = 1_500;
const ORDERS = 6_000;
const MB = 1024 * 1024;

/** Level 2 of the profiler, which holds more than its usual 1 MB. */
export async function switchProfilerOn(database: Db, filter?: object): Promise<void> {
  await database.command({ profile: 0 });
  await database.collection('system.profile').drop();
  await database.createCollection('system.profile', { capped: true, size: 16 * MB });
  await database.command({ profile: 2, ...(filter !== undefined && { filter }) });
}

/** What the operations of `runNearLines` read. */
export async function plantForWorkload(database: Db): Promise<void> {
  const patrons = Array.from({ length: PATRONS }, (_, number) => ({ _id: new ObjectId(), number }));
  await database.collection('patrons').insertMany(patrons);
  await database
    .collection('addresses')
    .insertMany(patrons.flatMap(({ _id }, number) => Array.from({ length: number % 4 }, () => ({ patron: _id }))));
  await database.collection('addresses').createIndex({ patron: 1 });
  await database.collection('orders').insertMany(
    Array.from({ length: ORDERS }, (_, number) => ({
      patron: patrons[number % PATRONS]?._id,
      state: number % 7,
      total: number % 500,
      day: new Date(Date.UTC(2026, 0, 1 + (number % 90))),
      name: `order ${number}`,
    })),
  );
  await database.collection('orders').createIndex({ state: 1 });
  await database.collection('notes').insertMany(Array.from({ length: 1_010 }, (_, number) => ({ number })));
}

/**
 * An application whose figures lie on the lines of checks: scans of 1,000 documents, joins as a part of all operations,
 * sorts in memory, filters that an index serves badly.
 */
export async function runNearLines(database: Db): Promise<void> {
  const [patrons, orders, notes] = ['patrons', 'orders', 'notes'].map((name) => database.collection(name));
  for (let round = 0; round < 30; round += 1) {
    await notes?.findOne({ number: 995 + round });
    await orders?.find({ total: round }).toArray();
    await orders?.find({ state: round % 7, name: /^order 1/i }).toArray();
    await orders
      ?.find({ state: round % 7 })
      .sort({ day: -1 })
      .skip(round * 20)
      .limit(10)
      .toArray();
    const joined = { from: 'addresses', localField: '_id', foreignField: 'patron', as: 'addresses' };
    await patrons?.aggregate([{ $match: { number: round } }, { $lookup: joined }]).toArray();
    const ordered = { from: 'orders', localField: '_id', foreignField: 'patron', as: 'orders' };
    if (round % 3 === 0) await patrons?.aggregate([{ $match: { number: round } }, { $lookup: ordered }]).toArray();
    await patrons?.updateOne({ number: round }, { $set: { seen: true } });
  }
}
