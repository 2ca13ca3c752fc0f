import { ObjectId, type Db, type Document } from 'mongodb';
import type { Exhibit } from '../exhibit.js';
import { askForOrders } from './queried-orders.js';

const CUSTOMERS = 1_200;
const REGIONS = 4;
const ORDERS = 3_600;

/** A fourth of the customers lives in each region. */
const regionOf = (number: number) => `region ${number % REGIONS}`;

async function plantOrders(database: Db, name: string, fieldsOf: (number: number) => Document): Promise<void> {
  const orders = Array.from({ length: ORDERS }, (_, number) => ({ number, ...fieldsOf(number) }));
  await database.collection(name).insertMany(orders);
}

export const longInList: Exhibit = {
  check: 'long-in-list',
  needsMember: true,
  story: 'the orders of a region, by a list of its customers / by the region that each order copies',
  bad: {
    name: 'orders_by_customers',
    path: 'customer',
    beside: ['customers_of_regions'],
    async plant(database) {
      const customers = database.collection('customers_of_regions');
      const known = Array.from({ length: CUSTOMERS }, (_, number) => ({
        _id: new ObjectId(),
        region: regionOf(number),
      }));
      await customers.insertMany(known);
      await customers.createIndex({ region: 1 });
      await plantOrders(database, this.name, (number) => ({ customer: known[(number * 7) % CUSTOMERS]!._id }));
      const orders = database.collection(this.name);
      await orders.createIndex({ customer: 1 });
      await askForOrders(database, async (number) => {
        const listed = await customers.find({ region: regionOf(number) }, { projection: { _id: 1 } }).toArray();
        await orders.find({ customer: { $in: listed.map(({ _id }) => _id) } }, { projection: { number: 1 } }).toArray();
      });
    },
  },
  twin: {
    name: 'orders_by_region',
    async plant(database) {
      await plantOrders(database, this.name, (number) => ({ region: regionOf(number * 7) }));
      const orders = database.collection(this.name);
      await orders.createIndex({ region: 1 });
      await askForOrders(database, (number) =>
        orders.find({ region: regionOf(number) }, { projection: { number: 1 } }).toArray(),
      );
    },
  },
};
