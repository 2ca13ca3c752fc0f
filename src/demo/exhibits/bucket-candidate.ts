import { ObjectId, type Db } from 'mongodb';
import { MS_PER_MINUTE } from '../../time-units.js';
import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';

const SENSORS = 20;
const MINUTES = 150;
const FIRST_MINUTE = Date.UTC(2026, 0, 1);

const sensorIds = Array.from({ length: SENSORS }, (_, index) => new ObjectId(`65a1${String(index).padStart(20, '0')}`));

/** Once a minute from each sensor, in the order in which it arrives. */
function readings(): object[] {
  const random = new SeededRandom(10);
  const minutes = Array.from({ length: MINUTES }, (_, minute) => FIRST_MINUTE + minute * MS_PER_MINUTE);
  return minutes.flatMap((minute) =>
    sensorIds.map((sensor) => ({
      sensor,
      at: new Date(minute + random.below(2_000)),
      temperature: Math.round(random.next() * 300) / 10,
      humidity: Math.round(random.next() * 100),
    })),
  );
}

async function plantReadings(database: Db, name: string): Promise<void> {
  await database.collection(name).createIndex({ sensor: 1, at: 1 });
  await database.collection(name).insertMany(readings());
}

export const bucketCandidate: Exhibit = {
  check: 'bucket-candidate',
  story: 'a document for each reading of a sensor / the same readings in a time-series collection',
  thresholds: { documents: SENSORS * MINUTES },
  thresholdsBecause: 'the demo plants no more readings',
  bad: {
    name: 'sensor_readings',
    path: 'at',
    plant(database) {
      return plantReadings(database, this.name);
    },
  },
  twin: {
    name: 'sensor_readings_series',
    async plant(database) {
      await database.createCollection(this.name, {
        timeseries: { timeField: 'at', metaField: 'sensor', granularity: 'minutes' },
      });
      await plantReadings(database, this.name);
    },
  },
};
