import type { Db } from 'mongodb';
import { MS_PER_HOUR } from '../../time-units.js';
import type { Exhibit } from '../exhibit.js';

const GAUGES = 10;
const HOURS = 60;
const FIRST_HOUR = Date.UTC(2026, 0, 1);

/** Every hour from each gauge, in the order in which it arrives. */
const levels = Array.from({ length: HOURS * GAUGES }, (_, index) => ({
  gauge: index % GAUGES,
  at: new Date(FIRST_HOUR + Math.floor(index / GAUGES) * MS_PER_HOUR),
  level: 100 + (index % 17),
}));

async function plantLevels(database: Db, name: string, granularity: 'seconds' | 'hours'): Promise<void> {
  await database.createCollection(name, { timeseries: { timeField: 'at', metaField: 'gauge', granularity } });
  await database.collection<object>(name).insertMany(levels.map((level) => ({ ...level })));
}

export const timeseriesMisconfigured: Exhibit = {
  check: 'timeseries-misconfigured',
  story: 'hourly levels in buckets of an hour / in buckets of a month, with an index on the gauge',
  needsMember: true,
  thresholds: { opened: 500, warning: 500, indexed: 10_000 },
  thresholdsBecause: 'the demo plants few measurements',
  bad: {
    name: 'gauge_levels',
    path: 'at',
    plant(database) {
      return plantLevels(database, this.name, 'seconds');
    },
  },
  twin: {
    name: 'gauge_levels_in_months',
    async plant(database) {
      await plantLevels(database, this.name, 'hours');
      await database.collection(this.name).createIndex({ gauge: 1, at: 1 });
    },
  },
};
