import type { Document } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { mixedTypes } from './mixed-types.js';
import { askForOrders } from './queried-orders.js';

/** Of the 41 days of events, the last three. */
const NEWEST = new Date(1.7e12 + 38 * 86_400_000);
const IN_TURN: Document = { starts: { $gte: NEWEST } };

/** On the events of `mixed-types`, which are planted before: references are looked for among a hundred collections. */
export const archiveCandidate: Exhibit = {
  check: 'archive-candidate',
  story: 'events of which only the last three days are asked for / events that are also asked for by what they are',
  thresholds: { bytes: 1, days: 0, executions: 5 },
  thresholdsBecause: 'the demo has few events, and records for seconds',
  bad: {
    name: mixedTypes.bad.name,
    path: 'starts',
    async plant(database) {
      const events = database.collection(this.name);
      await events.createIndex({ starts: 1 });
      await askForOrders(database, () => events.find(IN_TURN).toArray());
    },
  },
  twin: {
    name: mixedTypes.twin.name,
    async plant(database) {
      const events = database.collection(this.name);
      await events.createIndex({ starts: 1 });
      await askForOrders(database, async (hall) => {
        await events.find(IN_TURN).toArray();
        await events.findOne({ attributes: { $elemMatch: { k: 'hall', v: `hall ${hall % 7}` } } });
      });
    },
  },
};
