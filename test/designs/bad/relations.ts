import type { BadDesign } from '../design.js';

const join = (from: string, localField: string) => ({
  $lookup: { from, localField, foreignField: '_id', as: localField },
});

/** References, copies and joins. */
export const BAD_RELATIONS: readonly BadDesign[] = [
  {
    name: 'view-of-lines',
    source: 'MongoDB manual, "Create and Query a View", with a join whose foreign field has no index',
    why: 'The view joins 4,000 products by their sku, which no index serves: every read of a line searches all products.',
    expected: { checks: ['missing-lookup-index'], collection: 'products', path: 'sku', severity: 'warning' },
    async plant(p) {
      await p.fill(
        'products',
        p.times(4_000, (index) => ({ _id: p.id(), sku: `sku-${index}`, name: p.words(3) })),
      );
      await p.fill(
        'lines',
        p.times(6_000, () => ({ _id: p.id(), sku: `sku-${p.random.below(4_000)}`, quantity: p.random.between(1, 9) })),
      );
      await p.database.createCollection('lines_with_products', {
        viewOn: 'lines',
        pipeline: [{ $lookup: { from: 'products', localField: 'sku', foreignField: 'sku', as: 'product' } }],
      });
    },
  },
  {
    name: 'reviews-of-a-product',
    source: 'MongoDB manual, "$lookup (aggregation)"; "Performance Considerations": index the foreign field',
    why: 'Every product page joins its reviews by `productId`, which has no index: 9,000 reviews are read each time.',
    expected: { checks: ['missing-lookup-index'], collection: 'reviews', path: 'productId', severity: 'warning' },
    async plant(p) {
      const products = p.times(600, () => p.id());
      await p.fill(
        'products',
        products.map((_id, index) => ({ _id, slug: `product-${index}`, name: p.words(3) })),
      );
      await p.database.collection('products').createIndex({ slug: 1 });
      await p.fill(
        'reviews',
        p.times(9_000, () => ({
          _id: p.id(),
          productId: p.random.choose(products),
          stars: p.random.between(1, 5),
          text: p.words(12),
        })),
      );
    },
    async use(database, p) {
      const reviews = { from: 'reviews', localField: '_id', foreignField: 'productId', as: 'reviews' };
      for (let read = 0; read < 40; read += 1)
        await database
          .collection('products')
          .aggregate([{ $match: { slug: `product-${p.random.below(600)}` } }, { $lookup: reviews }])
          .toArray();
    },
  },
  {
    name: 'organisation-chart',
    source: 'MongoDB manual, "$graphLookup (aggregation)": the example of employees, without its index',
    why: 'Subordinates are followed by `managerId`, which has no index: each level reads all 3,000 employees.',
    expected: { checks: ['missing-lookup-index'], collection: 'employees', path: 'managerId', severity: 'warning' },
    plant: (p) =>
      p.fill(
        'employees',
        p.times(3_000, (index) => ({
          _id: index,
          name: p.words(2),
          managerId: index === 0 ? null : Math.floor((index - 1) / 6),
        })),
      ),
    async use(database, p) {
      const below = {
        from: 'employees',
        startWith: '$_id',
        connectFromField: '_id',
        connectToField: 'managerId',
        as: 'below',
      };
      for (let read = 0; read < 12; read += 1)
        await database
          .collection<{ _id: number }>('employees')
          .aggregate([{ $match: { _id: p.random.between(1, 200) } }, { $graphLookup: below }])
          .toArray();
    },
  },
  {
    name: 'invoice-customers',
    source: 'web frameworks that hand on ids as text',
    why: 'Invoices keep the customer as a string, customers have ObjectIds: the join never finds one.',
    expected: { checks: ['lookup-type-mismatch'], collection: /^(?:invoices|customers)$/, severity: 'warning' },
    async plant(p) {
      const customers = p.times(1_500, () => p.id());
      await p.fill(
        'customers',
        customers.map((_id) => ({ _id, name: p.words(2) })),
      );
      await p.fill(
        'invoices',
        p.times(4_000, (index) => ({
          _id: p.id(),
          number: index,
          customerId: p.random.choose(customers).toHexString(),
          total: p.random.between(5, 900),
        })),
      );
      await p.database.collection('invoices').createIndex({ number: 1 });
    },
    async use(database, p) {
      const customer = { from: 'customers', localField: 'customerId', foreignField: '_id', as: 'customer' };
      for (let read = 0; read < 30; read += 1)
        await database
          .collection('invoices')
          .aggregate([{ $match: { number: p.random.below(4_000) } }, { $lookup: customer }])
          .toArray();
    },
  },
  {
    name: 'converted-keys',
    source: 'the usual remedy for the type mismatch in forums: `$toString` in the join',
    why: 'The join compares a converted _id, which no index serves: 3,000 members are read for each loan.',
    expected: {
      checks: ['missing-lookup-index', 'heavy-lookup', 'lookup-type-mismatch'],
      collection: /^(?:members|loans)$/,
      severity: 'warning',
    },
    async plant(p) {
      const members = p.times(3_000, () => p.id());
      await p.fill(
        'members',
        members.map((_id) => ({ _id, name: p.words(2) })),
      );
      await p.fill(
        'loans',
        p.times(3_000, (index) => ({
          _id: p.id(),
          number: index,
          member: p.random.choose(members).toHexString(),
          due: p.date(),
        })),
      );
      await p.database.collection('loans').createIndex({ number: 1 });
    },
    async use(database, p) {
      const member = {
        from: 'members',
        let: { member: '$member' },
        pipeline: [{ $match: { $expr: { $eq: [{ $toString: '$_id' }, '$$member'] } } }],
        as: 'member',
      };
      for (let read = 0; read < 20; read += 1)
        await database
          .collection('loans')
          .aggregate([{ $match: { number: p.random.below(3_000) } }, { $lookup: member }])
          .toArray();
    },
  },
  {
    name: 'person-and-passport',
    source: 'MongoDB, "Separating Data That Is Accessed Together": the anti-pattern\'s article',
    why: 'Person and passport are one-to-one, small, and always read together by a join.',
    expected: {
      checks: ['split-one-to-few', 'heavy-lookup'],
      collection: /^(?:persons|passports)$/,
      severity: 'info',
    },
    async plant(p) {
      const persons = p.times(3_000, () => p.id());
      await p.fill(
        'persons',
        persons.map((_id, index) => ({ _id, login: `person-${index}`, name: p.words(2) })),
      );
      await p.database.collection('persons').createIndex({ login: 1 });
      await p.fill(
        'passports',
        persons.map((person, index) => ({ _id: p.id(), person, number: `P${index}`, expires: p.date() })),
      );
      await p.database.collection('passports').createIndex({ person: 1 });
    },
    async use(database, p) {
      const passport = { from: 'passports', localField: '_id', foreignField: 'person', as: 'passport' };
      for (let read = 0; read < 120; read += 1)
        await database
          .collection('persons')
          .aggregate([{ $match: { login: `person-${p.random.below(3_000)}` } }, { $lookup: passport }])
          .toArray();
    },
  },
  {
    name: 'deleted-customers',
    source: 'applications without foreign keys: customers are deleted, their orders stay',
    why: 'A sixth of the orders refer to customers that no longer exist.',
    expected: { checks: ['dangling-reference'], collection: 'orders', path: 'customer', severity: 'warning' },
    async plant(p) {
      const customers = p.times(1_200, () => p.id());
      await p.fill(
        'customers',
        customers.slice(0, 1_000).map((_id) => ({ _id, name: p.words(2), city: p.word() })),
      );
      await p.fill(
        'orders',
        p.times(4_000, () => ({ _id: p.id(), customer: p.random.choose(customers), total: p.random.between(5, 900) })),
      );
      await p.database.collection('orders').createIndex({ customer: 1 });
    },
  },
  {
    name: 'stale-authors',
    source: 'MongoDB, "Building with Patterns: The Extended Reference Pattern": "what about duplication?"',
    why: 'A quarter of the posts show a display name that their author has changed since: nobody updates the copies.',
    expected: { checks: ['denormalized-drift'], collection: 'posts', severity: 'warning' },
    async plant(p) {
      const users = p.times(900, () => ({ _id: p.id(), displayName: p.words(2), country: p.word() }));
      await p.fill('users', users);
      await p.fill(
        'posts',
        p.times(4_000, (index) => {
          const user = p.random.choose(users);
          const displayName = index % 4 === 1 ? `${p.word()} (formerly)` : user.displayName;
          return { _id: p.id(), title: p.words(5), author: { _id: user._id, displayName } };
        }),
      );
      await p.database.collection('posts').createIndex({ 'author._id': 1 });
    },
  },
  {
    name: 'comments-by-post',
    source: 'MongoDB manual, "Model One-to-Many Relationships with Document References", without the index',
    why: 'Comments are found by their post for each page, and no index serves it: 12,000 are read to return a few.',
    expected: {
      checks: ['unindexed-reference', 'collection-scan', 'poor-targeting'],
      collection: 'comments',
      severity: 'warning',
    },
    async plant(p) {
      const posts = p.times(1_500, () => p.id());
      await p.fill(
        'posts',
        posts.map((_id) => ({ _id, title: p.words(5) })),
      );
      await p.fill(
        'comments',
        p.times(12_000, () => ({ _id: p.id(), post: p.random.choose(posts), text: p.words(8) })),
      );
    },
    async use(database) {
      const posts = await database.collection('posts').find({}).limit(40).toArray();
      for (const { _id } of posts) await database.collection('comments').find({ post: _id }).toArray();
    },
  },
  {
    name: 'normalised-shop',
    source: 'MongoDB, "Reduce $lookup Operations": a relational schema, table by table',
    why: 'Each page of an order joins five collections, all served by indexes: nine reads of ten are such joins.',
    expected: { checks: ['heavy-lookup'], collection: 'orders', severity: 'info' },
    async plant(p) {
      const ids = (name: string, count: number) => p.times(count, (index) => `${name}-${index}`);
      for (const name of ['customers', 'addresses', 'carriers', 'payments', 'vouchers'])
        await p.fill(
          name,
          ids(name, 1_200).map((_id) => ({ _id, name: p.words(2), note: p.words(6) })),
        );
      await p.fill(
        'orders',
        p.times(3_000, (index) => ({
          _id: index,
          customer: `customers-${p.random.below(1_200)}`,
          address: `addresses-${p.random.below(1_200)}`,
          carrier: `carriers-${p.random.below(1_200)}`,
          payment: `payments-${p.random.below(1_200)}`,
          voucher: `vouchers-${p.random.below(1_200)}`,
        })),
      );
    },
    async use(database, p) {
      for (let read = 0; read < 300; read += 1)
        await database
          .collection<{ _id: number }>('orders')
          .aggregate([
            { $match: { _id: { $gte: p.random.below(2_900) } } },
            { $limit: 20 },
            join('customers', 'customer'),
            join('addresses', 'address'),
            join('carriers', 'carrier'),
            join('payments', 'payment'),
            join('vouchers', 'voucher'),
          ])
          .toArray();
      for (let read = 0; read < 30; read += 1)
        await database.collection<{ _id: number }>('orders').findOne({ _id: p.random.below(3_000) });
    },
  },
];
