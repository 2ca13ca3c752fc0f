import type { Exhibit } from '../exhibit.js';
import { unusedIndex } from './unused-index.js';

/** In ms: no ticket expires while somebody looks at it. */
const HUNDRED_YEARS = 100 * 365 * 24 * 60 * 60 * 1_000;
const END = { $add: ['$opened', HUNDRED_YEARS] };

/** On the tickets of `unused-index`, which are planted before: references are looked for among a hundred collections. */
export const ttlWithoutEffect: Exhibit = {
  check: 'ttl-without-effect',
  story: 'a TTL index on a date that is kept as text / on a date',
  bad: {
    name: unusedIndex.bad.name,
    path: 'keepUntil_1',
    async plant(database) {
      const tickets = database.collection(this.name);
      await tickets.updateMany({}, [{ $set: { keepUntil: { $dateToString: { date: END } } } }]);
      await tickets.createIndex({ keepUntil: 1 }, { expireAfterSeconds: 0 });
    },
  },
  twin: {
    name: unusedIndex.twin.name,
    async plant(database) {
      const tickets = database.collection(this.name);
      await tickets.updateMany({}, [{ $set: { keepUntil: END } }]);
      await tickets.createIndex({ keepUntil: 1 }, { expireAfterSeconds: 0 });
    },
  },
};
