import type { Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';

const INVOICES = 1_000;

export const hiddenIndex: Exhibit = {
  check: 'hidden-index',
  story: 'an index that was hidden and never dropped / one that is visible and used',
  needsMember: true,
  thresholds: { hiddenFor: 0 },
  thresholdsBecause: 'the demo hid it a moment ago',
  bad: {
    name: 'invoices_index_hidden',
    path: 'customer_1',
    async plant(database) {
      await plantInvoices(database, this.name);
      await database.command({ collMod: this.name, index: { name: 'customer_1', hidden: true } });
    },
  },
  twin: {
    name: 'invoices_index_visible',
    async plant(database) {
      await plantInvoices(database, this.name);
      await database.collection(this.name).find({ customer: 7 }).toArray();
    },
  },
};

async function plantInvoices(database: Db, name: string): Promise<void> {
  const invoices = Array.from({ length: INVOICES }, (_, number) => ({ number, customer: number % 200 }));
  await database.collection(name).createIndex({ customer: 1 });
  await database.collection(name).insertMany(invoices);
}
