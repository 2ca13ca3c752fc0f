/** A change of a file of `service/`: what stands there, and what the pull request has in its place. */
type Edit = readonly [file: string, before: string, after: string];

/** What a reviewer sees, labelled before the first run. */
export interface PullRequest {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** The check that has to say it, and what stands in the line that it has to name; none if the change is harmless. */
  readonly fault?: {
    readonly check: string;
    readonly file: string;
    readonly line: string;
    /** Whether the gate lets it pass, and why. */
    readonly missed?: string;
  };
}

const ORDERS = 'src/endpoints/orders.js';
const PRODUCTS = 'src/endpoints/products.js';
const USERS = 'src/endpoints/users.js';
const PRODUCT = 'src/models/product.js';
const TESTS = 'test/endpoints.js';
const LAST_CALL = "  await call('GET', '/payments?provider=card');\n";

const FIND_ORDERS = 'return Order.find({ customer: id }).sort({ at: -1 }).limit(20).lean();';
const FIND_PAYMENTS = 'Payment.find({ provider }).sort({ at: -1 }).limit(50).lean()';
const IMPORTS_OF_USERS = "import { Order } from '../models/order.js';\n";
const WITH_INVOICES = `import { Invoice } from '../models/invoice.js';\n${IMPORTS_OF_USERS}`;
const ADD_REVIEW = 'await Review.create({ product: id, text });';
const PRICE_OF_PRODUCT = '  price: Number,\n';
const USERS_BY_EMAIL: readonly Edit[] = [
  [
    USERS,
    'export const one = ({ id }) => User.findById(id).lean();',
    'export const one = ({ id }) => User.findById(id).lean();\n\nexport const byEmail = ({ email }) => User.findOne({ email }).lean();',
  ],
  [
    'src/server.js',
    "  ['POST', /^\\/users$/, users.create],",
    "  ['GET', /^\\/emails$/, users.byEmail],\n  ['POST', /^\\/users$/, users.create],",
  ],
  [TESTS, LAST_CALL, `${LAST_CALL}  await call('GET', \`/emails?email=\${number}@example.com\`);\n`],
];
const SEARCH = `User.find({ name: { $gte: name, $lt: \`\${name}~\` } })
    .sort({ name: 1 })
    .limit(20)
    .lean()`;

