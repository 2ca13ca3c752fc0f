import type { Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';

const TICKETS = 1_000;

async function plantTickets(database: Db, name: string): Promise<void> {
  const tickets = Array.from({ length: TICKETS }, (_, index) => ({
    queue: index % 20,
    opened: new Date(1.7e12 + index * 60_000),
  }));
  await database.collection(name).createIndex({ queue: 1 });
  await database.collection(name).insertMany(tickets);
}

export const unusedIndex: Exhibit = {
  check: 'unused-index',
  story: 'an index that is only ever written / one that a query has used',
  thresholds: { minimumAge: 0 },
  thresholdsBecause: 'the server has just started, so its counters cover only a moment',
  bad: {
    name: 'tickets_never_queried_by_queue',
    path: 'queue_1',
    plant(database) {
      return plantTickets(database, this.name);
    },
  },
  twin: {
    name: 'tickets_queried_by_queue',
    async plant(database) {
      await plantTickets(database, this.name);
      await database.collection(this.name).find({ queue: 7 }).toArray();
    },
  },
};
