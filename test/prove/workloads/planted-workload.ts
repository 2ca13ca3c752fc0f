import { MongoClient, type Collection, type Db, type Document } from 'mongodb';
import type { ProvenWorkload } from '../proven-workload.js';

/** Documents of each collection: of a size at which an index matters. */
export const SIZE = 20_000;
const ROUNDS = 20;

export interface Example {
  readonly name: string;
  readonly documents: Readonly<Record<string, (number: number) => Document>>;
  readonly indexes?: Readonly<Record<string, readonly Readonly<Record<string, 1 | -1>>[]>>;
  readonly run: (database: Db, round: number) => Promise<unknown>;
}

/** A workload on collections that are planted for it. */
export function plantedWorkload(
  { name, documents, indexes = {}, run }: Example,
  source: string,
  size = SIZE,
): ProvenWorkload {
  return {
    name,
    source,
    plant: async (database) => {
      for (const [collection, of] of Object.entries(documents))
        await plantCollection(database.collection(collection), of, size, indexes[collection] ?? []);
    },
    run: async (uri) => {
      const client = new MongoClient(uri, { appName: name });
      try {
        for (let round = 0; round < ROUNDS; round += 1) await run(client.db(), round);
      } finally {
        await client.close();
      }
    },
  };
}

async function plantCollection(
  collection: Collection,
  of: (number: number) => Document,
  size: number,
  indexes: readonly Readonly<Record<string, 1 | -1>>[],
): Promise<void> {
  await collection.insertMany(Array.from({ length: size }, (_, number) => of(number)));
  for (const index of indexes) await collection.createIndex(index);
}
