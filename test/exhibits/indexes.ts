import { type Db, ObjectId } from 'mongodb';
import { recordOperations } from '../../src/demo/recorded-operations.js';
import { SeededRandom } from '../../src/demo/seeded-random.js';
import { type Exhibit, faulty, planted } from './exhibit.js';

const ORDERS = 1_000;

async function plantOrders(database: Db, name: string): Promise<void> {
  const random = new SeededRandom(8);
  const orders = Array.from({ length: ORDERS }, (_, index) => ({
    number: index,
    customer: random.between(1, 200),
    placed: new Date(1.7e12 + index * 60_000),
  }));
  await database.collection(name).insertMany(orders);
}

const redundantIndex: Exhibit = {
  check: 'redundant-index',
  story: 'an index on customer beside one on customer and date / an index that enforces what its longer twin cannot',
  bad: faulty('orders_by_customer_twice', 'customer_1', async (database, name) => {
    await plantOrders(database, name);
    await database.collection(name).createIndexes([{ key: { customer: 1 } }, { key: { customer: 1, placed: -1 } }]);
  }),
  twin: planted('orders_with_unique_number', async (database, name) => {
    await plantOrders(database, name);
    await database
      .collection(name)
      .createIndexes([
        { key: { number: 1 }, unique: true },
        { key: { number: 1, placed: -1 } },
        { key: { customer: 1, placed: -1 } },
      ]);
  }),
};

const TICKETS = 1_000;

async function plantTickets(database: Db, name: string): Promise<void> {
  const tickets = Array.from({ length: TICKETS }, (_, index) => ({
    queue: index % 20,
    opened: new Date(1.7e12 + index * 60_000),
  }));
  await database.collection(name).createIndex({ queue: 1 });
  await database.collection(name).insertMany(tickets);
}

export const unusedIndex: Exhibit = {
  check: 'unused-index',
  story: 'an index that is only ever written / one that a query has used',
  thresholds: { minimumAge: 0 },
  bad: faulty('tickets_never_queried_by_queue', 'queue_1', plantTickets),
  twin: planted('tickets_queried_by_queue', async (database, name) => {
    await plantTickets(database, name);
    await database.collection(name).find({ queue: 7 }).toArray();
  }),
};

const ESCALATED = { $lt: ['$queue', 10] };

/** On the tickets of `unused-index`, which are planted before: references are looked for among a hundred collections. */
const uselessIndex: Exhibit = {
  check: 'useless-index',
  story: 'an index on whether a ticket is escalated, as half of them are / a partial index on when those were opened',
  thresholds: { documents: 100 },
  bad: faulty(unusedIndex.bad.name, 'escalated_1', async (database, name) => {
    const tickets = database.collection(name);
    await tickets.updateMany({}, [{ $set: { escalated: ESCALATED } }]);
    await tickets.createIndex({ escalated: 1 });
    await tickets.find({ escalated: true }).toArray();
  }),
  twin: planted(unusedIndex.twin.name, async (database, name) => {
    const tickets = database.collection(name);
    await tickets.updateMany({}, [{ $set: { escalated: ESCALATED } }]);
    await tickets.createIndex({ opened: 1 }, { partialFilterExpression: { escalated: true } });
    await tickets.find({ escalated: true }).sort({ opened: 1 }).limit(20).toArray();
  }),
};

const INVOICES = 1_000;

const hiddenIndex: Exhibit = {
  check: 'hidden-index',
  story: 'an index that was hidden and never dropped / one that is visible and used',
  needsMember: true,
  thresholds: { hiddenFor: 0 },
  bad: faulty('invoices_index_hidden', 'customer_1', async (database, name) => {
    await plantInvoices(database, name);
    await database.command({ collMod: name, index: { name: 'customer_1', hidden: true } });
  }),
  twin: planted('invoices_index_visible', async (database, name) => {
    await plantInvoices(database, name);
    await database.collection(name).find({ customer: 7 }).toArray();
  }),
};

