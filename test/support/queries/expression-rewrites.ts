/** Queries by an expression or a script, and which step of the finding replaces them. */
import { found, type QueryRewrite } from './query-rewrite.js';

export const EXPRESSION_REWRITES: readonly QueryRewrite[] = [
  {
    what: 'a list in $expr, by $in',
    check: 'expression-filter',
    path: 'number',
    severity: 'warning',
    run: (database) =>
      database
        .collection('docs')
        .find({ $expr: { $in: ['$number', [1, 5, 9]] } })
        .toArray(),
    prepare: [1],
    rewrite: 0,
    values: { numberValues: [1, 5, 9] },
  },
  {
    what: 'a day in $expr, by its bounds',
    check: 'expression-filter',
    path: 'at',
    severity: 'warning',
    run: (database) =>
      database
        .collection('docs')
        .find({ $expr: { $eq: [{ $dateToString: { date: '$at', format: '%Y-%m-%d' } }, '2020-10-13'] } })
        .toArray(),
    prepare: [1],
    rewrite: 0,
    values: { atFrom: new Date('2020-10-13'), atTo: new Date('2020-10-14') },
  },
  {
    what: 'a beginning in $expr, by an anchored pattern',
    check: 'expression-filter',
    path: 'sku',
    severity: 'warning',
    run: (database) =>
      database
        .collection('docs')
        .find({ $expr: { $regexMatch: { input: '$sku', regex: '^SKU77-' } } })
        .toArray(),
    prepare: [1],
    rewrite: 0,
    values: { skuBeginning: /^SKU77-/ },
  },
  {
    what: 'alternatives in $expr, by $or',
    check: 'expression-filter',
    path: 'number',
    severity: 'warning',
    run: (database) =>
      found(database, { $expr: { $or: [{ $in: ['$number', [3, 4]] }, { $eq: ['$sku', 'SKU7-green'] }] } }),
    prepare: [1, 2],
    rewrite: 0,
    values: { numberValues: [3, 4], skuValue: 'SKU7-green' },
  },
  {
    what: 'an alternative that is an expression, by a plain one',
    check: 'expression-filter',
    path: 'number',
    severity: 'warning',
    run: (database) => found(database, { $or: [{ sku: 'SKU7-green' }, { $expr: { $in: ['$number', [3, 4]] } }] }),
    prepare: [1, 2],
    rewrite: 0,
    values: { numberValues: [3, 4], skuValue: 'SKU7-green' },
  },
  {
    what: 'what a list in $expr leaves, by $nin',
    check: 'expression-filter',
    path: 'status',
    severity: 'warning',
    run: (database) => found(database, { $expr: { $not: [{ $in: ['$status', ['sent', 'returned']] }] } }),
    prepare: [1],
    rewrite: 0,
    values: { statusValues: ['sent', 'returned'] },
  },
  {
    what: 'a value among the elements of an array in $expr, by equality',
    check: 'expression-filter',
    path: 'tags',
    severity: 'warning',
    run: (database) => found(database, { $expr: { $in: ['tag7', '$tags'] } }),
    prepare: [1],
    rewrite: 0,
    values: { tagsValue: 'tag7' },
  },
  {
    what: 'a day in $expr by its parts, by its bounds',
    check: 'expression-filter',
    path: 'at',
    severity: 'warning',
    run: (database) =>
      found(database, {
        $expr: {
          $and: [
            { $eq: [{ $year: '$at' }, 2020] },
            { $eq: [{ $month: '$at' }, 10] },
            { $eq: [{ $dayOfMonth: '$at' }, 13] },
          ],
        },
        total: { $ne: 5 },
      }),
    prepare: [1],
    rewrite: 0,
    values: { atFrom: new Date('2020-10-13'), atTo: new Date('2020-10-14'), totalValue: 5 },
  },
  {
    what: 'a truncated date in $expr, by its bounds',
    check: 'expression-filter',
    path: 'at',
    severity: 'warning',
    run: (database) =>
      found(database, { $expr: { $eq: [{ $dateTrunc: { date: '$at', unit: 'day' } }, new Date('2020-10-13')] } }),
    prepare: [1],
    rewrite: 0,
    values: { atFrom: new Date('2020-10-13'), atTo: new Date('2020-10-14') },
  },
  {
    what: 'the days before one in $expr, by a bound',
    check: 'expression-filter',
    path: 'at',
    severity: 'warning',
    run: (database) =>
      found(database, { $expr: { $lt: [{ $dateToString: { date: '$at', format: '%Y-%m-%d' } }, '2020-09-15'] } }),
    prepare: [1],
    rewrite: 0,
    values: { atTo: new Date('2020-09-15') },
  },
];
