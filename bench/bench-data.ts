import { ObjectId, type Db } from 'mongodb';
import { SeededRandom } from '../src/demo/seeded-random.js';

const WORDS = 'the quick brown fox jumps over a lazy dog while seven wizards make toxic brew for evil queen'.split(' ');
const BATCH = 1_000;

/** For mongod: each collection and each index is a file of the server, which closes those that it does not use. */
export const FEW_OPEN_FILES =
  '--wiredTigerEngineConfigString=file_manager=(close_idle_time=3,close_scan_interval=1,close_handle_minimum=1000)';

/** An order of about 2 KB: nested objects, an array of sub-documents, strings, dates, ObjectIds, numbers. */
export function orderDocument(random: SeededRandom): object {
  const whole = (below: number) => random.below(below);
  const text = (words: number) => Array.from({ length: words }, () => WORDS[whole(WORDS.length)]).join(' ');
  return {
    customer: {
      _id: new ObjectId(),
      name: text(2),
      email: `${text(1)}@example.com`,
      tier: text(1),
      since: new Date(1.5e12 + whole(1e11)),
    },
    status: text(1),
    placed: new Date(1.6e12 + whole(1e11)),
    updated: new Date(1.6e12 + whole(1e11)),
    currency: 'EUR',
    total: random.next() * 1_000,
    paid: random.next() > 0.5,
    shipping: {
      street: text(3),
      city: text(1),
      zip: String(whole(99_999)),
      country: text(1),
      location: { type: 'Point', coordinates: [random.next() * 180, random.next() * 90] },
    },
    items: Array.from({ length: 3 + whole(8) }, () => ({
      product: new ObjectId(),
      name: text(4),
      quantity: whole(9),
      price: random.next() * 100,
      tags: [text(1), text(1)],
    })),
    notes: text(30),
    channel: text(1),
    attempts: whole(5),
    flags: [whole(9), whole(9), whole(9)],
  };
}

async function fill(database: Db, name: string, count: number, document: () => object): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const length = Math.min(BATCH, count - from);
    await database.collection(name).insertMany(Array.from({ length }, document), { ordered: false });
  }
}

/** Fifty collections as they occur: large ones of small documents, middling ones, small ones, a few of heavy documents. */
export async function plantMixedCollections(database: Db): Promise<void> {
  const random = new SeededRandom(50);
  const small = () => ({
    sensor: random.below(500),
    at: new Date(1.7e12 + random.next() * 1e9),
    value: random.next(),
    note: 'reading '.repeat(20),
  });
  const heavy = () => ({ ...orderDocument(random), page: 'x'.repeat(50_000) });
  for (let index = 0; index < 10; index += 1) await fill(database, `large_${index}`, 25_000, small);
  for (let index = 0; index < 20; index += 1)
    await fill(database, `middling_${index}`, 4_000, () => orderDocument(random));
  for (let index = 0; index < 15; index += 1) await fill(database, `small_${index}`, 500, () => orderDocument(random));
  for (let index = 0; index < 5; index += 1) await fill(database, `heavy_${index}`, 400, heavy);
}

/** Collections of ten documents, or so many. */
export async function plantSmallCollections(database: Db, collections = 2_000, documents = 10): Promise<void> {
  const random = new SeededRandom(2_000);
  for (let index = 0; index < collections; index += 1) {
    await database
      .collection(`collection_${index}`)
      .insertMany(Array.from({ length: documents }, () => orderDocument(random)));
  }
}

/** Sixty documents of 15 MB. */
export async function plantHugeDocuments(database: Db): Promise<void> {
  const random = new SeededRandom(60);
  for (let index = 0; index < 60; index += 1) {
    const parts = Array.from({ length: 1_500 }, () => ({
      at: new Date(1.7e12 + random.next() * 1e9),
      data: Buffer.alloc(10_000, index),
    }));
    await database.collection('huge').insertOne({ index, parts });
  }
}
