import type { Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { recordOperations } from '../recorded-operations.js';
import { oversizedDocument } from './oversized-document.js';

const DOCUMENTS = 150;

/** Inserts as many documents in so many transactions, with the profiler on. */
export function insertInTransactions(database: Db, name: string, transactions: number): Promise<void> {
  const documents = Array.from({ length: DOCUMENTS / transactions }, (_, index) => ({
    sensor: index % 100,
    value: index % 17,
    unit: 'C',
  }));
  return recordOperations(database, async () => {
    for (let done = 0; done < transactions; done += 1) {
      await database.client.withSession((session) =>
        session.withTransaction(() =>
          database.collection(name).insertMany(
            documents.map((each) => ({ ...each })),
            { session },
          ),
        ),
      );
    }
  });
}

/** On the calibrations of `oversized-document`, which are planted before. */
export const openTransactions: Exhibit = {
  check: 'open-transactions',
  story: 'an import of 150 calibrations in one transaction / the same in three',
  needsMember: true,
  thresholds: { documents: 100 },
  thresholdsBecause: 'the demo imports a hundred and fifty',
  bad: {
    name: oversizedDocument.bad.name,
    path: null,
    plant: (database) => insertInTransactions(database, oversizedDocument.bad.name, 1),
  },
  twin: {
    name: oversizedDocument.twin.name,
    plant: (database) => insertInTransactions(database, oversizedDocument.twin.name, 3),
  },
};
