import type { MongoClient } from 'mongodb';

/**
 * Takes checkpoints until one leaves the files of a database as long as the one before. The first ones after many inserts
 * make them longer, and the server takes one each minute: two readings of the sizes would differ by chance.
 */
export async function settleFiles(client: MongoClient, database: string): Promise<void> {
  const lengths = async () => {
    await client.db('admin').command({ fsync: 1 });
    const { storageSize, indexSize, freeStorageSize } = await client
      .db(database)
      .command({ dbStats: 1, freeStorage: 1 });
    return `${storageSize} ${indexSize} ${freeStorageSize}`;
  };
  for (let before = '', now = await lengths(); now !== before; now = await lengths()) before = now;
}
