import type { Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { recordOperations } from '../recorded-operations.js';

const INVOICES = 200;
const PAYMENTS = 12_000;
/** Invoices on a page. */
const PAGE = 5;

async function plantPayments(database: Db, payments: string): Promise<void> {
  const invoices = Array.from({ length: INVOICES }, (_, number) => ({ number, total: number * 10 }));
  await database.collection(`invoices_of_${payments}`).insertMany(invoices);
  await database.collection(`invoices_of_${payments}`).createIndex({ number: 1 });
  const documents = Array.from({ length: PAYMENTS }, (_, index) => ({ invoice: index % INVOICES, amount: index }));
  await database.collection(payments).insertMany(documents);
}

async function readInvoices(database: Db, payments: string): Promise<void> {
  const pipeline = (first: number) => [
    { $match: { number: { $gte: first, $lt: first + PAGE } } },
    { $lookup: { from: payments, localField: 'number', foreignField: 'invoice', as: 'payments' } },
  ];
  await recordOperations(database, async () => {
    for (let first = 0; first < 4 * PAGE; first += PAGE) {
      await database.collection(`invoices_of_${payments}`).aggregate(pipeline(first)).toArray();
    }
  });
}

export const missingLookupIndex: Exhibit = {
  check: 'missing-lookup-index',
  story: 'the payments of an invoice, joined by reading all payments / joined through an index',
  bad: {
    name: 'payments',
    path: 'invoice',
    beside: ['invoices_of_payments'],
    async plant(database) {
      await plantPayments(database, this.name);
      await readInvoices(database, this.name);
    },
  },
  twin: {
    name: 'payments_indexed',
    beside: ['invoices_of_payments_indexed'],
    async plant(database) {
      await plantPayments(database, this.name);
      await database.collection(this.name).createIndex({ invoice: 1, amount: -1 });
      await readInvoices(database, this.name);
    },
  },
};
