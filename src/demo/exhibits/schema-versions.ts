import { ObjectId, type Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { denormalizedDrift } from './denormalized-drift.js';

/** Half of the orders are older. */
const CHANGED = ObjectId.createFromTime(Date.UTC(2026, 0, 11) / 1_000);
const ADDRESS = { street: 'Mill Lane 4', city: 'York', postcode: 'YO1 7HE' };

async function plantAddresses(database: Db, name: string, [older, newer]: readonly object[] = []): Promise<void> {
  const orders = database.collection(name);
  await orders.updateMany({ _id: { $lt: CHANGED } }, { $set: { ...ADDRESS, ...older } });
  await orders.updateMany({ _id: { $gte: CHANGED } }, { $set: { shipTo: ADDRESS, ...newer } });
}

/** On the orders of `denormalized-drift`, which are planted before: references are looked for among a hundred collections. */
export const schemaVersions: Exhibit = {
  check: 'schema-versions',
  story:
    'orders whose address was in three fields until a day, and in an object since / with the version of their schema',
  bad: {
    name: denormalizedDrift.bad.name,
    path: 'shipTo',
    plant(database) {
      return plantAddresses(database, this.name);
    },
  },
  twin: {
    name: denormalizedDrift.twin.name,
    plant(database) {
      return plantAddresses(database, this.name, [{ schemaVersion: 1 }, { schemaVersion: 2 }]);
    },
  },
};
