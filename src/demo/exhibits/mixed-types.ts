import type { Exhibit } from '../exhibit.js';

const EVENTS = 1_000;
/** The old importer wrote one event in so many. */
const STRAY_EVERY = 250;

const startOf = (index: number) => new Date(1.7e12 + index * 3_600_000);

export const mixedTypes: Exhibit = {
  check: 'mixed-types',
  story: 'a few dates stored as strings / attributes whose values may be of any type',
  bad: {
    name: 'events_with_stray_dates',
    path: 'starts',
    async plant(database) {
      const events = Array.from({ length: EVENTS }, (_, index) => ({
        title: `event ${index}`,
        starts: index % STRAY_EVERY === 0 ? startOf(index).toISOString() : startOf(index),
      }));
      await database.collection(this.name).insertMany(events);
    },
  },
  twin: {
    name: 'events_with_attributes',
    async plant(database) {
      const events = Array.from({ length: EVENTS }, (_, index) => ({
        title: `event ${index}`,
        starts: startOf(index),
        attributes: [
          { k: 'seats', v: index % 90 },
          { k: 'hall', v: `hall ${index % 7}` },
          { k: 'outdoors', v: index % 2 === 0 },
        ],
      }));
      await database.collection(this.name).createIndex({ 'attributes.k': 1, 'attributes.v': 1 });
      await database.collection(this.name).insertMany(events);
    },
  },
};