export const PULL_REQUESTS: readonly PullRequest[] = [
  {
    name: 'a query for each order of a page',
    edits: [
      [USERS, IMPORTS_OF_USERS, WITH_INVOICES],
      [
        USERS,
        FIND_ORDERS,
        `const orders = await Order.find({ customer: id }).sort({ at: -1 }).limit(20).lean();
  for (const order of orders) {
    order.invoice = await Invoice.findOne({ order: order._id }).lean();
  }
  return orders;`,
      ],
    ],
    fault: { check: 'n-plus-one-query', file: USERS, line: 'Invoice.findOne({ order: order._id })' },
  },
  {
    name: 'all invoices of an order at once, with one query',
    edits: [
      [USERS, IMPORTS_OF_USERS, WITH_INVOICES],
      [
        USERS,
        FIND_ORDERS,
        `const orders = await Order.find({ customer: id }).sort({ at: -1 }).limit(20).lean();
  const invoices = await Invoice.find({ order: { $in: orders.map(({ _id }) => _id) } }).limit(100).lean();
  return orders.map((order) => ({ ...order, invoices: invoices.filter((each) => each.order.equals(order._id)) }));`,
      ],
    ],
  },
  {
    name: 'a list without a limit',
    edits: [[ORDERS, FIND_PAYMENTS, 'Payment.find({ provider }).sort({ at: -1 }).lean()']],
    fault: {
      check: 'unbounded-find',
      file: ORDERS,
      line: 'Payment.find({ provider })',
      missed: 'fixtures do not show whether what matches a condition grows with the collection',
    },
  },
  {
    name: 'reviews in the product',
    edits: [
      [PRODUCTS, ADD_REVIEW, 'await Product.updateOne({ _id: id }, { $push: { reviews: { text } } });'],
      [PRODUCT, PRICE_OF_PRODUCT, `${PRICE_OF_PRODUCT}  reviews: [{ text: String }],\n`],
    ],
    fault: { check: 'uncapped-write', file: PRODUCTS, line: '$push: { reviews' },
  },
  {
    name: 'the last ten reviews in the product',
    edits: [
      [
        PRODUCTS,
        ADD_REVIEW,
        'await Product.updateOne({ _id: id }, { $push: { reviews: { $each: [{ text }], $slice: -10 } } });',
      ],
      [PRODUCT, PRICE_OF_PRODUCT, `${PRICE_OF_PRODUCT}  reviews: [{ text: String }],\n`],
    ],
  },
  {
    name: 'who has seen a product',
    edits: [
      [
        PRODUCTS,
        'export const view = ({ id }) => Product.updateOne({ _id: id }, { $inc: { views: 1 } });',
        `export const view = ({ id, user }) =>
  Product.updateOne({ _id: id }, { $addToSet: { viewers: user } });`,
      ],
      [PRODUCT, PRICE_OF_PRODUCT, `${PRICE_OF_PRODUCT}  viewers: [String],\n`],
      [TESTS, '/views`);', '/views`, { user: `user ${number}` });'],
    ],
    fault: { check: 'uncapped-write', file: PRODUCTS, line: '$addToSet: { viewers' },
  },
  {
    name: 'pages of payments by their number',
    edits: [
      [
        ORDERS,
        `export const payments = ({ provider }) => ${FIND_PAYMENTS};`,
        `export const payments = ({ provider, page }) =>
  Payment.find({ provider })
    .sort({ at: -1 })
    .skip(5 * Number(page))
    .limit(5)
    .lean();`,
      ],
      [TESTS, LAST_CALL, "  await call('GET', `/payments?provider=card&page=${number % 8}`);\n"],
    ],
    fault: { check: 'deep-skip', file: ORDERS, line: 'Payment.find({ provider })' },
  },
  {
    name: 'pages of payments from where the last one ended',
    edits: [
      [
        ORDERS,
        `export const payments = ({ provider }) => ${FIND_PAYMENTS};`,
        `export const payments = ({ provider, before }) =>
  Payment.find({ provider, at: { $lt: new Date(before) } })
    .sort({ at: -1 })
    .limit(5)
    .lean();`,
      ],
      [TESTS, LAST_CALL, "  await call('GET', '/payments?provider=card&before=2023-11-14T22:30:00Z');\n"],
    ],
  },
  {
    name: 'products by their title',
    edits: [
      [PRODUCTS, 'Product.find({ category }).sort({ price: 1 })', 'Product.find({ category }).sort({ title: 1 })'],
    ],
    fault: { check: 'in-memory-sort', file: PRODUCTS, line: 'Product.find({ category })' },
  },
  {
    name: 'users by their e-mail',
    edits: USERS_BY_EMAIL,
    fault: { check: 'collection-scan', file: USERS, line: 'User.findOne({ email })' },
  },
  {
    name: 'users by their e-mail, with an index',
    edits: [...USERS_BY_EMAIL, ['src/models/user.js', '  email: String,', '  email: { type: String, index: true },']],
  },
  {
    name: 'an order with its payments',
    edits: [
      [
        ORDERS,
        '  ]);\n  return order;',
        `    {
      $lookup: { from: Payment.collection.name, localField: '_id', foreignField: 'order', as: 'payments' },
    },
  ]);
  return order;`,
      ],
    ],
    fault: { check: 'missing-lookup-index', file: ORDERS, line: 'from: Payment.collection.name' },
  },
  {
    name: 'a search in any case',
    edits: [
      [
        USERS,
        SEARCH,
        "User.find({ name: new RegExp(name, 'i') })\n    .sort({ name: 1 })\n    .limit(20)\n    .lean()",
      ],
    ],
    fault: { check: 'case-insensitive-regex', file: USERS, line: "User.find({ name: new RegExp(name, 'i') })" },
  },
  {
    name: 'cheap products, joined before the page is cut',
    edits: [
      [
        PRODUCTS,
        'Product.find({ category }).sort({ price: 1 }).limit(20).lean();',
        `Product.aggregate([
    { $lookup: { from: Category.collection.name, localField: 'category', foreignField: '_id', as: 'of' } },
    { $addFields: { isOwn: { $eq: ['$category', category] } } },
    { $sort: { price: 1 } },
    { $limit: 20 },
  ]);`,
      ],
    ],
    fault: { check: 'early-lookup', file: PRODUCTS, line: 'Product.aggregate([' },
  },
  {
    name: 'names for what the endpoints return',
    edits: [
      [
        USERS,
        FIND_ORDERS,
        `const newest = { at: -1 };
  const orders = await Order.find({ customer: id }).sort(newest).limit(20).lean();
  return orders.map(({ total, ...order }) => ({ ...order, cents: 100 * total }));`,
      ],
    ],
  },
];
