import { pipeline } from 'node:stream/promises';
import { Binary, Decimal128, GridFSBucket, ObjectId, type Db, type Document } from 'mongodb';
import {
  HOUR,
  MINUTE,
  START,
  customers,
  day,
  fill,
  money,
  one,
  products,
  publishers,
  random,
  review,
  times,
  whole,
  words,
} from './clean-house-data.js';

/** A collection that is designed as the schema-design literature does it. */
export interface WellDesigned {
  /** The example and where it is from. */
  readonly example: string;
  readonly collection: string;
  plant(database: Db): Promise<void>;
  /** A query that its indexes are for; each index beyond the one on `_id` is used by one. */
  readonly queries?: readonly Document[];
}

/** Every example, small enough to plant in seconds. Nothing in here may be called bad. */
export const CLEAN_HOUSE: readonly WellDesigned[] = [
  {
    example:
      'publishers, which do not list their books (MongoDB manual, "Model One-to-Many Relationships with Document References")',
    collection: 'publishers',
    plant: (database) =>
      fill(
        database,
        'publishers',
        publishers.map((_id, index) => ({
          _id,
          name: `Publisher ${index}`,
          founded: whole(1850, 2010),
          location: one(['CA', 'NY']),
        })),
      ),
  },
  {
    example: 'books that name their publisher, with an index on it',
    collection: 'books',
    async plant(database) {
      await database.collection('books').createIndex({ publisher_id: 1, published_date: -1 });
      await fill(
        database,
        'books',
        times(4_000, (index) => ({
          title: `Book ${index}`,
          authors: times(whole(1, 3), () => words(2)),
          published_date: day(),
          pages: whole(80, 900),
          language: 'English',
          publisher_id: one(publishers),
        })),
      );
    },
    queries: [{ publisher_id: publishers[7] }],
  },
  {
    example:
      'patrons with their few addresses embedded (MongoDB manual, "Model One-to-Many Relationships with Embedded Documents")',
    collection: 'patrons',
    plant: (database) =>
      fill(
        database,
        'patrons',
        times(2_000, (index) => ({
          _id: `patron${index}`,
          name: words(2),
          addresses: times(whole(1, 3), () => ({ street: words(2), city: words(1), state: 'MA', zip: '12345' })),
        })),
      ),
  },
  {
    example:
      'products with the ten newest reviews, and a validator (subset pattern; MongoDB manual, "Schema Validation")',
    collection: 'products',
    async plant(database) {
      const $jsonSchema = {
        required: ['name', 'price', 'stock', 'reviews'],
        properties: {
          name: { bsonType: 'string' },
          price: { bsonType: 'decimal' },
          stock: { bsonType: 'int', minimum: 0 },
          reviews: { bsonType: 'array', maxItems: 10 },
        },
      };
      await database.createCollection('products', { validator: { $jsonSchema } });
      await database
        .collection('products')
        .createIndexes([{ key: { sku: 1 }, unique: true }, { key: { category: 1, price: 1 } }]);
      await fill(
        database,
        'products',
        products.map((_id, index) => ({
          _id,
          sku: `sku-${index}`,
          name: words(3),
          category: one(['kitchen', 'garden', 'toys']),
          price: money(90),
          stock: whole(0, 500),
          reviews: times(whole(0, 10), review),
        })),
      );
    },
    queries: [{ sku: 'sku-3' }, { category: 'toys', price: { $gt: Decimal128.fromString('3') } }],
  },
  {
    example: 'all reviews in a collection of their own, with an index on product and date',
    collection: 'reviews',
    async plant(database) {
      await database.collection('reviews').createIndex({ product_id: 1, published_date: -1 });
      await fill(
        database,
        'reviews',
        times(8_000, () => ({
          product_id: one(products),
          review_author: words(1),
          review_text: words(whole(5, 40)),
          published_date: day(),
          stars: whole(1, 5),
        })),
      );
    },
    queries: [{ product_id: products[3] }],
  },
  {
    example:
      'orders with the fields of the customer that are read with them (extended reference pattern), lines embedded',
    collection: 'orders',
    async plant(database) {
      await database
        .collection('orders')
        .createIndexes([
          { key: { 'customer._id': 1, placed: -1 } },
          { key: { placed: 1 }, partialFilterExpression: { status: 'open' }, name: 'open_by_date' },
        ]);
      await fill(
        database,
        'orders',
        times(12_000, () => ({
          customer: one(customers),
          status: one(['open', 'shipped', 'shipped', 'shipped']),
          placed: day(),
          lines: times(whole(1, 6), () => ({ product_id: one(products), quantity: whole(1, 5), price: money(90) })),
          ...(whole(0, 9) === 0 && { note: words(4) }),
        })),
      );
    },
    queries: [
      { 'customer._id': customers[3]?._id },
      { status: 'open', placed: { $gt: new Date(START + 300 * 24 * HOUR) } },
    ],
  },
  {
    example: 'customers, who are referenced',
    collection: 'customers',
    plant: (database) =>
      fill(
        database,
        'customers',
        customers.map((customer) => Object.assign({ since: day() }, customer)),
      ),
  },
  {
    example: 'hourly buckets of sensor readings ("Building with Patterns: The Bucket Pattern")',
    collection: 'sensor_buckets',
    async plant(database) {
      await database.collection('sensor_buckets').createIndex({ sensor_id: 1, start_date: 1 });
      await fill(
        database,
        'sensor_buckets',
        times(1_000, (index) => {
          const start = START + Math.floor(index / 20) * HOUR;
          const measurements = times(60, (minute) => ({
            timestamp: new Date(start + minute * MINUTE),
            temperature: whole(150, 250) / 10,
          }));
          return {
            sensor_id: index % 20,
            start_date: new Date(start),
            end_date: new Date(start + HOUR - 1),
            measurements,
            transaction_count: 60,
            sum_temperature: 1_200.5,
          };
        }),
      );
    },
    queries: [{ sensor_id: 3, start_date: { $gt: new Date(START) } }],
  },
  {
    example: 'readings in a time-series collection (MongoDB manual, "Time Series")',
    collection: 'weather',
    async plant(database) {
      await database.createCollection('weather', {
        timeseries: { timeField: 'timestamp', metaField: 'metadata', granularity: 'minutes' },
      });
      await fill(
        database,
        'weather',
        times(12_000, (index) => ({
          timestamp: new Date(START + Math.floor(index / 20) * MINUTE),
          metadata: { sensorId: index % 20, type: 'temperature' },
          temp: whole(150, 250) / 10,
        })),
      );
    },
  },
  {
    example: 'movies with attributes of many kinds in one indexed array (attribute pattern)',
    collection: 'movies',
    async plant(database) {
      await database.collection('movies').createIndex({ 'releases.location': 1, 'releases.date': 1 });
      await fill(
        database,
        'movies',
        times(1_500, (index) => ({
          title: `Movie ${index}`,
          director: words(2),
          releases: times(whole(1, 6), () => ({ location: one(['USA', 'France', 'Italy', 'UK']), date: day() })),
          specs: [
            { k: 'budget', v: whole(1, 99), u: 'million' },
            { k: 'format', v: '35 mm' },
          ],
          num_screenings: whole(1, 900), // computed pattern
          num_viewers: whole(100, 90_000),
        })),
      );
    },
    queries: [{ 'releases.location': 'Italy' }],
  },
  {
    example: 'a tree by parent and ancestors (MongoDB manual, "Model Tree Structures with an Array of Ancestors")',
    collection: 'categories',
    async plant(database) {
      await database
        .collection<Document>('categories')
        .createIndexes([{ key: { ancestors: 1 } }, { key: { parent: 1 } }]);
      const ancestors = (index: number): number[] =>
        index === 0 ? [] : [...ancestors(Math.floor((index - 1) / 4)), Math.floor((index - 1) / 4)];
      await fill(
        database,
        'categories',
        times(800, (index) => ({
          _id: index,
          name: words(2),
          ancestors: ancestors(index),
          parent: index === 0 ? null : Math.floor((index - 1) / 4),
        })),
      );
    },
    queries: [{ ancestors: 3 }, { parent: 3 }],
  },
  {
    example: 'tasks and their few owners, two-way ("6 Rules of Thumb for MongoDB Schema Design")',
    collection: 'tasks',
    async plant(database) {
      await database.collection('tasks').createIndex({ owner: 1, due_date: 1 });
      await fill(
        database,
        'tasks',
        times(3_000, (index) => ({
          owner: one(customers)._id,
          description: words(5),
          due_date: day(),
          done: index % 3 === 0,
        })),
      );
    },
    queries: [{ owner: customers[9]?._id, due_date: { $gt: new Date(START) } }],
  },
  {
    example: 'documents of two versions of a schema ("Building with Patterns: The Schema Versioning Pattern")',
    collection: 'contacts',
    plant: (database) =>
      fill(
        database,
        'contacts',
        times(1_000, (index) =>
          index % 4 === 0
            ? { schema_version: 1, name: words(2), home: '410-555-0909', work: '410-555-0910' }
            : { schema_version: 2, name: words(2), contact_method: [{ work: '410-555-0909' }, { twitter: '@x' }] },
        ),
      ),
  },
  {
    example: 'books with an overflow document for the few bestsellers ("Building with Patterns: The Outlier Pattern")',
    collection: 'sales',
    plant: (database) =>
      fill(database, 'sales', [
        ...times(1_000, (index) => ({
          _id: `book${index}`,
          customers_purchased: times(whole(5, 50), () => new ObjectId()),
          has_extras: index === 7,
        })),
        ...times(20, (page) => ({
          _id: `book7-${page}`,
          customers_purchased: times(50, () => new ObjectId()),
          has_extras: page < 19,
        })),
      ]),
  },
  {
    example: 'passages with an embedding of fixed length, and binary thumbnails of a few KB',
    collection: 'passages',
    plant: (database) =>
      fill(
        database,
        'passages',
        times(300, (index) => ({
          text: words(30),
          embedding: times(384, () => random.next()),
          thumbnail: new Binary(Buffer.alloc(2_000, index % 250)),
        })),
      ),
  },
  {
    example: 'sessions that a TTL index removes',
    collection: 'sessions',
    async plant(database) {
      await database.collection('sessions').createIndex({ lastSeen: 1 }, { expireAfterSeconds: 3_600 });
      await fill(
        database,
        'sessions',
        times(500, () => ({
          user: one(customers)._id,
          lastSeen: new Date(),
          cart: times(whole(0, 3), () => ({ product_id: one(products), quantity: 1 })),
        })),
      );
    },
  },
  {
    example: 'a capped log',
    collection: 'log',
    async plant(database) {
      await database.createCollection('log', { capped: true, size: 1_000_000 });
      await fill(
        database,
        'log',
        times(3_000, () => ({ at: day(), level: one(['info', 'warning']), text: words(8) })),
      );
    },
  },
  {
    example: 'files in GridFS',
    collection: 'fs.files',
    async plant(database) {
      const bucket = new GridFSBucket(database);
      for (let file = 0; file < 8; file += 1) {
        await pipeline([Buffer.alloc(400_000, file)], bucket.openUploadStream(`file-${file}.bin`));
      }
    },
  },
];
