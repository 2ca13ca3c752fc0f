import { MongoClient } from 'mongodb';
import { below, between, choose, heavyTailed, insertEach, token, uri, word, words } from './support.mjs';

const client = await MongoClient.connect(uri);
const database = client.db();
const of = (name) => database.collection(name);
const [products, catalog, tags] = ['Products', 'Catalog', 'Tags'].map(of);
const [accounts, carts, orders] = ['Accounts', 'Cart', 'Orders'].map(of);
const [stock, promotions, coupons, jobs] = ['SimpleInventory', 'Promotions', 'Coupons', 'Jobs'].map(of);

// The indexes that its plugins register.
const index = (collection, ...keys) => collection.createIndexes(keys.map((key) => ({ key })));
const named = (collection, keys) =>
  collection.createIndexes(Object.entries(keys).map(([name, key]) => ({ key, name: `c2_${name}` })));
const unique = (collection, key) => collection.createIndex(key, { unique: true });
await named(accounts, { groups: { groups: 1 }, shopId: { shopId: 1 }, userId: { userId: 1 } });
await index(accounts, { shopId: 1, slug: 1 });
await named(carts, {
  accountId: { accountId: 1 },
  anonymousAccessToken: { anonymousAccessToken: 1 },
  shopId: { shopId: 1 },
  'items.$.productId': { 'items.productId': 1 },
  'items.$.variantId': { 'items.variantId': 1 },
});
await index(carts, { accountId: 1, shopId: 1 });
await carts.createIndex(
  { referenceId: 1 },
  { unique: true, partialFilterExpression: { referenceId: { $type: 'string' } } },
);
await index(
  catalog,
  { createdAt: 1, _id: 1 },
  { updatedAt: 1, _id: 1 },
  { shopId: 1 },
  { 'product.slug': 1 },
  { 'product.tagIds': 1 },
  { 'product.pricing.USD.minPrice': 1, _id: 1 },
);
await unique(catalog, { 'product._id': 1 });
await unique(catalog, { 'product.productId': 1 });
const searched = ['barcode', 'description', 'metaDescription', 'pageTitle', 'sku', 'slug', 'title', 'vendor'];
await catalog.createIndex(Object.fromEntries(searched.map((name) => [`product.${name}`, 'text'])), {
  name: 'product_search_index',
});
await named(orders, {
  createdAt: { createdAt: -1 },
  email: { email: 1 },
  shopId: { shopId: 1 },
  'workflow.status': { 'workflow.status': 1 },
});
await index(
  orders,
  { accountId: 1, shopId: 1 },
  { 'shipping.items.productId': 1 },
  { 'shipping.items.variantId': 1 },
  { 'payments.address.fullName': 1 },
  { 'shipping.address.fullName': 1 },
  { 'payments.address.phone': 1 },
);
await unique(orders, { referenceId: 1 });
await named(products, {
  ancestors: { ancestors: 1 },
  createdAt: { createdAt: 1 },
  handle: { handle: 1 },
  hashtags: { hashtags: 1 },
  shopId: { shopId: 1 },
  'workflow.status': { 'workflow.status': 1 },
  createdAt_shopId: { createdAt: 1, shopId: 1 },
  updatedAt_shopId: { updatedAt: 1, shopId: 1 },
});
await index(products, { updatedAt: 1, _id: 1 });
await named(tags, { name: { name: 1 }, relatedTagIds: { relatedTagIds: 1 }, shopId: { shopId: 1 } });
await unique(tags, { slug: 1, shopId: 1 });
await unique(stock, { 'productConfiguration.productVariantId': 1, shopId: 1 });
await index(stock, { updatedAt: 1, _id: 1 });
await index(promotions, { shopId: 1, triggerType: 1, enabled: 1, state: 1, startDate: 1 });
await unique(promotions, { shopId: 1, referenceId: 1 });
await index(coupons, { shopId: 1, code: 1 }, { shopId: 1, promotionId: 1 });
await index(jobs, { status: 1 }, { type: 1, status: 1 }, { priority: 1, retryUntil: 1, after: 1 });

