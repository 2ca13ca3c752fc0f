import { DAY, HOUR, MINUTE } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from '../round-2/workload.js';
import { question } from './source.js';

/** What the expected answers advise, and a question that asks for no advice. */
export const SOUND: readonly Incident[] = [
  {
    name: 'newest-reviews',
    source: question('mongodb-schema-design', 3),
    why: 'Reviews have a collection, with an index for the product and one for the reviewer. The product keeps the newest ten.',
    faults: [],
    async plant(p) {
      await p.fill(
        'products',
        p.times(2_000, (index) => ({
          _id: numbered(p, index),
          slug: `product-${index}`,
          name: p.words(3),
          newest: p.times(p.capped(3, 10), () => ({ reviewer: p.word(), rating: 4, text: p.words(15), at: p.date() })),
        })),
      );
      await p.fill(
        'reviews',
        p.times(20_000, (index) => ({
          _id: numbered(p, 5_000 + index),
          productId: numbered(p, p.random.below(2_000)),
          reviewer: `person${p.random.below(4_000)}`,
          rating: p.random.between(1, 5),
          text: p.words(15),
          at: p.date((20_000 - index) * MINUTE),
        })),
      );
      await p.database.collection('products').createIndex({ slug: 1 }, { unique: true });
      await p.database
        .collection('reviews')
        .createIndexes([{ key: { productId: 1, at: -1 } }, { key: { reviewer: 1, at: -1 } }]);
    },
    async use(database, p) {
      const reviews = database.collection('reviews');
      const newest = (filter: object) => reviews.find(filter).sort({ at: -1 }).limit(20).toArray();
      await repeat(100, async () => {
        await database.collection('products').findOne({ slug: `product-${p.random.below(2_000)}` });
        await newest({ productId: numbered(p, p.random.below(2_000)) });
        await newest({ reviewer: `person${p.random.below(4_000)}` });
      });
    },
  },
  {
    name: 'extended-reference',
    source: question('mongodb-schema-design', 5),
    why: 'Orders hold the name of their customer beside its id, and the list needs no join.',
    faults: [],
    async plant(p) {
      const names = p.times(2_000, () => p.words(2));
      await p.fill(
        'customers',
        names.map((name, index) => ({ _id: numbered(p, index), name, email: `c${index}@example.net` })),
      );
      await p.fill(
        'orders',
        p.times(15_000, (index) => {
          const customer = p.random.below(2_000);
          return {
            _id: numbered(p, 10_000 + index),
            customer: { _id: numbered(p, customer), name: names[customer] },
            createdAt: p.date((15_000 - index) * HOUR),
            total: p.random.between(5, 900),
          };
        }),
      );
      await p.database.collection('orders').createIndexes([{ key: { createdAt: -1 } }, { key: { 'customer._id': 1 } }]);
    },
    async use(database, p) {
      const orders = database.collection('orders');
      await repeat(120, () => orders.find({}).sort({ createdAt: -1 }).limit(50).toArray());
      await repeat(60, () => orders.find({ 'customer._id': numbered(p, p.random.below(2_000)) }).toArray());
    },
  },
  {
    name: 'polymorphic-products',
    source: question('mongodb-schema-design', 6),
    why: 'Books, electronics and clothing are in one collection: a field names the type, and each type has fields of its own.',
    faults: [],
    async plant(p) {
      const kinds = [
        () => ({ type: 'book', author: p.words(2), isbn: p.word() }),
        () => ({ type: 'electronics', warranty: p.random.between(1, 5), wattage: p.random.between(5, 2_000) }),
        () => ({ type: 'clothing', size: p.random.choose(['S', 'M', 'L']), color: p.word() }),
      ];
      await p.fill(
        'products',
        p.times(6_000, (index) => ({
          _id: numbered(p, index),
          name: p.words(3),
          price: p.random.between(3, 400),
          brand: `brand-${p.random.below(150)}`,
          ...kinds[index % kinds.length]!(),
        })),
      );
      await p.database.collection('products').createIndex({ brand: 1, price: 1 });
    },
    async use(database, p) {
      await repeat(120, () =>
        database
          .collection('products')
          .find({ brand: `brand-${p.random.below(150)}` })
          .sort({ price: 1 })
          .limit(20)
          .toArray(),
      );
    },
  },
  {
    name: 'a-few-admins',
    source: question('mongodb-query-optimizer', 5),
    why: 'The names of all administrators, asked for in a collection of a few hundred users: nothing needs to be advised.',
    faults: [],
    plant: (p) =>
      p.fill(
        'users',
        p.times(400, (index) => ({
          _id: numbered(p, index),
          role: p.random.chance(0.05) ? 'admin' : 'member',
          name: p.words(2),
          email: `person${index}@example.net`,
          createdAt: p.date(p.random.below(300 * DAY)),
        })),
      ),
    async use(database) {
      await repeat(30, () =>
        database
          .collection('users')
          .find({ role: 'admin' }, { projection: { name: 1, email: 1 } })
          .toArray(),
      );
    },
  },
];
