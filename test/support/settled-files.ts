import type { MongoClient } from 'mongodb';

/**
 * Takes checkpoints until one leaves the files of a database as they were after the one before, and ends those that the
 * server takes each minute: they free the space of what was deleted long after it was, and two readings of a size would
 * differ by chance.
 */
export async function settleFiles(client: MongoClient, database: string): Promise<void> {
  const admin = client.db('admin');
  await admin.command({ setParameter: 1, syncdelay: 0 });
  const sizes = async () => {
    await admin.command({ fsync: 1 });
    const { storageSize, indexSize, freeStorageSize } = await client
      .db(database)
      .command({ dbStats: 1, freeStorage: 1 });
    return `${storageSize} ${indexSize} ${freeStorageSize}`;
  };
  for (let before = '', now = await sizes(); now !== before; now = await sizes()) before = now;
}