const DAY = 86_400_000;
const now = Date.now();
const ago = (days) => new Date(now - below(days * DAY));
const id = () => token(17);
const shopId = id();
const dated = (createdAt) => ({ createdAt, updatedAt: createdAt });

const allTags = await insertEach(tags, 300, (number) => {
  const name = `${word()} ${number}`;
  return {
    _id: id(),
    name,
    slug: name.replace(' ', '-'),
    shopId,
    isDeleted: false,
    isVisible: true,
    ...dated(ago(900)),
  };
});
const pricesOf = (price) => ({ USD: { minPrice: price, maxPrice: price + 9, price: null, displayPrice: `$${price}` } });
const allProducts = Array.from({ length: 3_200 }, (_, number) => ({
  _id: id(),
  type: 'simple',
  ancestors: [],
  shopId,
  title: words(between(2, 5)),
  pageTitle: words(6),
  description: words(between(20, 90)),
  vendor: choose(['Acme', 'Globex', 'Initech', 'Umbrella', 'Hooli']),
  handle: `${word()}-${number}`,
  hashtags: [choose(allTags)._id, allTags[heavyTailed(1, 290, 0.6)]._id],
  isDeleted: number % 18 === 0,
  isVisible: number % 9 > 0,
  price: { min: below(90), max: 99, range: '1 - 99' },
  metafields: [{ key: 'material', value: word() }],
  workflow: { status: 'new' },
  currentProductHash: token(40),
  ...dated(ago(900)),
}));
const variantsOf = ({ _id, createdAt }, ancestors = [_id]) => ({
  _id: id(),
  type: 'variant',
  ancestors,
  shopId,
  title: words(2),
  optionTitle: word(),
  price: below(90),
  sku: token(9),
  isDeleted: false,
  isVisible: true,
  workflow: { status: 'new' },
  ...dated(createdAt),
});
const allVariants = allProducts.flatMap((product) => [variantsOf(product), variantsOf(product)]);
const options = allVariants
  .slice(0, 4_000)
  .flatMap((variant) => [variant, variant].map(() => variantsOf(variant, [...variant.ancestors, variant._id])));
const inProducts = [...allProducts, ...allVariants, ...options];
await insertEach(products, inProducts.length, (number) => inProducts[number]);
const variants = new Map();
for (const one of [...allVariants, ...options])
  variants.set(one.ancestors[0], [...(variants.get(one.ancestors[0]) ?? []), one]);
