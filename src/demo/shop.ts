import { type Collection, type Db, type Document, ObjectId } from 'mongodb';
import { SECONDS_PER_DAY } from '../time-units.js';
import { recordOperations } from './recorded-operations.js';
import { SeededRandom } from './seeded-random.js';

interface Place {
  readonly collection: string;
  /** Null if it is about the whole collection. */
  readonly path: string | null;
}

/** An anti-pattern of the shop beside the same thing designed well. */
export interface ShopFault {
  /** Id of the check. */
  readonly check: string;
  readonly bad: Place;
  readonly good: Place;
}

const at = (collection: string, path: string | null = null): Place => ({ collection, path });

/** What most people have, in the order of the checks. */
export const SHOP_FAULTS: readonly ShopFault[] = [
  { check: 'unbounded-array', bad: at('products', 'reviews'), good: at('guides', 'newestComments') },
  { check: 'fast-growing-array', bad: at('customers', 'visits'), good: at('customers', 'recentlyViewed') },
  { check: 'oversized-document', bad: at('manuals'), good: at('photos') },
  { check: 'dynamic-field-names', bad: at('carts', 'items'), good: at('wishlists', 'items') },
  { check: 'missing-lookup-index', bad: at('payments', 'order'), good: at('shipments', 'order') },
  { check: 'heavy-lookup', bad: at('orders'), good: at('invoices') },
  { check: 'unindexed-reference', bad: at('wishlists', 'customer'), good: at('carts', 'customer') },
  { check: 'collection-scan', bad: at('orders', 'customer_1_placed_-1'), good: at('invoices', 'customer_1_issued_-1') },
  { check: 'deep-skip', bad: at('subscribers'), good: at('orders') },
  { check: 'case-insensitive-regex', bad: at('subscribers', 'mail'), good: at('coupons', 'code') },
  { check: 'mixed-types', bad: at('coupons', 'validUntil'), good: at('products', 'attributes[].v') },
  { check: 'redundant-index', bad: at('returns', 'order_1'), good: at('shipments', 'order_1') },
];

const CUSTOMERS = 400;
const PRODUCTS = 400;
/** Enough for the time of a scan to matter. */
const ORDERS = 12_000;
const FIRST_ORDER = Date.UTC(2025, 0, 1);
/** In ms. Orders come at random times: what came every minute would be a measurement. */
const MEAN_GAP = 3_600_000;
const OLDEST_DAYS = 60;
const VISITS_PER_DAY = 3;
/** By `$push … $slice`. */
const KEPT = 20;
/** Near the 16 MB that a document may have. */
const SCANNED_MANUAL_BYTES = 15 * 1024 * 1024;
const IGNORING_CASE = { locale: 'en', strength: 2 };
const PAGE = 20;
/** Customers who are in the shop while it is linted. */
const ONLINE = 10;

const listOf = <T>(length: number, item: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => item(index));

/** An `_id` that tells when the document was made. */
function idOf(seconds: number, index: number): ObjectId {
  return new ObjectId(`${Math.round(seconds).toString(16).padStart(8, '0')}${index.toString(16).padStart(16, '0')}`);
}

/** Most products have few reviews, a few have thousands. */
function popularity(random: SeededRandom): number {
  return Math.min(6_000, Math.floor(4 / Math.max(1e-3, 1 - random.next()) ** 1.1));
}

function remark(random: SeededRandom): Document {
  const text = 'it does what it should '.repeat(random.between(1, 4));
  return { by: `reader-${random.between(1, 5_000)}`, at: new Date(FIRST_ORDER + random.below(1e9)), text };
}

function productsAndGuides(): { readonly products: Document[]; readonly guides: Document[] } {
  const random = new SeededRandom(1);
  const products = listOf(PRODUCTS, (number) => ({
    name: `Product ${number}`,
    price: random.between(5, 500),
    attributes: [
      { k: 'size', v: number % 40 },
      { k: 'color', v: ['red', 'blue', 'green'][number % 3] },
      { k: 'washable', v: number % 2 === 0 },
    ],
    reviews: listOf(popularity(random), () => remark(random)),
  }));
  const guides = listOf(PRODUCTS, (number) => {
    const comments = popularity(random);
    const newestComments = listOf(Math.min(KEPT, comments), () => remark(random));
    return { title: `How to choose product ${number}`, comments, newestComments };
  });
  return { products, guides };
}

/** The age of a customer shows in the list of visits and in the `_id`. */
function customersOf(now: number): (Document & { readonly _id: ObjectId })[] {
  const random = new SeededRandom(8);
  const seen = () => ({ product: random.below(PRODUCTS), seconds: random.between(1, 90) });
  return listOf(CUSTOMERS, (number) => {
    const days = random.next() * OLDEST_DAYS;
    const visits = Math.round(days * VISITS_PER_DAY * (0.8 + 0.4 * random.next()));
    return {
      _id: idOf(now - days * SECONDS_PER_DAY, number),
      name: `Customer ${number}`,
      visits: listOf(visits, seen),
      recentlyViewed: listOf(Math.min(KEPT, visits), seen),
    };
  });
}

