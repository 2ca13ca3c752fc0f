import type { Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { recordOperations } from '../recorded-operations.js';

/** Fewer would be too small to tell. */
const PATRONS = 1_000;
const MOST_ADDRESSES = 3;
const READS = 60;

const patron = (number: number) => ({ _id: `patron-${number}`, name: `Patron ${number}` });

function addresses(number: number, rest: object = {}): object[] {
  return Array.from({ length: 1 + (number % MOST_ADDRESSES) }, (_, index) => ({
    ...rest,
    street: `${index + 1} Main Street`,
    city: 'Springfield',
  }));
}

async function plantPatrons(database: Db, name: string, withAddresses: boolean): Promise<void> {
  const patrons = Array.from({ length: PATRONS }, (_, number) => ({
    ...patron(number),
    ...(withAddresses && { addresses: addresses(number) }),
  }));
  await database.collection<{ _id: string }>(name).insertMany(patrons);
}

export const splitOneToFew: Exhibit = {
  check: 'split-one-to-few',
  story: 'the few addresses of a patron in a collection of their own / in the patron',
  bad: {
    name: 'patron_addresses',
    path: 'patron',
    beside: ['patrons_joined'],
    async plant(database) {
      await plantPatrons(database, 'patrons_joined', false);
      const children = database.collection(this.name);
      const all = Array.from({ length: PATRONS }, (_, number) => addresses(number, { patron: patron(number)._id }));
      await children.insertMany(all.flat());
      await children.createIndex({ patron: 1 });
      const join = { $lookup: { from: this.name, localField: '_id', foreignField: 'patron', as: 'addresses' } };
      await recordOperations(database, async () => {
        for (let number = 0; number < READS; number += 1) {
          await database
            .collection('patrons_joined')
            .aggregate([{ $match: { _id: patron(number)._id } }, join])
            .toArray();
        }
      });
    },
  },
  twin: {
    name: 'patrons_with_addresses',
    async plant(database) {
      await plantPatrons(database, this.name, true);
      await recordOperations(database, async () => {
        const patrons = database.collection<{ _id: string }>(this.name);
        for (let number = 0; number < READS; number += 1) await patrons.findOne({ _id: patron(number)._id });
      });
    },
  },
};
