import { DAY, HOUR, MINUTE } from '../../designs/planting.js';
import type { Incident } from '../incident.js';
import { numbered, repeat } from '../round-2/workload.js';
import { question } from './source.js';

const review = (reviewer: string, text: string, at: Date, votes: number) => ({
  reviewer,
  rating: 1 + (votes % 5),
  text,
  votes,
  at,
});

/** Questions on schemas. */
export const SCHEMAS: readonly Incident[] = [
  {
    name: 'drifted-contacts',
    source: question('mongodb-schema-design', 1),
    why: 'Over two years, contacts got two forms: a phone as text or as an object, a name in one field or in two.',
    faults: [
      {
        what: 'The phone is text in some documents and an object in others.',
        collection: 'contacts',
        about: 'phone',
        severity: 'warning',
        cure: 'A schema_version, a migration in batches, and a validator that warns first',
        short: { told: 'info', why: 'forms that are documents of two generations are taken for intended' },
      },
      {
        what: 'Names are in fullName in some documents, in firstName and lastName in the others.',
        collection: 'contacts',
        about: 'fullName',
        severity: 'info',
        cure: 'A schema_version, a migration in batches, and a validator that warns first',
      },
    ],
    async plant(p) {
      await p.fill(
        'contacts',
        p.times(8_000, (index) => {
          const number = `0${p.random.between(100_000_000, 999_999_999)}`;
          const old = index < 4_800;
          return {
            _id: numbered(p, index),
            ...(old ? { fullName: p.words(2) } : { firstName: p.word(), lastName: p.word() }),
            email: `person${index}@example.net`,
            phone: old ? number : { country: p.random.choose(['DE', 'FR', 'US']), number },
            city: p.word(),
          };
        }),
      );
      await p.database.collection('contacts').createIndex({ email: 1 }, { unique: true });
    },
    async use(database, p) {
      const contacts = database.collection('contacts');
      await repeat(200, () => contacts.findOne({ email: `person${p.random.below(8_000)}@example.net` }));
    },
  },
  {
    name: 'counted-views',
    source: question('mongodb-schema-design', 2),
    why: 'Each view of a product increments its popularity, in the document that holds all else about the product.',
    faults: [
      {
        what: 'Most writes increment a counter in documents that hardly change otherwise.',
        collection: 'products',
        about: 'popularity',
        severity: 'info',
        cure: 'Count approximately, or collect views and add them now and then, apart from the product',
        short: { told: 'missed', why: 'a counter is reported by its write conflicts, and one client has none' },
      },
    ],
    async plant(p) {
      await p.fill(
        'products',
        p.times(2_000, (index) => ({
          _id: numbered(p, index),
          sku: `sku-${index}`,
          name: p.words(3),
          description: p.words(200),
          price: p.random.between(3, 400),
          category: p.random.choose(['home', 'garden', 'sport']),
          stock: p.random.below(200),
          tags: p.times(4, () => p.word()),
          popularity: p.heavyTailed(5, 90_000),
        })),
      );
      await p.database.collection('products').createIndex({ sku: 1 }, { unique: true });
    },
    async use(database, p) {
      const products = database.collection('products');
      await repeat(450, async () => {
        const sku = `sku-${Math.floor(2_000 * p.random.next() ** 4)}`;
        await products.findOne({ sku });
        await products.updateOne({ sku }, { $inc: { popularity: 1 } });
      });
      await repeat(10, () =>
        products.updateOne({ sku: `sku-${p.random.below(2_000)}` }, { $set: { price: p.random.between(3, 400) } }),
      );
    },
  },
  {
    name: 'embedded-reviews',
    source: question('mongodb-schema-design', 3),
    why: 'All reviews of a product are in its document. The page shows ten of them, and a page of each reviewer shows theirs.',
    faults: [
      {
        what: 'The reviews of a product have no bound.',
        collection: 'products',
        about: 'reviews',
        severity: 'warning',
        cure: 'A collection of reviews, and the newest ten in the product',
      },
      {
        what: 'The reviews of one person are searched in all products.',
        collection: 'products',
        about: 'reviews.reviewer',
        severity: 'warning',
        cure: 'A collection of reviews with db.reviews.createIndex({ reviewer: 1, at: -1 })',
      },
    ],
    async plant(p) {
      await p.fill(
        'products',
        p.times(2_500, (index) => ({
          _id: numbered(p, index),
          slug: `product-${index}`,
          name: p.words(3),
          price: p.random.between(3, 400),
          reviews: p.times(p.heavyTailed(6, 3_000), (number) =>
            review(`person${p.random.below(9_000)}`, p.words(15), p.date(DAY + number * HOUR), p.random.below(90)),
          ),
        })),
      );
      await p.database.collection('products').createIndex({ slug: 1 }, { unique: true });
    },
    async use(database, p) {
      const products = database.collection('products');
      await repeat(150, () => products.findOne({ slug: `product-${p.random.below(2_500)}` }));
      await repeat(40, () => products.find({ 'reviews.reviewer': `person${p.random.below(9_000)}` }).toArray());
      await repeat(40, (index) =>
        products.updateOne(
          { slug: `product-${p.random.below(2_500)}` },
          { $push: { reviews: review(`person${index}`, p.words(15), p.date(MINUTE), 0) as never } },
        ),
      );
    },
  },
  {
    name: 'viral-posts',
    source: question('mongodb-schema-design', 4),
    why: 'Comments are embedded in posts. Most have some ten; a few posts go viral and approach the limit of a document.',
    faults: [
      {
        what: 'A few posts hold tens of thousands of comments.',
        collection: 'posts',
        about: 'comments',
        severity: 'error',
        cure: 'The outlier pattern: the first comments in the post, a flag, and the others in documents of their own',
      },
    ],
    async plant(p) {
      const comment = (number: number) => ({
        author: `person${p.random.below(5_000)}`,
        text: p.words(8),
        at: p.date(DAY + number * MINUTE),
        upvotes: p.random.below(30),
      });
      await p.fill(
        'posts',
        p.times(3_000, (index) => ({
          _id: numbered(p, index),
          slug: `post-${index}`,
          title: p.words(5),
          comments: p.times(
            index % 1_000 === 500 ? p.random.between(25_000, 50_000) : p.random.between(5, 20),
            comment,
          ),
        })),
      );
      await p.database.collection('posts').createIndex({ slug: 1 }, { unique: true });
    },
    async use(database, p) {
      const posts = database.collection('posts');
      const slug = () => `post-${p.random.chance(0.1) ? 500 : p.random.below(3_000)}`;
      await repeat(150, () => posts.findOne({ slug: slug() }));
      await repeat(60, () =>
        posts.updateOne(
          { slug: slug() },
          { $push: { comments: { author: 'person1', text: p.words(8), at: p.date(MINUTE), upvotes: 0 } as never } },
        ),
      );
    },
  },
  {
    name: 'names-by-lookup',
    source: question('mongodb-schema-design', 5),
    why: 'The list of orders joins each with its customer, for the name alone. It takes 200 ms today.',
    faults: [
      {
        what: 'Each page of the list looks up customers for a name that hardly changes.',
        collection: 'orders',
        about: '$lookup',
        severity: 'warning',
        cure: 'An extended reference: copy the name into the order, and update it when it changes',
      },
    ],
    async plant(p) {
      await p.fill(
        'customers',
        p.times(3_000, (index) => ({ _id: numbered(p, index), name: p.words(2), email: `c${index}@example.net` })),
      );
      await p.fill(
        'orders',
        p.times(20_000, (index) => ({
          _id: numbered(p, 10_000 + index),
          customerId: numbered(p, p.random.below(3_000)),
          createdAt: p.date((20_000 - index) * HOUR),
          total: p.random.between(5, 900),
        })),
      );
      await p.database.collection('orders').createIndex({ createdAt: -1 });
    },
    async use(database) {
      const customer = { from: 'customers', localField: 'customerId', foreignField: '_id', as: 'customer' };
      await repeat(120, (index) =>
        database
          .collection('orders')
          .aggregate([
            { $sort: { createdAt: -1 } },
            { $skip: 50 * (index % 4) },
            { $limit: 50 },
            { $lookup: customer },
            { $project: { total: 1, createdAt: 1, 'customer.name': 1 } },
          ])
          .toArray(),
      );
    },
  },
  {
    name: 'collection-per-type',
    source: question('mongodb-schema-design', 6),
    why: 'Books, electronics and clothing have a collection each. The search over all products unites the three.',
    faults: [
      {
        what: 'One kind of thing is split over three collections, which most requests unite.',
        collection: 'products_books',
        about: '$unionWith',
        severity: 'info',
        cure: 'The polymorphic pattern: one collection with a field for the type',
        short: { told: 'missed', why: 'no check compares collections that a pipeline unites' },
      },
    ],
    async plant(p) {
      const kinds = {
        products_books: () => ({ author: p.words(2), isbn: p.word() }),
        products_electronics: () => ({ warranty: p.random.between(1, 5), wattage: p.random.between(5, 2_000) }),
        products_clothing: () => ({ size: p.random.choose(['S', 'M', 'L']), color: p.word() }),
      };
      for (const [name, own] of Object.entries(kinds)) {
        await p.fill(
          name,
          p.times(2_000, (index) => ({
            _id: numbered(p, index),
            name: p.words(3),
            price: p.random.between(3, 400),
            brand: `brand-${p.random.below(150)}`,
            ...own(),
          })),
        );
        await p.database.collection(name).createIndex({ brand: 1, price: 1 });
      }
    },
    async use(database, p) {
      await repeat(120, () => {
        const brand = { $match: { brand: `brand-${p.random.below(150)}` } };
        const others = ['products_electronics', 'products_clothing'].map((coll) => ({
          $unionWith: { coll, pipeline: [brand] },
        }));
        return database
          .collection('products_books')
          .aggregate([brand, ...others, { $sort: { price: 1 } }, { $limit: 20 }])
          .toArray();
      });
    },
  },
];