/** Fills the shop, as its application has left it. */
export async function fillShop(database: Db): Promise<void> {
  const insert = async (name: string, documents: readonly Document[], ...keys: readonly Document[]) => {
    await database.collection(name).insertMany([...documents]);
    if (keys.length > 0)
      await database.collection(name).createIndexes(keys.map((key) => ({ key: key as Record<string, 1 | -1> })));
  };
  const random = new SeededRandom(31);
  const { products, guides } = productsAndGuides();
  await insert('products', products, { 'attributes.k': 1, 'attributes.v': 1 });
  await insert('guides', guides);
  const customers = customersOf(Date.now() / 1_000);
  await insert('customers', customers);
  const customer = () => random.choose(customers);

  const manuals = listOf(2_000, (number) => ({ product: number % PRODUCTS, pages: random.between(2, 90) }));
  await insert('manuals', [...manuals, { product: 7, pages: 900, scan: Buffer.alloc(SCANNED_MANUAL_BYTES, 1) }]);
  await insert(
    'photos',
    listOf(2_000, (number) => ({ product: number % PRODUCTS, file: `photos/${number}.webp` })),
  );

  const sku = () => `sku-${random.between(100, 4_000)}`;
  await insert(
    'carts',
    listOf(1_500, () => ({
      customer: customer()._id,
      items: Object.fromEntries(listOf(random.between(1, 8), () => [sku(), random.between(1, 3)])),
    })),
    { customer: 1 },
  );
  await insert(
    'wishlists',
    listOf(3_000, () => ({
      customer: customer()._id,
      items: listOf(random.between(1, 8), () => ({ sku: sku(), wanted: random.between(1, 3) })),
    })),
  );

  let placed = FIRST_ORDER;
  const orders = listOf(ORDERS, (number) => {
    placed += random.exponential() * MEAN_GAP;
    const { _id, name } = customer();
    return { number, customer: _id, customerName: name as string, placed: new Date(placed), total: random.below(500) };
  });
  await insert(
    'orders',
    orders.map(({ number, customer: by, placed: on, total }) => ({ number, customer: by, placed: on, total })),
    { number: 1 },
  );
  await insert(
    'invoices',
    orders.map(({ placed: issued, ...order }) => ({ ...order, issued })),
    { number: 1 },
    { customer: 1, issued: -1 },
  );
  await insert(
    'payments',
    orders.map(({ number, total }) => ({ order: number, amount: total, method: number % 3 === 0 ? 'card' : 'bill' })),
  );
  await insert(
    'shipments',
    orders.map(({ number, placed: sent }) => ({ order: number, sent })),
    { order: 1, sent: -1 },
  );
  await database.collection('shipments').createIndex({ order: 1 }, { unique: true });
  const returned = orders.filter(({ number }) => number % 9 === 0);
  await insert(
    'returns',
    returned.map(({ number, placed: sent }) => ({ order: number, sent, reason: 'too small' })),
    { order: 1 },
    { order: 1, sent: -1 },
  );

  await insert(
    'subscribers',
    listOf(ORDERS, (number) => ({ mail: `Reader${number}@example.com`, since: FIRST_ORDER + random.below(1e9) })),
    { mail: 1 },
  );
  // An old importer wrote a few dates as text.
  const until = (number: number) => new Date(FIRST_ORDER + random.below(1e10) + number);
  await insert(
    'coupons',
    listOf(1_000, (number) => ({
      code: `Welcome${number}`,
      validUntil: number % 250 === 0 ? until(number).toISOString() : until(number),
    })),
  );
  await database.collection('coupons').createIndex({ code: 1 }, { collation: IGNORING_CASE });
}

const pageOf = (number: number) => ({ number: { $gte: number * PAGE, $lt: (number + 1) * PAGE } });
const joined = (from: string, localField: string, foreignField: string) => ({
  $lookup: { from, localField, foreignField, as: from },
});

/** What the application asks for, recorded by the profiler. */
export async function useShop(database: Db): Promise<void> {
  const [orders, invoices, subscribers, coupons] = ['orders', 'invoices', 'subscribers', 'coupons'].map((name) =>
    database.collection(name),
  ) as [Collection, Collection, Collection, Collection];
  const regulars = await database.collection('customers').find().limit(5).toArray();
  await recordOperations(database, async () => {
    for (let page = 0; page < 40; page += 1) {
      await orders.aggregate([{ $match: pageOf(page) }, joined('customers', 'customer', '_id')]).toArray();
      await invoices.find(pageOf(page)).toArray();
    }
    for (const [number, { _id: customer }] of regulars.entries()) {
      const one = { $match: { number } };
      await orders.aggregate([one, joined('payments', 'number', 'order')]).toArray();
      await orders.aggregate([one, joined('shipments', 'number', 'order')]).toArray();
      await orders.find({ customer }).sort({ placed: -1 }).toArray();
      await invoices.find({ customer }).sort({ issued: -1 }).toArray();
      await subscribers
        .find()
        .sort({ mail: 1 })
        .skip(11_000 + PAGE * number)
        .limit(PAGE)
        .toArray();
      await orders
        .find({ number: { $gt: 11_000 + PAGE * number } })
        .sort({ number: 1 })
        .limit(PAGE)
        .toArray();
      await subscribers.find({ mail: new RegExp(`^reader${number}@example\\.com$`, 'i') }).toArray();
      await coupons.findOne({ code: `welcome${number}` }, { collation: IGNORING_CASE });
    }
  });
}

/** One round of what goes on while the shop is linted: the oldest customers look at products. */
export async function visitShop(database: Db): Promise<void> {
  const customers = database.collection('customers');
  const online = await customers
    .find({}, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(ONLINE)
    .toArray();
  const visit = { product: 1, seconds: 30 };
  await customers.updateMany(
    { _id: { $in: online.map(({ _id }) => _id) } },
    { $push: { visits: visit, recentlyViewed: { $each: [visit], $slice: -KEPT } } as never },
  );
}