const media = () => ({ priority: 1, URLs: { large: `/assets/${token(20)}`, small: `/assets/${token(20)}` } });
const shown = allProducts.filter((one) => !one.isDeleted);
await insertEach(catalog, shown.length, (number) => {
  const { _id, title, pageTitle, description, vendor, handle, hashtags, isVisible, createdAt } = shown[number];
  return {
    _id: id(),
    shopId,
    ...dated(createdAt),
    product: {
      _id,
      productId: _id,
      title,
      pageTitle,
      description,
      vendor,
      slug: handle,
      tagIds: hashtags,
      isVisible,
      isDeleted: false,
      shopId,
      pricing: pricesOf(below(90)),
      media: [media(), media()],
      variants: variants.get(_id).map((one) => ({
        _id: one._id,
        variantId: one._id,
        title: one.title,
        pricing: pricesOf(one.price),
        media: [media()],
      })),
    },
  };
});
const bought = () => shown[heavyTailed(3, shown.length, 0.5) - 1];
const item = (product = bought()) => {
  const [{ _id: variantId, price }] = variants.get(product._id);
  return {
    _id: id(),
    productId: product._id,
    variantId,
    title: product.title,
    quantity: between(1, 3),
    price: { amount: price, currencyCode: 'USD' },
    addedAt: ago(90),
  };
};
await insertEach(stock, allVariants.length, (number) => ({
  _id: id(),
  shopId,
  productConfiguration: { productId: allVariants[number].ancestors[0], productVariantId: allVariants[number]._id },
  inventoryInStock: below(90),
  inventoryReserved: below(5),
  isEnabled: true,
  canBackorder: false,
  lowInventoryWarningThreshold: 3,
  ...dated(ago(400)),
}));
const street = () => ({
  fullName: `${word()} ${word()}`,
  address1: words(3),
  city: word(),
  postal: String(below(99_999)),
  phone: `+1555${below(9_999_999)}`,
  country: 'US',
});
const people = await insertEach(accounts, 11_000, (number) => ({
  _id: id(),
  userId: id(),
  shopId,
  name: words(2),
  emails: [{ address: `${word()}.${number}@example.com`, verified: true, provides: 'default' }],
  groups: number % 400 === 0 ? [id()] : [],
  profile: { addressBook: [street()], currency: 'USD' },
  ...dated(ago(900)),
}));
const order = (createdAt, open) => {
  const account = below(3) === 0 ? null : people[heavyTailed(4, people.length, 0.6) - 1];
  const status = open
    ? 'new'
    : choose(['coreOrderWorkflow/completed', 'coreOrderWorkflow/completed', 'coreOrderWorkflow/canceled']);
  return {
    _id: id(),
    referenceId: id(),
    accountId: account?._id ?? null,
    email: account?.emails[0].address ?? `${word()}@example.com`,
    shopId,
    currencyCode: 'USD',
    cartId: id(),
    shipping: [
      {
        _id: id(),
        type: 'shipping',
        shopId,
        items: Array.from({ length: between(1, 5) }, () => item()),
        address: street(),
        invoice: { total: below(500), subtotal: below(500), taxes: 3 },
        workflow: { status, workflow: [status] },
      },
    ],
    payments: [
      { _id: id(), amount: below(500), address: street(), status: open ? 'created' : 'completed', processor: 'Stripe' },
    ],
    workflow: { status, workflow: ['new', status] },
    totalItemQuantity: 3,
    surcharges: [],
    ...dated(createdAt),
  };
};
const ORDERS = 16_000;
const allOrders = await insertEach(orders, ORDERS, (number) =>
  order(new Date(now - (ORDERS - number) * 2_400_000), number > ORDERS - 300),
);
const cart = (createdAt, number) => ({
  _id: id(),
  shopId,
  accountId: number % 3 === 0 ? people[number % people.length]._id : null,
  anonymousAccessToken: number % 3 === 0 ? null : token(44),
  currencyCode: 'USD',
  items: Array.from({ length: between(1, 5) }, () => item()),
  shipping: [{ _id: id(), itemIds: [], type: 'shipping', shopId }],
  appliedPromotions: [],
  discounts: [],
  ...dated(createdAt),
});
const allCarts = await insertEach(carts, 12_000, (number) => cart(ago(500), number));
await insertEach(promotions, 150, (number) => ({
  _id: id(),
  referenceId: number,
  shopId,
  name: words(2),
  triggerType: number % 3 === 0 ? 'explicit' : 'implicit',
  enabled: number % 4 > 0,
  state: number < 30 ? 'active' : 'completed',
  startDate: ago(300),
  endDate: number < 30 ? new Date(now + 30 * DAY) : ago(30),
  triggers: [{ triggerKey: 'offers', triggerParameters: { name: word(), conditions: {} } }],
  actions: [{ actionKey: 'discounts', actionParameters: { discountType: 'order', discountValue: 10 } }],
  ...dated(ago(300)),
}));
const codes = await insertEach(coupons, 400, () => ({
  _id: id(),
  shopId,
  code: token(8).toUpperCase(),
  promotionId: id(),
  usedCount: below(90),
  ...dated(ago(300)),
}));
await insertEach(jobs, 8_000, (number) => {
  const updated = ago(30);
  const waiting = number < 20;
  return {
    _id: id(),
    type: choose(['sendEmail', 'sendEmail', 'saveImage', 'sitemaps']),
    status: waiting ? choose(['ready', 'waiting']) : choose(['completed', 'completed', 'failed']),
    data: { shopId, to: `${word()}@example.com`, subject: words(5), html: words(60) },
    priority: 0,
    retryUntil: new Date(now + DAY),
    after: updated,
    runId: null,
    depends: [],
    created: updated,
    updated,
    log: [{ time: updated, level: 'info', message: 'Job Created' }],
  };
});

