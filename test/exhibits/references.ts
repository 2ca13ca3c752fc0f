import { ObjectId, type Db } from 'mongodb';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { type Exhibit, faulty, planted } from './exhibit.js';

const PRODUCTS = 150;

const REVIEWS = 3_000;

async function plantReviews(database: Db, reviews: string, products: string): Promise<void> {
  const ids = Array.from({ length: PRODUCTS }, () => new ObjectId());
  await database.collection(products).insertMany(ids.map((_id, number) => ({ _id, name: `Product ${number}` })));
  const documents = Array.from({ length: REVIEWS }, (_, index) => ({
    product: ids[index % PRODUCTS],
    stars: 1 + (index % 5),
  }));
  await database.collection(reviews).insertMany(documents);
}

const unindexedReference: Exhibit = {
  check: 'unindexed-reference',
  story: 'reviews that refer to their product, with nothing to find them by / with an index on the reference',
  bad: faulty('reviews', 'product', (database, name) => plantReviews(database, name, 'reviewed_products')),
  twin: planted('reviews_indexed', async (database, name) => {
    await plantReviews(database, name, 'indexed_products');
    await database.collection(name).createIndex({ product: 1, stars: -1 });
  }),
};

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
  bad: faulty('invoices_left_behind', 'customer', (database, name) =>
    plantInvoices(database, name, 'customers_some_deleted', (invoice) => invoice % DELETED === 0),
  ),
  twin: planted('invoices_with_customers', (database, name) =>
    plantInvoices(database, name, 'customers_invoiced', () => false),
  ),
};

const COPIED_PRODUCTS = 150;

const ORDERS = 3_000;

const FIRST_SECOND = Date.UTC(2026, 0, 1) / 1_000;

const SECONDS_PER_ORDER = 600;

/** One product in so many was renamed, and of its orders one in so many was missed. */
const RENAMED = 2;

const MISSED = 4;

const isRenamed = (product: number) => product % RENAMED === 0;

/** Orders copy name and price of their product. Prices have changed since, and are meant to stay as they were. */
async function plantOrders(
  database: Db,
  orders: string,
  products: string,
  isMissed: (order: number) => boolean,
): Promise<void> {
  const ids = Array.from({ length: COPIED_PRODUCTS }, () => new ObjectId());
  await database.collection(products).insertMany(
    ids.map((_id, number) => ({
      _id,
      name: isRenamed(number) ? `New name ${number}` : `Product ${number}`,
      price: number + 1,
    })),
  );
  await database.collection(orders).createIndex({ 'product._id': 1 });
  const documents = Array.from({ length: ORDERS }, (_, index) => {
    const product = index % COPIED_PRODUCTS;
    const name = isRenamed(product) && !isMissed(index) ? `New name ${product}` : `Product ${product}`;
    return {
      _id: ObjectId.createFromTime(FIRST_SECOND + index * SECONDS_PER_ORDER),
      product: { _id: ids[product], name, price: index < ORDERS / 2 ? product : product + 1 },
    };
  });
  await database.collection(orders).insertMany(documents);
}

export const denormalizedDrift: Exhibit = {
  check: 'denormalized-drift',
  story:
    "orders with a copy of their product's name, some missed when it was renamed / all updated, with prices as they were",
  bad: faulty('orders_missed_by_renaming', 'product.name', (database, name) =>
    plantOrders(database, name, 'products_renamed', (order) => Math.floor(order / COPIED_PRODUCTS) % MISSED === 1),
  ),
  twin: planted('orders_renamed', (database, name) =>
    plantOrders(database, name, 'products_renamed_everywhere', () => false),
  ),
};

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

const splitOneToFew: Exhibit = {
  check: 'split-one-to-few',
  story: 'the few addresses of a patron in a collection of their own / in the patron',
  bad: faulty('patron_addresses', 'patron', async (database, name) => {
    await plantPatrons(database, 'patrons_joined', false);
    const children = database.collection(name);
    const all = Array.from({ length: PATRONS }, (_, number) => addresses(number, { patron: patron(number)._id }));
    await children.insertMany(all.flat());
    await children.createIndex({ patron: 1 });
    const join = { $lookup: { from: name, localField: '_id', foreignField: 'patron', as: 'addresses' } };
    await recordOperations(database, async () => {
      for (let number = 0; number < READS; number += 1) {
        await database
          .collection('patrons_joined')
          .aggregate([{ $match: { _id: patron(number)._id } }, join])
          .toArray();
      }
    });
  }),
  twin: planted('patrons_with_addresses', async (database, name) => {
    await plantPatrons(database, name, true);
    await recordOperations(database, async () => {
      const patrons = database.collection<{ _id: string }>(name);
      for (let number = 0; number < READS; number += 1) await patrons.findOne({ _id: patron(number)._id });
    });
  }),
};

export const referencesExhibits: readonly Exhibit[] = [
  unindexedReference,
  danglingReference,
  denormalizedDrift,
  splitOneToFew,
];
