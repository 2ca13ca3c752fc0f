import type { Collection, Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { recordOperations } from '../recorded-operations.js';
import { expiredDocuments } from './expired-documents.js';

const ROUNDS = 4;
/** One session has this agent, and one this number of pages; others have tens. */
const ONE = { agent: 'Browser of one', pages: 1_000 };
const MANY = { agent: 'Browser 7', pages: 7 };

/** Asks for rare and common values in turn: the index that was best for one is a bad choice for the other. */
async function askInTurn(database: Db, name: string): Promise<void> {
  const sessions = database.collection(name);
  await recordOperations(database, async () => {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const filter of [
        { agent: ONE.agent, pages: MANY.pages },
        { agent: MANY.agent, pages: ONE.pages },
      ])
        for (let times = 0; times < 3; times += 1) await sessions.find(filter).toArray();
  });
}

async function addOne(sessions: Collection): Promise<void> {
  const other = await sessions.findOne({}, { projection: { _id: 0 } });
  await sessions.insertOne({ ...other, agent: ONE.agent, pages: MANY.pages });
  await sessions.insertOne({ ...other, agent: MANY.agent, pages: ONE.pages });
}

/** On the sessions of `expired-documents`, which are planted before: references are looked for among a hundred collections. */
export const unstablePlan: Exhibit = {
  check: 'unstable-plan',
  story: 'sessions of a browser and a number of pages, by an index on either / by one on both',
  bad: {
    name: expiredDocuments.bad.name,
    path: null,
    async plant(database) {
      const sessions = database.collection(this.name);
      await addOne(sessions);
      await sessions.createIndex({ agent: 1 });
      await sessions.createIndex({ pages: 1 });
      await askInTurn(database, this.name);
    },
  },
  twin: {
    name: expiredDocuments.twin.name,
    async plant(database) {
      const sessions = database.collection(this.name);
      await addOne(sessions);
      await sessions.createIndex({ agent: 1, pages: 1 });
      await askInTurn(database, this.name);
    },
  },
};
