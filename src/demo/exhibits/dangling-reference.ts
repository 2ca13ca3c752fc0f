import { ObjectId, type Db } from 'mongodb';
import type { Exhibit } from '../exhibit.js';

const CUSTOMERS = 400;
const INVOICES = 3_000;
/** One invoice in so many belongs to a customer that was deleted. */
const DELETED = 8;

async function plantInvoices(
  database: Db,
  invoices: string,
  customers: string,
  isDeleted: (invoice: number) => boolean,
): Promise<void> {
  const ids = Array.from({ length: CUSTOMERS }, () => new ObjectId());
  await database.collection(customers).insertMany(ids.map((_id, number) => ({ _id, name: `Customer ${number}` })));
  await database.collection(invoices).createIndex({ customer: 1 });
  const documents = Array.from({ length: INVOICES }, (_, index) => ({
    customer: isDeleted(index) ? new ObjectId() : ids[index % CUSTOMERS],
    total: index % 90,
  }));
  await database.collection(invoices).insertMany(documents);
}

export const danglingReference: Exhibit = {
  check: 'dangling-reference',
  story: 'invoices of customers who were deleted / of customers who all exist',
  bad: {
    name: 'invoices_left_behind',
    path: 'customer',
    beside: ['customers_some_deleted'],
    plant(database) {
      return plantInvoices(database, this.name, 'customers_some_deleted', (invoice) => invoice % DELETED === 0);
    },
  },
  twin: {
    name: 'invoices_with_customers',
    beside: ['customers_invoiced'],
    plant(database) {
      return plantInvoices(database, this.name, 'customers_invoiced', () => false);
    },
  },
};
