import type { Design } from '../design.js';

/** References, copies, joins and queries that are served. */
export const GOOD_RELATIONS: readonly Design[] = [
  {
    name: 'orders-with-customer',
    source: 'MongoDB, "Building with Patterns: The Extended Reference Pattern"',
    why: 'An order carries the name and city of its customer, kept up to date, and needs no join.',
    async plant(p) {
      const customers = p.times(1_000, () => ({ _id: p.id(), name: p.words(2), city: p.word() }));
      await p.fill('customers', customers);
      await p.database.collection('orders').createIndex({ 'customer._id': 1, at: -1 });
      await p.fill(
        'orders',
        p.times(5_000, () => ({
          _id: p.id(),
          at: p.date(),
          customer: p.random.choose(customers),
          lines: p.times(p.random.between(1, 6), () => ({ sku: p.word(), quantity: p.random.between(1, 5) })),
        })),
      );
    },
    async use(database) {
      for (const { _id } of await database.collection('customers').find({}).limit(30).toArray())
        await database.collection('orders').find({ 'customer._id': _id }).sort({ at: -1 }).limit(10).toArray();
    },
  },
  {
    name: 'invoice-report',
    source: 'MongoDB manual, "$lookup (aggregation)"',
    why: 'Now and then a report joins customers by _id: the index is there, and joins are few.',
    async plant(p) {
      const customers = p.times(2_000, () => p.id());
      await p.fill(
        'customers',
        customers.map((_id) => ({ _id, name: p.words(2) })),
      );
      await p.fill(
        'invoices',
        p.times(6_000, (index) => ({
          _id: p.id(),
          number: index,
          customer: p.random.choose(customers),
          total: p.random.between(5, 900),
        })),
      );
      await p.database.collection('invoices').createIndex({ number: 1 }, { unique: true });
      await p.database.collection('invoices').createIndex({ customer: 1 });
    },
    async use(database, p) {
      for (let read = 0; read < 200; read += 1)
        await database.collection('invoices').findOne({ number: p.random.below(6_000) });
      const customer = { from: 'customers', localField: 'customer', foreignField: '_id', as: 'customer' };
      for (let read = 0; read < 3; read += 1)
        await database
          .collection('invoices')
          .aggregate([{ $match: { number: p.random.below(6_000) } }, { $lookup: customer }])
          .toArray();
    },
  },
  {
    name: 'category-tree',
    source: 'MongoDB manual, "Model Tree Structures with an Array of Ancestors"',
    why: 'An index on the ancestors serves every branch; a tree of products is a few levels deep.',
    async plant(p) {
      const path = (index: number): number[] => (index === 0 ? [] : [...path(Math.floor((index - 1) / 7)), index]);
      await p.fill(
        'categories',
        p.times(2_800, (index) => ({
          _id: index,
          name: p.words(1),
          parent: index === 0 ? null : Math.floor((index - 1) / 7),
          ancestors: path(index).slice(0, -1),
        })),
      );
      await p.database.collection('categories').createIndex({ ancestors: 1 });
      await p.database.collection('categories').createIndex({ parent: 1 });
    },
    async use(database, p) {
      for (let read = 0; read < 30; read += 1) {
        await database
          .collection('categories')
          .find({ ancestors: p.random.between(1, 300) })
          .toArray();
        await database
          .collection('categories')
          .find({ parent: p.random.between(1, 300) })
          .toArray();
      }
    },
  },
  {
    name: 'materialised-paths',
    source: 'MongoDB manual, "Model Tree Structures with Materialized Paths"',
    why: 'A branch is found by the beginning of its path: an anchored expression, which the index serves.',
    async plant(p) {
      await p.fill(
        'folders',
        p.times(4_000, (index) => ({ _id: p.id(), path: `,root,${index % 60},${index},`, owner: p.word() })),
      );
      await p.database.collection('folders').createIndex({ path: 1 });
    },
    async use(database, p) {
      for (let read = 0; read < 30; read += 1)
        await database
          .collection('folders')
          .find({ path: new RegExp(`^,root,${p.random.below(60)},`) })
          .toArray();
    },
  },
  {
    name: 'managers',
    source: 'MongoDB manual, "$graphLookup (aggregation)": the example of employees',
    why: 'Managers are followed by their name, which has an index, for single employees.',
    async plant(p) {
      await p.fill(
        'employees',
        p.times(3_000, (index) => ({
          _id: p.id(),
          name: `employee-${index}`,
          reportsTo: index === 0 ? null : `employee-${Math.floor((index - 1) / 6)}`,
        })),
      );
      await p.database.collection('employees').createIndex({ name: 1 }, { unique: true });
    },
    async use(database, p) {
      const above = {
        from: 'employees',
        startWith: '$reportsTo',
        connectFromField: 'reportsTo',
        connectToField: 'name',
        as: 'above',
      };
      for (let read = 0; read < 60; read += 1)
        await database.collection('employees').findOne({ name: `employee-${p.random.below(3_000)}` });
      for (let read = 0; read < 6; read += 1)
        await database
          .collection('employees')
          .aggregate([{ $match: { name: `employee-${p.random.below(3_000)}` } }, { $graphLookup: above }])
          .toArray();
    },
  },
  {
    name: 'countries',
    source: 'reference tables: a few dozen documents that everything refers to',
    why: 'The joined collection has 60 documents: no index would make that join better.',
    async plant(p) {
      const codes = p.times(60, (index) => `C${index}`);
      await p.fill(
        'countries',
        codes.map((code) => ({ _id: p.id(), code, name: p.word() })),
      );
      await p.fill(
        'airports',
        p.times(3_000, (index) => ({ _id: p.id(), iata: `A${index}`, country: p.random.choose(codes) })),
      );
      await p.database.collection('airports').createIndex({ iata: 1 });
    },
    async use(database, p) {
      for (let read = 0; read < 100; read += 1)
        await database.collection('airports').findOne({ iata: `A${p.random.below(3_000)}` });
      const country = { from: 'countries', localField: 'country', foreignField: 'code', as: 'country' };
      for (let read = 0; read < 4; read += 1)
        await database
          .collection('airports')
          .aggregate([{ $match: { iata: `A${p.random.below(3_000)}` } }, { $lookup: country }])
          .toArray();
    },
  },
  {
    name: 'job-queue',
    source: 'job queues for Node.js: jobs found by their state and next run',
    why: 'One compound index serves the poll for due jobs; finished jobs expire.',
    async plant(p) {
      const jobs = p.database.collection('jobs');
      await jobs.createIndex({ state: 1, nextRunAt: 1, priority: -1 });
      await jobs.createIndex({ finishedAt: 1 }, { expireAfterSeconds: 2_000_000_000 });
      await p.fill(
        'jobs',
        p.times(4_000, (index) => ({
          _id: p.id(),
          state: index % 20 === 0 ? 'waiting' : 'done',
          priority: p.random.below(3),
          nextRunAt: p.date(),
          data: { order: p.id() },
          ...(index % 20 !== 0 && { finishedAt: p.date() }),
        })),
      );
    },
    async use(database, p) {
      for (let poll = 0; poll < 60; poll += 1)
        await database
          .collection('jobs')
          .findOneAndUpdate(
            { state: 'waiting', nextRunAt: { $lte: new Date(p.now) } },
            { $set: { state: 'running' } },
            { sort: { nextRunAt: 1 } },
          );
    },
  },
  {
    name: 'accounts-and-sessions',
    source: 'login libraries: users, accounts and sessions in three collections',
    why: 'Each lookup has its unique index: by e-mail, by provider, by token.',
    async plant(p) {
      const users = p.times(1_500, (index) => ({ _id: p.id(), email: `user.${index}@example.net`, name: p.words(2) }));
      await p.fill('users', users);
      await p.fill(
        'accounts',
        users.map(({ _id: userId }, index) => ({
          _id: p.id(),
          userId,
          provider: 'github',
          providerAccountId: `${index}`,
        })),
      );
      await p.fill(
        'sessions',
        users.map(({ _id: userId }, index) => ({
          _id: p.id(),
          userId,
          sessionToken: `token-${index}`,
          expires: p.date(),
        })),
      );
      await p.database.collection('users').createIndex({ email: 1 }, { unique: true });
      await p.database.collection('accounts').createIndex({ provider: 1, providerAccountId: 1 }, { unique: true });
      await p.database.collection('accounts').createIndex({ userId: 1 });
      await p.database.collection('sessions').createIndex({ sessionToken: 1 }, { unique: true });
      await p.database.collection('sessions').createIndex({ userId: 1 });
    },
    async use(database, p) {
      for (let login = 0; login < 40; login += 1) {
        const number = p.random.below(1_500);
        const session = await database.collection('sessions').findOne({ sessionToken: `token-${number}` });
        await database.collection('users').findOne({ _id: session?.['userId'] });
        await database.collection('accounts').findOne({ provider: 'github', providerAccountId: `${number}` });
      }
    },
  },
  {
    name: 'tenants',
    source: 'MongoDB, "Build a Multi-Tenant Architecture": one collection, the tenant in each document and index',
    why: 'Every index begins with the tenant, as every query does.',
    async plant(p) {
      await p.fill(
        'tickets',
        p.times(8_000, (index) => ({
          _id: p.id(),
          tenant: `tenant-${p.random.below(40)}`,
          number: index,
          state: p.random.choose(['open', 'closed']),
          at: p.date(),
        })),
      );
      await p.database.collection('tickets').createIndex({ tenant: 1, state: 1, at: -1 });
      await p.database.collection('tickets').createIndex({ tenant: 1, number: 1 }, { unique: true });
    },
    async use(database, p) {
      for (let read = 0; read < 40; read += 1) {
        const tenant = `tenant-${p.random.below(40)}`;
        await database.collection('tickets').find({ tenant, state: 'open' }).sort({ at: -1 }).limit(20).toArray();
        await database.collection('tickets').findOne({ tenant, number: p.random.below(8_000) });
      }
    },
  },
  {
    name: 'chat-messages',
    source: 'chat applications: a message is a document',
    why: 'Messages are pages of an index on room and time, by range and not by offset.',
    async plant(p) {
      const rooms = p.times(200, () => p.id());
      await p.fill(
        'rooms',
        rooms.map((_id) => ({ _id, name: p.words(2) })),
      );
      await p.database.collection('messages').createIndex({ room: 1, at: -1 });
      await p.fill(
        'messages',
        p.times(12_000, () => ({
          _id: p.id(),
          room: p.random.choose(rooms),
          at: p.date(),
          from: p.word(),
          text: p.words(7),
        })),
      );
    },
    async use(database, p) {
      for (const { _id: room } of await database.collection('rooms').find({}).limit(30).toArray())
        await database
          .collection('messages')
          .find({ room, at: { $lt: p.date() } })
          .sort({ at: -1 })
          .limit(30)
          .toArray();
    },
  },
  {
    name: 'votes-as-documents',
    source: 'MongoDB manual, "Model Many-to-Many Relationships": a document a pair',
    why: 'A vote is a small document with a unique index on poll and user, not a key in the poll.',
    async plant(p) {
      const polls = p.times(60, () => p.id());
      await p.fill(
        'polls',
        polls.map((_id) => ({ _id, question: p.words(6), counts: [3, 5, 1] })),
      );
      await p.database.collection('votes').createIndex({ poll: 1, user: 1 }, { unique: true });
      await p.fill(
        'votes',
        polls.flatMap((poll) => p.times(150, () => ({ _id: p.id(), poll, user: p.id(), option: p.random.below(3) }))),
      );
    },
    async use(database) {
      for (const { _id: poll } of await database.collection('polls').find({}).limit(30).toArray())
        await database.collection('votes').countDocuments({ poll });
    },
  },
  {
    name: 'any-case-with-collation',
    source: 'MongoDB manual, "Case-Insensitive Indexes"',
    why: 'Names are found by an index with a collation that ignores case.',
    async plant(p) {
      await p.fill(
        'users',
        p.times(6_000, (index) => ({ _id: p.id(), userName: `User${index}`, seen: p.date() })),
      );
      await p.database.collection('users').createIndex({ userName: 1 }, { collation: { locale: 'en', strength: 2 } });
    },
    async use(database, p) {
      for (let read = 0; read < 40; read += 1)
        await database
          .collection('users')
          .findOne({ userName: `USER${p.random.below(6_000)}` }, { collation: { locale: 'en', strength: 2 } });
    },
  },
];
