import { ObjectId, type Db, type Document } from 'mongodb';
import { MS_PER_DAY } from '../../../src/time-units.js';

/** Of an exhibit. */
export const DOCUMENTS = 1_200;
/** The smallest chunk that the server accepts, so that few documents show what many would. */
const CHUNK_MB = 1;
const SPAN_MS = 60 * MS_PER_DAY;

/** An `_id` as if its document had been inserted the `index`th, evenly over the last 60 days. */
export function grownId(index: number): { readonly _id: ObjectId; readonly at: Date } {
  const at = new Date(Date.now() - SPAN_MS * (1 - index / DOCUMENTS));
  const bytes = Buffer.from(new ObjectId().id);
  bytes.writeUInt32BE(Math.floor(at.getTime() / 1_000));
  return { _id: new ObjectId(bytes), at };
}

/** Through a router, as any administrator would. */
export async function insertAndShard(
  database: Db,
  name: string,
  documents: readonly Document[],
  key: Document,
): Promise<void> {
  const collection = database.collection<Document>(name);
  await collection.createIndex(key);
  await collection.insertMany([...documents]);
  const admin = database.client.db('admin');
  await admin.command({ shardCollection: `${database.databaseName}.${name}`, key });
}

/** Makes chunks as small as possible once documents are in place: a move takes one chunk's size at most. */
export async function limitChunks(database: Db, name: string): Promise<void> {
  const namespace = `${database.databaseName}.${name}`;
  await database.client.db('admin').command({ configureCollectionBalancing: namespace, chunkSize: CHUNK_MB });
}

/** Cuts a ranged collection at `middle` and moves the upper part to a shard that has nothing of it yet. */
export async function moveUpperPart(database: Db, name: string, middle: Document): Promise<void> {
  const namespace = `${database.databaseName}.${name}`;
  const admin = database.client.db('admin');
  await admin.command({ split: namespace, middle });
  const config = database.client.db('config');
  const { primary } = (await config
    .collection('databases')
    .findOne({ _id: database.databaseName as never })) as Document;
  const other = (await config.collection('shards').findOne({ _id: { $ne: primary } })) as Document;
  await admin.command({ moveRange: namespace, min: middle, toShard: String(other['_id']) });
  await limitChunks(database, name);
}
