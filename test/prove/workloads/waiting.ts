/** Writes that meet the lock of a transaction: they take long, and examine little. */
import { MongoClient } from 'mongodb';
import type { ProvenWorkload } from '../proven-workload.js';

/** Of its database. */
export const WAITING = 'waiting';

/** From ten on, an execution counts as waiting (docs/checks.md). */
const CONFLICTS = 60;
const INTERVAL_MS = 20;

export const WAITING_WORKLOAD: ProvenWorkload = {
  name: WAITING,
  source: 'a write that waits for a transaction',
  plant: async (database) => {
    await database.collection('stock').insertMany(Array.from({ length: 2_000 }, (_, number) => ({ number })));
  },
  run: async (uri) => {
    const client = new MongoClient(uri, { appName: WAITING });
    try {
      const stock = client.db().collection('stock');
      await client.withSession(async (session) => {
        session.startTransaction();
        await stock.updateOne({ number: 4 }, { $set: { left: 1 } }, { session });
        const write = stock.updateOne({ number: 4 }, { $inc: { left: -1 } });
        while ((await conflictsOn(client, `${WAITING}.stock`)) < CONFLICTS)
          await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
        await session.commitTransaction();
        await write;
      });
    } finally {
      await client.close();
    }
  },
};

/** So far, of a write that is still tried again. */
async function conflictsOn(client: MongoClient, namespace: string): Promise<number> {
  const { inprog } = await client.db('admin').command({ currentOp: 1, op: 'update', ns: namespace });
  return Math.max(0, ...inprog.map(({ writeConflicts }: { writeConflicts?: unknown }) => Number(writeConflicts ?? 0)));
}
