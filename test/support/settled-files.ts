import type { MongoClient } from 'mongodb';

/**
 * Takes checkpoints until one leaves the files of a database as they were after the one before, and ends those that the
 * server takes each minute: they free the space of what was deleted long after it was, and two readings of a size would
 * differ by chance. One that the server waits for already still comes.
 */
export async function settleFiles(client: MongoClient, database: string): Promise<void> {
  const admin = client.db('admin');
  await admin.command({ setParameter: 1, syncdelay: 0 });
  const sizes = async () => {
    await admin.command({ fsync: 1 });
    return sizesOf(client, database);
  };
  for (let before = '', now = await sizes(); now !== before; now = await sizes()) before = now;
}

const ATTEMPTS = 5;

/**
 * What the work returns that was done between two checkpoints. While one is taken, a file holds its pages twice and has
 * less space to reuse: a size that was read then is no size of a moment before or after. So the work is done again if a
 * checkpoint came meanwhile; the last of the attempts stands as it is.
 */
export async function betweenCheckpoints<T>(
  clients: readonly MongoClient[],
  database: string,
  work: () => Promise<T>,
): Promise<T> {
  const states = async () => (await Promise.all(clients.map((client) => stateOf(client, database)))).join('; ');
  for (let attempt = 1; ; attempt += 1) {
    for (const client of clients) await settleFiles(client, database);
    const before = await states();
    const result = await work();
    if (attempt === ATTEMPTS || before === (await states())) return result;
  }
}

async function stateOf(client: MongoClient, database: string): Promise<string> {
  const { wiredTiger } = await client.db('admin').command({ serverStatus: 1 });
  const { transaction } = wiredTiger;
  const checkpoints = ['transaction checkpoints', 'transaction checkpoint currently running'].map((figure) => {
    if (typeof transaction[figure] !== 'number') throw new Error(`serverStatus has no "${figure}".`);
    return transaction[figure];
  });
  return `${checkpoints.join(' ')} ${await sizesOf(client, database)}`;
}

async function sizesOf(client: MongoClient, database: string): Promise<string> {
  const { storageSize, indexSize, freeStorageSize } = await client.db(database).command({ dbStats: 1, freeStorage: 1 });
  return `${storageSize} ${indexSize} ${freeStorageSize}`;
}
