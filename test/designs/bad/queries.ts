import type { BadDesign } from '../design.js';
import type { Planting } from '../planting.js';

const people = (p: Planting, count: number) =>
  p.times(count, (index) => ({
    _id: p.id(),
    email: `${p.word()}.${index}@example.net`,
    userName: `${p.word()}${index}`,
    status: p.random.choose(['active', 'blocked', 'new']),
    score: p.random.below(10_000),
    createdAt: p.date(),
    bio: p.words(20),
  }));

/** Queries and their indexes. */
export const BAD_QUERIES: readonly BadDesign[] = [
  {
    name: 'login-by-email',
    source: 'MongoDB manual, "Create Indexes to Support Your Queries"',
    why: 'Each login searches 9,000 users by their e-mail address, which has no index.',
    expected: { checks: ['collection-scan'], collection: 'users', severity: 'warning' },
    plant: (p) => p.fill('users', people(p, 9_000)),
    async use(database) {
      const some = await database.collection('users').find({}).limit(40).toArray();
      for (const { email } of some) await database.collection('users').findOne({ email: `${String(email)}.uk` });
    },
  },
  {
    name: 'any-case-names',
    source: 'MongoDB, "Case-Insensitive Queries Without Case-Insensitive Indexes": the anti-pattern\'s article',
    why: 'Names are found by `/^name$/i`: the index on them is read as a whole, 9,000 keys for one document.',
    expected: { checks: ['case-insensitive-regex'], collection: 'users', severity: 'warning' },
    async plant(p) {
      await p.fill('users', people(p, 9_000));
      await p.database.collection('users').createIndex({ userName: 1 });
    },
    async use(database) {
      const some = await database.collection('users').find({}).limit(40).toArray();
      for (const { userName } of some)
        await database
          .collection('users')
          .findOne({ userName: new RegExp(`^${String(userName).toUpperCase()}$`, 'i') });
    },
  },
  {
    name: 'newest-articles',
    source: 'MongoDB manual, "Use Indexes to Sort Query Results"',
    why: 'The front page sorts all 8,000 published articles in memory to show the newest twenty.',
    expected: {
      checks: ['in-memory-sort', 'collection-scan', 'poor-targeting'],
      collection: 'articles',
      severity: 'warning',
    },
    plant: (p) =>
      p.fill(
        'articles',
        p.times(8_000, () => ({ _id: p.id(), published: p.random.chance(0.9), at: p.date(), text: p.words(40) })),
      ),
    async use(database) {
      for (let read = 0; read < 30; read += 1)
        await database.collection('articles').find({ published: true }).sort({ at: -1 }).limit(20).toArray();
    },
  },
  {
    name: 'orders-by-status',
    source: 'MongoDB manual, "Create Queries that Ensure Selectivity"',
    why: 'The only index is on a status of three values: each search for a customer reads a third of the 9,000 orders.',
    expected: { checks: ['poor-targeting'], collection: 'orders', severity: 'warning' },
    async plant(p) {
      await p.fill(
        'orders',
        p.times(9_000, () => ({
          _id: p.id(),
          status: p.random.choose(['open', 'sent', 'closed']),
          customer: `customer-${p.random.below(2_500)}`,
          total: p.random.between(5, 900),
        })),
      );
      await p.database.collection('orders').createIndex({ status: 1 });
    },
    async use(database, p) {
      for (let read = 0; read < 40; read += 1)
        await database
          .collection('orders')
          .find({ status: 'open', customer: `customer-${p.random.below(2_500)}` })
          .toArray();
    },
  },
  {
    name: 'prefix-indexes',
    source: 'MongoDB, "Unnecessary Indexes": the anti-pattern\'s article',
    why: 'Two of the indexes are the beginnings of a third: each write pays for them, and no query needs them.',
    expected: { checks: ['redundant-index'], collection: 'events', severity: 'info' },
    async plant(p) {
      await p.fill(
        'events',
        p.times(20_000, () => ({
          _id: p.id(),
          tenant: p.random.below(300),
          kind: p.word(),
          at: p.date(),
        })),
      );
      const events = p.database.collection('events');
      await events.createIndex({ tenant: 1 });
      await events.createIndex({ tenant: 1, kind: 1 });
      await events.createIndex({ tenant: 1, kind: 1, at: -1 });
    },
  },
  {
    name: 'index-on-everything',
    source: 'MongoDB, "Unnecessary Indexes": "an index for each field, in case"',
    why: 'Every field has an index: 34 of them, all written with each document.',
    expected: { checks: ['too-many-indexes'], collection: 'contacts', severity: 'info' },
    async plant(p) {
      const fields = p.times(33, (index) => `field${index}`);
      await p.fill(
        'contacts',
        p.times(2_000, () => ({ _id: p.id(), ...Object.fromEntries(fields.map((field) => [field, p.word()])) })),
      );
      for (const field of fields) await p.database.collection('contacts').createIndex({ [field]: 1 });
    },
  },
  {
    name: 'text-anywhere',
    source: 'search boxes of tutorials: an unanchored regular expression',
    why: 'Each search reads all 9,000 titles: no index serves an expression without a beginning.',
    expected: {
      checks: ['unselective-filter'],
      collection: 'books',
      severity: 'warning',
    },
    plant: (p) =>
      p.fill(
        'books',
        p.times(9_000, () => ({ _id: p.id(), title: p.words(6), year: 1_990 })),
      ),
    async use(database, p) {
      for (let read = 0; read < 30; read += 1)
        await database
          .collection('books')
          .find({ title: new RegExp(`${p.word()}${p.word()}`) })
          .limit(10)
          .toArray();
    },
  },
  {
    name: 'deep-pages',
    source: 'MongoDB manual, "cursor.skip()": range queries instead of offsets',
    why: 'Page 900 is reached by skipping 18,000 documents: each page costs more than the one before.',
    expected: { checks: ['deep-skip', 'poor-targeting', 'collection-scan'], collection: 'entries', severity: 'info' },
    async plant(p) {
      await p.fill(
        'entries',
        p.times(24_000, (index) => ({ _id: p.id(), number: index, text: p.words(4) })),
      );
      await p.database.collection('entries').createIndex({ number: 1 });
    },
    async use(database, p) {
      for (let read = 0; read < 30; read += 1)
        await database
          .collection('entries')
          .find({})
          .sort({ number: 1 })
          .skip(20 * p.random.between(700, 1_100))
          .limit(20)
          .toArray();
    },
  },
];
