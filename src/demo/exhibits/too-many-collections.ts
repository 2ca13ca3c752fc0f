import type { Exhibit } from '../exhibit.js';

/** So few: references are looked for among a hundred collections, and the other exhibits need theirs. */
const DAYS = 3;
const HOURS = 24;

const hoursOf = (day: number) =>
  Array.from({ length: HOURS }, (_, hour) => ({
    river: hour % 3,
    at: new Date(Date.UTC(2024, 0, day, hour)),
    level: 100 + ((day * hour) % 17),
  }));

export const tooManyCollections: Exhibit = {
  check: 'too-many-collections',
  story: 'a collection of water levels for each day / one time-series collection for all',
  thresholds: { family: DAYS },
  thresholdsBecause: 'the demo plants no more days',
  bad: {
    name: 'water_levels_*',
    path: null,
    async plant(database) {
      for (let day = 1; day <= DAYS; day += 1) {
        const name = `2024_01_${String(day).padStart(2, '0')}`;
        await database.collection(this.name.replace('*', name)).insertMany(hoursOf(day));
      }
    },
  },
  twin: {
    name: 'water_levels',
    async plant(database) {
      const days = Array.from({ length: DAYS }, (_, index) => hoursOf(index + 1));
      await database.createCollection(this.name, {
        timeseries: { timeField: 'at', metaField: 'river', granularity: 'hours' },
      });
      await database.collection(this.name).insertMany(days.flat());
    },
  },
};
