import type { Exhibit } from '../exhibit.js';

const SMALL_DOCUMENTS = 30_000;
/** 94 % of the 16 MB that a document may have. */
const GIANT_BYTES = 15 * 1024 * 1024;

const small = (index: number) => ({ sensor: index % 100, value: index % 17, unit: 'C' });

export const oversizedDocument: Exhibit = {
  check: 'oversized-document',
  story: 'one document of 15 MB hidden among 30,000 small ones / the large part kept elsewhere',
  bad: {
    name: 'calibrations',
    path: null,
    async plant(database) {
      const collection = database.collection(this.name);
      await collection.insertMany(Array.from({ length: SMALL_DOCUMENTS / 2 }, (_, index) => small(index)));
      await collection.insertOne({ sensor: 100, trace: Buffer.alloc(GIANT_BYTES, 1) });
      await collection.insertMany(Array.from({ length: SMALL_DOCUMENTS / 2 }, (_, index) => small(index)));
    },
  },
  twin: {
    name: 'calibrations_with_trace_elsewhere',
    async plant(database) {
      const documents = Array.from({ length: SMALL_DOCUMENTS }, (_, index) => small(index));
      await database.collection(this.name).insertMany([...documents, { sensor: 100, traceFile: 'trace-2024-01.bin' }]);
    },
  },
};