// An hour. A list is counted, sorted by a field and `_id`, and asked whether there is more.
const list = async (collection, filter, sortBy, order2, { first = 20, skip = 0 } = {}) => {
  await database.command({ count: collection.collectionName, query: filter });
  const sort = sortBy === '_id' ? { _id: order2 } : { [sortBy]: order2, _id: order2 };
  await database.command({ count: collection.collectionName, query: filter, limit: first + 1 });
  return collection.find(filter).sort(sort).limit(first).skip(skip).toArray();
};
const inShop = { 'product.isDeleted': { $ne: true }, 'product.isVisible': true, shopId: { $in: [shopId] } };
const stockOf = (items) =>
  stock.find({ 'productConfiguration.productVariantId': { $in: items.map((one) => one._id) } }).toArray();
for (let visit = 0; visit < 200; visit += 1) {
  const tag = choose(allTags)._id;
  if (visit % 3 === 0) await list(catalog, inShop, choose(['createdAt', 'product.pricing.USD.minPrice']), 1);
  else await list(catalog, { ...inShop, 'product.tagIds': { $in: [tag] } }, 'createdAt', -1);
  const product = bought();
  await catalog.findOne({
    'product.slug': product.handle,
    'product.isDeleted': { $ne: true },
    'product.isVisible': true,
  });
  await stockOf(variants.get(product._id));
  if (visit % 8 === 0) await list(catalog, { ...inShop, $text: { $search: word() } }, 'createdAt', -1);
  if (visit % 8 === 4)
    await catalog
      .aggregate([
        { $group: { _id: '$product.vendor', name: { $first: '$product.vendor' } } },
        { $project: { _id: false } },
      ])
      .toArray();
}
const implicit = {
  shopId,
  triggerType: 'implicit',
  startDate: { $lte: new Date() },
  state: { $in: ['created', 'active'] },
};
for (let shopping = 0; shopping < 150; shopping += 1) {
  const account = people[heavyTailed(4, people.length, 0.6) - 1];
  await accounts.findOne({ userId: account.userId });
  const known = await carts.findOne({ accountId: account._id, shopId });
  const mine = known ?? cart(new Date(), 1);
  if (known === null) await carts.insertOne(mine);
  const { _id, anonymousAccessToken } = known === null ? mine : choose(allCarts);
  const one = await carts.findOne({ _id, anonymousAccessToken });
  const added = item();
  await catalog.findOne({
    'product.productId': added.productId,
    'product.isVisible': true,
    'product.isDeleted': { $ne: true },
    isDeleted: { $ne: true },
  });
  await promotions.find(implicit).toArray();
  await carts.replaceOne({ _id }, { ...one, items: [...one.items, added], updatedAt: new Date() });
  if (shopping % 5 === 0) await coupons.find({ code: choose(codes).code, shopId, isArchived: { $ne: true } }).toArray();
  if (shopping % 2 > 0) continue;
  const placed = order(new Date(), true);
  await orders.insertOne(placed);
  await carts.deleteOne({ _id: choose(allCarts)._id });
  for (const { variantId } of placed.shipping[0].items) {
    await orders
      .find({
        'workflow.status': { $in: ['new', 'coreOrderWorkflow/processing'] },
        'shipping.items.variantId': variantId,
      })
      .toArray();
    await stock.findOneAndUpdate(
      { 'productConfiguration.productVariantId': variantId, shopId },
      { $set: { inventoryReserved: 1, updatedAt: new Date() } },
    );
  }
  await jobs.insertOne({
    _id: id(),
    type: 'sendEmail',
    status: 'ready',
    data: { shopId, to: placed.email, subject: words(4), html: words(60) },
    priority: 0,
    retryUntil: new Date(now + DAY),
    after: new Date(),
    runId: null,
    depends: [],
    created: new Date(),
    updated: new Date(),
  });
  await orders.findOne({ referenceId: placed.referenceId, shopId });
  if (account !== null) await list(orders, { accountId: account._id, shopId: { $in: [shopId] } }, 'createdAt', -1);
}
// Those who run the shop: orders, products, customers, mails.
const ofShop = { shopId: { $in: [shopId] } };
for (let visit = 0; visit < 60; visit += 1) {
  const page = visit % 4 === 0 ? below(20) : 0;
  await list(orders, { ...ofShop, $and: [{}] }, 'createdAt', -1, { skip: page * 20 });
  await orders.findOne({ _id: choose(allOrders)._id, shopId });
  if (visit % 2 === 0)
    await list(products, { ancestors: [], isDeleted: { $ne: true }, shopId: { $in: [shopId] } }, 'createdAt', -1);
  if (visit % 3 === 0) await list(accounts, { groups: { $in: [null, []] } }, 'createdAt', 1);
  if (visit % 3 === 1) {
    const searchField = word();
    const regex = { $regex: searchField, $options: 'i' };
    const $or = [
      { _id: searchField },
      { referenceId: searchField },
      { email: searchField },
      { 'payments.address.fullName': regex },
      { 'shipping.address.fullName': regex },
      { 'payments.address.phone': regex },
    ];
    await list(orders, { ...ofShop, $and: [{ $or }] }, 'createdAt', -1);
  }
  if (visit % 3 === 2) {
    const like = { $regex: word(), $options: 'i' };
    const $or = [{ title: like }, { pageTitle: like }, { description: like }];
    await list(products, { ancestors: [], isDeleted: { $ne: true }, shopId: { $in: [shopId] }, $or }, 'updatedAt', -1);
  }
  const address = visit % 2 === 0 ? `${word()}@example.com` : choose(people).emails[0].address;
  await accounts.findOne({ 'emails.address': address });
  if (visit % 6 === 0) await list(jobs, { type: 'sendEmail', 'data.shopId': { $in: [shopId] } }, 'updated', -1);
  const product = bought();
  await products.find({ ancestors: product._id, type: 'variant' }).toArray();
  await products.updateOne({ _id: product._id }, { $set: { title: words(3), updatedAt: new Date() } });
  await database.command({
    count: 'Products',
    query: { handle: product.handle, _id: { $nin: [product._id] }, shopId },
  });
  if (visit % 5 === 0) await carts.find({ 'items.variantId': variants.get(product._id)[0]._id }).toArray();
  await jobs
    .find({ type: { $in: ['sendEmail'] }, status: 'ready', runId: null })
    .sort({ priority: 1, retryUntil: 1, after: 1 })
    .limit(1)
    .toArray();
  await jobs.updateMany(
    { status: 'waiting', after: { $lte: new Date() }, depends: { $size: 0 } },
    { $set: { status: 'ready' } },
  );
}
for (let change = 0; change < 3; change += 1) await carts.find({}).toArray();
await jobs
  .find(
    {
      type: 'sendEmail',
      status: { $in: ['cancelled', 'completed', 'failed'] },
      updated: { $lt: new Date(now - 29 * DAY) },
    },
    { projection: { _id: 1 } },
  )
  .toArray();
await client.close();
