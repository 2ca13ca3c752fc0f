import type { Exhibit } from '../exhibit.js';
import { unusedIndex } from './unused-index.js';

const ESCALATED = { $lt: ['$queue', 10] };

/** On the tickets of `unused-index`, which are planted before: references are looked for among a hundred collections. */
export const uselessIndex: Exhibit = {
  check: 'useless-index',
  story: 'an index on whether a ticket is escalated, as half of them are / a partial index on when those were opened',
  thresholds: { documents: 100 },
  thresholdsBecause: 'the demo plants a thousand tickets',
  bad: {
    name: unusedIndex.bad.name,
    path: 'escalated_1',
    async plant(database) {
      const tickets = database.collection(this.name);
      await tickets.updateMany({}, [{ $set: { escalated: ESCALATED } }]);
      await tickets.createIndex({ escalated: 1 });
      await tickets.find({ escalated: true }).toArray();
    },
  },
  twin: {
    name: unusedIndex.twin.name,
    async plant(database) {
      const tickets = database.collection(this.name);
      await tickets.updateMany({}, [{ $set: { escalated: ESCALATED } }]);
      await tickets.createIndex({ opened: 1 }, { partialFilterExpression: { escalated: true } });
      await tickets.find({ escalated: true }).sort({ opened: 1 }).limit(20).toArray();
    },
  },
};
