import { type Db, type Document, ObjectId } from 'mongodb';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { type Exhibit, faulty, planted } from './exhibit.js';
import { askForOrders, plantQueriedOrders } from './order-queries.js';

const INVOICES = 200;

const PAYMENTS = 12_000;

/** Invoices on a page. */
const INVOICE_PAGE = 5;

async function plantPayments(database: Db, payments: string): Promise<void> {
  const invoices = Array.from({ length: INVOICES }, (_, number) => ({ number, total: number * 10 }));
  await database.collection(`invoices_of_${payments}`).insertMany(invoices);
  await database.collection(`invoices_of_${payments}`).createIndex({ number: 1 });
  const documents = Array.from({ length: PAYMENTS }, (_, index) => ({ invoice: index % INVOICES, amount: index }));
  await database.collection(payments).insertMany(documents);
}

async function readInvoices(database: Db, payments: string): Promise<void> {
  const pipeline = (first: number) => [
    { $match: { number: { $gte: first, $lt: first + INVOICE_PAGE } } },
    { $lookup: { from: payments, localField: 'number', foreignField: 'invoice', as: 'payments' } },
  ];
  await recordOperations(database, async () => {
    for (let first = 0; first < 4 * INVOICE_PAGE; first += INVOICE_PAGE) {
      await database.collection(`invoices_of_${payments}`).aggregate(pipeline(first)).toArray();
    }
  });
}

const missingLookupIndex: Exhibit = {
  check: 'missing-lookup-index',
  story: 'the payments of an invoice, joined by reading all payments / joined through an index',
  bad: faulty('payments', 'invoice', async (database, name) => {
    await plantPayments(database, name);
    await readInvoices(database, name);
  }),
  twin: planted('payments_indexed', async (database, name) => {
    await plantPayments(database, name);
    await database.collection(name).createIndex({ invoice: 1, amount: -1 });
    await readInvoices(database, name);
  }),
};

const BUYERS = 40;

/** Fewer would be too small to tell. */
const ORDERS = 1_200;

const READS = 40;

/** Orders on a page. */
const PAGE = 20;

async function plantBuyers(database: Db, name: string): Promise<void> {
  const buyers = Array.from({ length: BUYERS }, (_, number) => ({
    _id: `buyer-${number}`,
    name: `Buyer ${number}`,
    city: 'Springfield',
  }));
  await database.collection<{ _id: string }>(name).insertMany(buyers);
}

const buyer = (number: number) => ({ buyer: `buyer-${number % BUYERS}`, buyerName: `Buyer ${number % BUYERS}` });

const page = (number: number) => ({ number: { $gte: number * PAGE, $lt: (number + 1) * PAGE } });

const joinBuyer = (number: number, from: string) => [
  { $match: page(number) },
  { $lookup: { from, localField: 'buyer', foreignField: '_id', as: 'buyer' } },
];

const heavyLookup: Exhibit = {
  check: 'heavy-lookup',
  story: 'every page of orders joins their buyers / orders carry the name of their buyer',
  bad: faulty('orders_joined', null, async (database, name) => {
    await plantBuyers(database, 'buyers_joined');
    const orders = database.collection(name);
    await orders.insertMany(
      Array.from({ length: ORDERS }, (_, number) => ({ number, buyer: `buyer-${number % BUYERS}` })),
    );
    await orders.createIndex({ number: 1 });
    await recordOperations(database, async () => {
      for (let number = 0; number < READS; number += 1)
        await orders.aggregate(joinBuyer(number, 'buyers_joined')).toArray();
      await orders.findOne({ number: 1 });
    });
  }),
  twin: planted('orders_with_copies', async (database, name) => {
    await plantBuyers(database, 'buyers_copied');
    const orders = database.collection(name);
    await orders.insertMany(Array.from({ length: ORDERS }, (_, number) => ({ number, ...buyer(number) })));
    await orders.createIndex({ number: 1 });
    await recordOperations(database, async () => {
      for (let number = 0; number < READS; number += 1) await orders.find(page(number)).toArray();
      // Now and then a join is fine.
      await orders.aggregate(joinBuyer(1, 'buyers_copied')).toArray();
    });
  }),
};

const JOINED_BUYERS = 400;

/** Orders on a page. */
const CUT_PAGE = 10;

async function plantJoined(database: Db, orders: string, buyers: string): Promise<void> {
  await plantQueriedOrders(database, orders);
  await database.collection(orders).createIndex({ placed: -1 });
  const documents = Array.from({ length: JOINED_BUYERS }, (_, number) => ({
    _id: number + 1,
    name: `Buyer ${number + 1}`,
  }));
  await database.collection<{ _id: number }>(buyers).insertMany(documents);
}

const joinCustomer = (from: string): Document[] => [
  { $lookup: { from, localField: 'customer', foreignField: '_id', as: 'buyer' } },
  { $addFields: { buyer: { $first: '$buyer' } } },
];

const CUT: readonly Document[] = [{ $sort: { placed: -1 } }, { $limit: CUT_PAGE }];

const earlyLookup: Exhibit = {
  check: 'early-lookup',
  story: 'the newest orders with their buyers, joined before the page is cut / joined for the page alone',
  bad: faulty('orders_joined_first', null, async (database, name) => {
    await plantJoined(database, name, 'buyers_joined_first');
    const pipeline = [...joinCustomer('buyers_joined_first'), ...CUT];
    await askForOrders(database, () => database.collection(name).aggregate(pipeline).toArray());
  }),
  twin: planted('orders_joined_last', async (database, name) => {
    await plantJoined(database, name, 'buyers_joined_last');
    const pipeline = [...CUT, ...joinCustomer('buyers_joined_last')];
    await askForOrders(database, () => database.collection(name).aggregate(pipeline).toArray());
  }),
};

const PARCELS = 200;

async function plantParcels(
  database: Db,
  parcels: string,
  shipments: string,
  reference: (id: ObjectId) => unknown,
): Promise<void> {
  const ids = Array.from({ length: PARCELS }, () => new ObjectId());
  await database.collection(shipments).insertMany(ids.map((_id, number) => ({ _id, route: `route ${number % 9}` })));
  await database.collection(parcels).insertMany(ids.map((id, number) => ({ number, shipment: reference(id) })));
  await database.collection(parcels).createIndex({ number: 1 });
  await recordOperations(database, async () => {
    const join = { $lookup: { from: shipments, localField: 'shipment', foreignField: '_id', as: 'shipment' } };
    for (let number = 0; number < 3; number += 1)
      await database
        .collection(parcels)
        .aggregate([{ $match: { number } }, join])
        .toArray();
  });
}

const lookupTypeMismatch: Exhibit = {
  check: 'lookup-type-mismatch',
  story: 'references kept as text, joined with ObjectIds / kept as ObjectIds',
  bad: faulty('parcels', 'shipment', (database, name) =>
    plantParcels(database, name, 'shipments_of_parcels', (id) => id.toHexString()),
  ),
  twin: planted('parcels_typed', (database, name) =>
    plantParcels(database, name, 'shipments_of_typed_parcels', (id) => id),
  ),
};

export const joinsExhibits: readonly Exhibit[] = [missingLookupIndex, heavyLookup, earlyLookup, lookupTypeMismatch];
