import type { Application, KnownFault, SoundDesign } from '../application.js';

/**
 * reactioncommerce/reaction at b04166dd, packages/api-plugin-*. The indexes are those that its plugins register; a list is sorted
 * by a field and `_id`, and counted, by getPaginatedResponse.
 */
const FAULTS: readonly KnownFault[] = [
  {
    what: 'the orders of the shop are sorted in memory: `createdAt` alone does not give the order by `createdAt, _id`',
    source: 'orders/src/index.js c2_createdAt, orders/src/queries/orders.js; catalogs/src/index.js says so of its own',
    severity: 'error',
    checks: ['in-memory-sort', 'collection-scan', 'poor-targeting', 'query-without-its-index'],
    collection: 'Orders',
    path: 'createdAt',
  },
  {
    what: 'each page of the orders counts all of the shop',
    source: 'api-utils/lib/graphql/getPaginatedResponse.js totalCount',
    severity: 'warning',
    checks: ['full-count'],
    collection: 'Orders',
  },
  {
    what: 'the search for orders compares names and telephones by /i',
    source: 'orders/src/queries/orders.js searchField',
    severity: 'warning',
    checks: ['case-insensitive-regex', 'unselective-filter', 'collection-scan'],
    collection: 'Orders',
    path: 'fullName',
  },
  {
    what: 'the list of products asks for `ancestors: []` and sorts all of those',
    source: 'products/src/utils/applyProductFilters.js; pull request 6701',
    severity: 'warning',
    checks: ['in-memory-sort', 'poor-targeting', 'collection-scan', 'query-without-its-index', 'unselective-filter'],
    collection: 'Products',
    path: 'ancestors',
  },
  {
    what: 'the search for products compares titles and descriptions by /i',
    source: 'products/src/utils/applyProductFilters.js query',
    severity: 'warning',
    checks: ['case-insensitive-regex', 'unselective-filter'],
    collection: 'Products',
    path: 'title',
  },
  {
    what: 'the list of vendors groups the whole catalog, whatever the shop: the filter that it builds is not used',
    source: 'catalogs/src/queries/vendors.js',
    severity: 'warning',
    checks: ['computed-value', 'collection-scan'],
    collection: 'Catalog',
  },
  {
    what: 'each page of the catalog counts all of the shop',
    source: 'api-utils/lib/graphql/getPaginatedResponse.js totalCount',
    severity: 'info',
    checks: ['full-count', 'unselective-filter'],
    collection: 'Catalog',
  },
  {
    what: 'an account is found by an address by a scan',
    source: 'accounts/src/mutations/sendResetAccountPasswordEmail.js, inviteShopMember.js',
    severity: 'warning',
    checks: ['collection-scan'],
    collection: 'Accounts',
    path: 'emails.address',
  },
  {
    what: 'the list of customers sorts all accounts',
    source: 'accounts/src/queries/accounts.js notInAnyGroups',
    severity: 'warning',
    checks: ['in-memory-sort', 'poor-targeting', 'collection-scan', 'query-without-its-index'],
    collection: 'Accounts',
    path: 'createdAt',
  },
  {
    what: 'a promotion that begins or ends reads all carts whole: the projection is given as an option',
    source: 'promotions/src/handlers/handlePromotionChangedState.js Cart.find({}, { _id: 1 })',
    severity: 'info',
    checks: ['unbounded-find', 'collection-scan'],
    collection: 'Cart',
  },
  {
    what: '`c2_accountId` begins `accountId_1_shopId_1`',
    source: 'carts/src/index.js',
    severity: 'info',
    checks: ['redundant-index'],
    collection: 'Cart',
    path: 'c2_accountId',
  },
  {
    what: '`c2_shopId` begins `shopId_1_slug_1`',
    source: 'accounts/src/index.js',
    severity: 'info',
    checks: ['redundant-index', 'useless-index'],
    collection: 'Accounts',
    path: 'c2_shopId',
  },
  {
    what: '`c2_shopId` has one value',
    source: 'carts/src/index.js',
    severity: 'info',
    checks: ['useless-index', 'unused-index'],
    collection: 'Cart',
    path: 'c2_shopId',
  },
  {
    what: '`c2_shopId` has one value',
    source: 'products/src/index.js',
    severity: 'info',
    checks: ['useless-index', 'unused-index'],
    collection: 'Products',
    path: 'c2_shopId',
  },
  {
    what: 'mails that were sent are listed by a field of their data, all of them sorted',
    source: 'email/src/queries/emailJobs.js',
    severity: 'info',
    checks: ['in-memory-sort', 'poor-targeting', 'query-without-its-index'],
    collection: 'Jobs',
  },
];

const SOUND: readonly SoundDesign[] = [
  {
    what: 'what is put into a cart is found by the id of its product',
    source: 'catalogs/src/queries/findProductAndVariant.js; issue 4377',
    checks: ['collection-scan', 'poor-targeting', 'redundant-index'],
    collection: 'Catalog',
    path: 'product.productId',
  },
  {
    what: 'the cheapest come first by `product.pricing.USD.minPrice, _id`',
    source: 'pricing-simple/src/startup.js',
    checks: ['useless-index', 'redundant-index', 'unused-index'],
    collection: 'Catalog',
    path: 'minPrice',
  },
  {
    what: 'variants and options are found by their ancestors',
    source: 'catalogs/src/utils/getVariants.js, createCatalogProduct.js',
    checks: ['large-multikey-index', 'useless-index', 'unused-index'],
    collection: 'Products',
    path: 'c2_ancestors',
  },
  {
    what: 'the orders of an account are found by `accountId, shopId`',
    source: 'orders/src/queries/ordersByAccountId.js',
    checks: ['redundant-index', 'useless-index'],
    collection: 'Orders',
    path: 'accountId_1_shopId_1',
  },
  {
    what: 'open orders of a variant are found by it',
    source: 'inventory-simple/src/utils/getReservedQuantity.js',
    checks: ['large-multikey-index', 'useless-index'],
    collection: 'Orders',
    path: 'shipping.items.variantId',
  },
  {
    what: 'stock is found and upserted by the id of the variant, which is unique with the shop',
    source: 'inventory-simple/src/mutations/updateSimpleInventory.js, utils/createDataLoaders.js',
    checks: ['upsert-without-unique-index', 'collection-scan', 'poor-targeting'],
    collection: 'SimpleInventory',
  },
  {
    what: 'carts are found by `_id` with a token, and by account and shop',
    source: 'carts/src/queries, mutations/addCartItems.js',
    checks: ['poor-targeting', 'in-memory-sort', 'upsert-without-unique-index'],
    collection: 'Cart',
  },
];

export const REACTION: Application = {
  name: 'reaction',
  kind: 'shop',
  packages: { mongodb: '7.9.0' },
  expectedBefore: { useful: FAULTS, noise: SOUND },
  findings: [],
  missed: [],
};
