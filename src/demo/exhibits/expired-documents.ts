import type { Db } from 'mongodb';
import { MS_PER_HOUR } from '../../time-units.js';
import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';

const SESSIONS = 2_000;
const LONG_AGO = Date.UTC(2024, 0, 1);
const FAR_AHEAD = Date.UTC(2200, 0, 1);

export const expiredDocuments: Exhibit = {
  check: 'expired-documents',
  story: 'sessions that expired long ago and are still there / sessions that a TTL index removes',
  needsMember: true,
  bad: {
    name: 'sessions_never_removed',
    path: 'expiresAt',
    async plant(database) {
      await plantSessions(database, this.name, LONG_AGO);
    },
  },
  twin: {
    name: 'sessions_with_ttl',
    async plant(database) {
      await database.collection(this.name).createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
      await plantSessions(database, this.name, FAR_AHEAD);
    },
  },
};

async function plantSessions(database: Db, name: string, from: number): Promise<void> {
  const random = new SeededRandom(41);
  const sessions = Array.from({ length: SESSIONS }, (_, number) => ({
    user: random.below(SESSIONS),
    agent: `Browser ${random.below(40)}`,
    pages: random.below(30),
    expiresAt: new Date(from + Math.round(number * random.next() * MS_PER_HOUR)),
  }));
  await database.collection(name).insertMany(sessions);
}