/** Three starts of an application. */
async function start(database: Db, name: string, drops: boolean): Promise<void> {
  await recordOperations(database, async () => {
    for (let times = 0; times < 3; times += 1) {
      await database.collection(name).createIndex({ number: 1 });
      if (drops) await database.collection(name).dropIndex('number_1');
    }
  });
}

/** On the invoices of `hidden-index`, which are planted before. */
const indexBuildsInRequests: Exhibit = {
  check: 'index-builds-in-requests',
  story: 'an index that is built at each start, and dropped / built once and found at each start',
  needsMember: true,
  bad: faulty(hiddenIndex.bad.name, null, (database, name) => start(database, name, true)),
  twin: planted(hiddenIndex.twin.name, (database, name) => start(database, name, false)),
};

async function plantInvoices(database: Db, name: string): Promise<void> {
  const invoices = Array.from({ length: INVOICES }, (_, number) => ({ number, customer: number % 200 }));
  await database.collection(name).createIndex({ customer: 1 });
  await database.collection(name).insertMany(invoices);
}

const RECIPES = 200;

const TAGS = ['soup', 'salad', 'bread', 'cake', 'fish', 'rice', 'roast', 'stew'];

/** Half of the recipes have some 200, one in a hundred 2,000 and more. */
function likesOf(random: SeededRandom): ObjectId[] {
  const likes = Math.round(130 * Math.exp(0.6 * random.exponential()));
  return Array.from({ length: likes }, () => new ObjectId());
}

const largeMultikeyIndex: Exhibit = {
  check: 'large-multikey-index',
  story: 'an index on all who like a recipe / an index on the few tags of a recipe',
  needsMember: true,
  bad: faulty('recipes_with_likes', 'likedBy_1', async (database, name) => {
    const random = new SeededRandom(47);
    const recipes = Array.from({ length: RECIPES }, (_, number) => ({ number, likedBy: likesOf(random) }));
    await database.collection(name).createIndex({ likedBy: 1 });
    await database.collection(name).insertMany(recipes);
  }),
  twin: planted('recipes_with_tags', async (database, name) => {
    const recipes = Array.from({ length: RECIPES }, (_, number) => ({
      number,
      tags: TAGS.filter((_tag, position) => (number >> position) % 2 === 1),
    }));
    await database.collection(name).createIndex({ tags: 1 });
    await database.collection(name).insertMany(recipes);
  }),
};

const PRODUCTS = 500;

const FIELDS = Array.from({ length: 25 }, (_, index) => `property${String(index).padStart(2, '0')}`);

const tooManyIndexes: Exhibit = {
  check: 'too-many-indexes',
  story: 'an index on every property of a product / properties as name and value, with one index',
  bad: faulty('products_indexed_by_all', null, async (database, name) => {
    const products = Array.from({ length: PRODUCTS }, (_, index) =>
      Object.fromEntries(FIELDS.map((field, column) => [field, index % (column + 2)])),
    );
    await database.collection(name).createIndexes(FIELDS.map((field) => ({ key: { [field]: 1 } })));
    await database.collection(name).insertMany(products);
  }),
  twin: planted('products_by_attribute', async (database, name) => {
    const products = Array.from({ length: PRODUCTS }, (_, index) => ({
      name: `product ${index}`,
      attributes: FIELDS.slice(index % 5, 10 + (index % 5)).map((k, column) => ({ k, v: index % (column + 2) })),
    }));
    await database.collection(name).createIndex({ 'attributes.k': 1, 'attributes.v': 1 });
    await database.collection(name).insertMany(products);
  }),
};

export const indexesExhibits: readonly Exhibit[] = [
  redundantIndex,
  unusedIndex,
  uselessIndex,
  hiddenIndex,
  indexBuildsInRequests,
  largeMultikeyIndex,
  tooManyIndexes,
];
