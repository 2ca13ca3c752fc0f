/** Queries that no index serves as they are asked, and which step of the finding replaces them. */
import type { Document } from 'mongodb';
import { EXPRESSION_REWRITES } from './expression-rewrites.js';
import { found, type QueryRewrite } from './query-rewrite.js';

export const REWRITES: readonly QueryRewrite[] = [
  {
    what: 'a count without a condition, by the metadata',
    check: 'full-count',
    path: null,
    severity: 'warning',
    run: (database) => database.collection('docs').countDocuments({}),
    prepare: [],
    rewrite: 0,
    values: {},
  },
  {
    what: 'a count without a condition, by the keys of the _id index',
    check: 'full-count',
    path: null,
    severity: 'warning',
    run: (database) => database.collection('docs').countDocuments(),
    prepare: [],
    rewrite: 1,
    values: {},
  },
  {
    what: 'a pattern for a whole value, by equality',
    check: 'unselective-filter',
    path: 'sku',
    severity: 'warning',
    run: (database) =>
      database
        .collection('docs')
        .find({ sku: /SKU77-blue/ })
        .toArray(),
    prepare: [2],
    rewrite: 0,
    values: { skuValue: 'SKU77-blue' },
  },
  {
    what: 'a pattern for a beginning, beside a negation, by its anchor',
    check: 'unselective-filter',
    path: 'sku',
    severity: 'warning',
    run: (database) =>
      database
        .collection('docs')
        .find({ sku: /^.*SKU77-/, status: { $ne: 'gone' } })
        .toArray(),
    prepare: [2],
    rewrite: 1,
    values: { skuBeginning: /^SKU77-/, statusValue: 'gone' },
  },
  {
    what: 'a pattern for a word, by a text index',
    check: 'unselective-filter',
    path: 'title',
    severity: 'warning',
    run: (database) => database.collection('docs').find({ title: /n77\b/ }).toArray(),
    prepare: [3],
    rewrite: 4,
    values: { words: 'n77' },
  },
  {
    what: '$nor, by $nin',
    check: 'unselective-filter',
    path: 'status',
    severity: 'warning',
    run: (database) =>
      database
        .collection('docs')
        .find({ $nor: [{ status: 'sent' }, { status: 'returned' }] })
        .toArray(),
    prepare: [1],
    rewrite: 0,
    values: { statusValues: ['sent', 'returned'] },
  },
  {
    what: 'a pattern without case for a whole value, by equality with a collation',
    check: 'case-insensitive-regex',
    path: 'sku',
    severity: 'warning',
    run: (database) => found(database, { sku: /^sku77-BLUE$/i }),
    prepare: [0],
    rewrite: 1,
    values: { value: 'sku77-BLUE' },
  },
  ...EXPRESSION_REWRITES,
];

/** A document of the collection that is asked. */
export const order = (number: number): Document => ({
  _id: number,
  number,
  sku: `SKU${number}-${['red', 'green', 'blue'][number % 3]}`,
  title: `order n${number} of a customer`,
  at: new Date(1.6e12 + number * 600_000),
  total: number % 977,
  paid: number % 50 === 0 ? (number % 977) + 1 : number % 977,
  tags: [`tag${number % 700}`, `tag${number % 900}`],
  status: number % 100 === 0 ? 'open' : ['sent', 'returned'][number % 2],
});
