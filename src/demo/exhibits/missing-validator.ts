import type { Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { SeededRandom } from '../seeded-random.js';

const INVOICES = 1_000;

async function plantInvoices(database: Db, name: string): Promise<void> {
  const random = new SeededRandom(9);
  const invoices = Array.from({ length: INVOICES }, (_, number) => ({
    number,
    customer: { _id: random.between(1, 200), country: 'NL' },
    issued: new Date(1.7e12 + number * 60_000),
    total: random.between(1, 500),
  }));
  await database.collection(name).insertMany(invoices);
}

export const missingValidator: Exhibit = {
  check: 'missing-validator',
  story: 'invoices of one shape without a validator / the same with one',
  thresholds: { documents: INVOICES },
  thresholdsBecause: 'the demo plants no more invoices',
  bad: {
    name: 'invoices_unguarded',
    path: null,
    plant(database) {
      return plantInvoices(database, this.name);
    },
  },
  twin: {
    name: 'invoices_with_validator',
    async plant(database) {
      const $jsonSchema = {
        required: ['number', 'customer', 'issued', 'total'],
        properties: {
          number: { bsonType: 'int' },
          customer: { bsonType: 'object' },
          issued: { bsonType: 'date' },
          total: { bsonType: 'int', minimum: 0 },
        },
      };
      await database.createCollection(this.name, { validator: { $jsonSchema } });
      await plantInvoices(database, this.name);
    },
  },
};
