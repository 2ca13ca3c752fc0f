import type { Exhibit } from '../exhibit.js';

export const emptyCollection: Exhibit = {
  check: 'empty-collection',
  story: 'a collection that was never written to / sessions that have all expired',
  bad: {
    name: 'returns_of_a_release_that_never_came',
    path: null,
    async plant(database) {
      await database.createCollection(this.name);
    },
  },
  twin: {
    name: 'sessions_all_expired',
    async plant(database) {
      await database.collection(this.name).createIndex({ lastSeen: 1 }, { expireAfterSeconds: 3_600 });
    },
  },
};
