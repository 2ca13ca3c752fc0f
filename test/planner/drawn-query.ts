import { BSONRegExp, Decimal128, type Document, Long } from 'mongodb';
import type { SortField } from '../../src/planner/access.js';
import * as fc from '../support/fast-check.js';
import { DATES, OBJECT_IDS, PATHS } from './drawn-documents.js';
import { CASE_INSENSITIVE, type DrawnIndex } from './drawn-index.js';

/** A query as a client sends it. */
export interface DrawnQuery {
  readonly filter: Document;
  readonly sort: readonly SortField[];
  readonly skip: number;
  readonly limit: number;
  /** Null for whole documents. */
  readonly returns: readonly string[] | null;
  readonly collation: Document | null;
}

const NUMBER = fc.nat(9);
const TEXT = fc.constantFrom('s1', 's0', 'S1', 'q');
const SCALAR = fc.oneof(
  { weight: 8, arbitrary: NUMBER },
  { weight: 4, arbitrary: TEXT },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      true,
      DATES[1],
      OBJECT_IDS[1],
      Long.fromNumber(3),
      Decimal128.fromString('2.5'),
      1.5,
    ),
  },
);
const WHOLE = fc.constantFrom<unknown>({ x: 1 }, {}, { x: 's1' }, [1, 2], [], ['s1'], [null], { p: 1, q: 2 }, [[1]]);
const VALUE = fc.oneof(
  { weight: 12, arbitrary: SCALAR },
  { weight: 2, arbitrary: fc.constant<unknown>(null) },
  { weight: 1, arbitrary: WHOLE },
);
const REGEX = fc.constantFrom(
  /^s/,
  /^s1/,
  /1/,
  /^S1/i,
  /^s[12]/,
  /^s1$/,
  /^s1|^x/,
  /^s.*/,
  /^s1?/,
  new BSONRegExp('^\\Qs'),
  /^s/m,
  /^s\d/,
  /^$/,
  /^/,
);
const LIST = fc.oneof(
  { weight: 3, arbitrary: fc.subarray<unknown>([1, 2, 3, 4]) },
  { weight: 6, arbitrary: fc.array(VALUE, { maxLength: 4 }) },
  { weight: 2, arbitrary: fc.array(fc.oneof(SCALAR, REGEX), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: 5, max: 210 }).map((length) => Array.from({ length }, (_, at) => at)) },
);
const RANGE = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), VALUE)
      .map(([name, value]) => ({ [name]: value })),
  },
  { weight: 2, arbitrary: fc.tuple(NUMBER, NUMBER).map(([from, size]) => ({ $gte: from, $lt: from + size })) },
  { weight: 1, arbitrary: fc.tuple(VALUE, VALUE).map(([from, to]) => ({ $gt: from, $lte: to })) },
);
const TYPES = fc.constantFrom<unknown>(
  'string',
  'number',
  'int',
  'null',
  'array',
  'object',
  'date',
  'bool',
  ['string', 'date'],
  ['int', 'array'],
);

/** A condition on a field as an object of operators. */
const OPERATORS: fc.Arbitrary<Document> = fc.oneof(
  { weight: 4, arbitrary: LIST.map(($in) => ({ $in })) },
  { weight: 6, arbitrary: RANGE },
  { weight: 2, arbitrary: VALUE.map(($ne) => ({ $ne })) },
  { weight: 1, arbitrary: LIST.map(($nin) => ({ $nin })) },
  { weight: 2, arbitrary: fc.boolean().map(($exists) => ({ $exists })) },
  { weight: 1, arbitrary: fc.constantFrom<Document>({ $size: 2 }, { $mod: [2, 1] }, { $bitsAllSet: [0] }) },
  { weight: 1, arbitrary: TYPES.map(($type) => ({ $type })) },
  { weight: 1, arbitrary: fc.array(fc.oneof(VALUE, REGEX), { maxLength: 3 }).map(($all) => ({ $all })) },
);
const NEGATED = fc.oneof(
  OPERATORS,
  REGEX,
  fc.tuple(OPERATORS, OPERATORS).map(([one, other]) => ({ ...one, ...other })),
);
const ELEMENT: fc.Arbitrary<Document> = fc.oneof(
  { weight: 4, arbitrary: OPERATORS },
  { weight: 1, arbitrary: VALUE.map(($eq) => ({ $eq })) },
  { weight: 1, arbitrary: NEGATED.map(($not) => ({ $not })) },
  { weight: 1, arbitrary: REGEX.map(($regex) => ({ $regex })) },
);
const PREDICATE: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 8, arbitrary: VALUE },
  { weight: 12, arbitrary: OPERATORS },
  { weight: 2, arbitrary: REGEX },
  { weight: 2, arbitrary: fc.tuple(OPERATORS, OPERATORS).map(([one, other]) => ({ ...one, ...other })) },
  { weight: 2, arbitrary: ELEMENT.map(($elemMatch) => ({ $elemMatch })) },
  {
    weight: 1,
    arbitrary: fc
      .array(
        ELEMENT.map(($elemMatch) => ({ $elemMatch })),
        { minLength: 1, maxLength: 2 },
      )
      .map(($all) => ({ $all })),
  },
  { weight: 2, arbitrary: NEGATED.map(($not) => ({ $not })) },
);

const CONSTANT = fc.oneof(
  SCALAR,
  fc.constantFrom<unknown>(null, { $literal: 3 }, { $add: [1, 2] }, { $literal: [1] }, { $literal: { x: 1 } }),
);
/** A path of the index more often than another. */
function pathOf(likely: readonly string[]): fc.Arbitrary<string> {
  const others = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom<string>(...PATHS) },
    { weight: 1, arbitrary: fc.constantFrom('n', 'items', 'arr.0', 'items.0.p', 'a.x', 'zz') },
  );
  return fc.oneof(
    { weight: likely.length === 0 ? 0 : 2, arbitrary: fc.constantFrom(...likely, 'a') },
    { weight: 1, arbitrary: others },
  );
}

function expressionOf(path: fc.Arbitrary<string>): fc.Arbitrary<Document> {
  const comparison = fc
    .tuple(fc.constantFrom('$eq', '$eq', '$gt', '$gte', '$lt', '$lte', '$ne'), path, CONSTANT, fc.boolean())
    .map(([name, field, value, isTurned]) => ({ [name]: isTurned ? [value, `$${field}`] : [`$${field}`, value] }));
  const several = fc.array(comparison, { minLength: 1, maxLength: 2 });
  return fc.oneof(
    { weight: 6, arbitrary: comparison },
    { weight: 1, arbitrary: several.map(($and) => ({ $and })) },
    { weight: 1, arbitrary: several.map(($or) => ({ $or })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Document>(
        { $in: ['$a', [1, 2]] },
        { $eq: ['$a', '$b'] },
        { $not: [{ $eq: ['$a', 1] }] },
      ),
    },
  );
}

const OBJECT_ELEMENT = fc.oneof(
  fc.tuple(fc.constantFrom('p', 'q'), PREDICATE).map(([path, predicate]) => ({ [path]: predicate })),
  fc.tuple(PREDICATE, PREDICATE).map(([p, q]) => ({ p, q })),
  fc.tuple(VALUE, RANGE, VALUE).map(([p, q, other]) => ({ $or: [{ p, q }, { p: other }] })),
  fc.tuple(VALUE, RANGE, VALUE).map(([p, q, other]) => ({ p, $or: [{ q }, { q: other, r: 1 }] })),
);
const OF_ITEMS = fc
  .tuple(fc.constantFrom('items', 'items', 'n'), OBJECT_ELEMENT)
  .map(([path, $elemMatch]) => ({ [path]: { $elemMatch } }));

/** Conditions that all hold, as a driver writes them: in one object, or, if paths repeat, in an `$and`. */
function allOf(conditions: readonly Document[]): Document {
  const names = conditions.flatMap((condition) => Object.keys(condition));
  return new Set(names).size === names.length ? Object.assign({}, ...conditions) : { $and: conditions };
}

function filterOf(path: fc.Arbitrary<string>, likely: readonly Document[]): fc.Arbitrary<Document> {
  const condition = fc.tuple(path, PREDICATE).map(([field, predicate]) => ({ [field]: predicate }));
  const { filter } = fc.letrec<{ filter: Document; clause: Document }>((tie) => {
    const several = (maxLength: number) => fc.array(tie('filter'), { minLength: 1, maxLength });
    return {
      filter: fc.array(tie('clause'), { minLength: 1, maxLength: 3, depthIdentifier: 'filter' }).map(allOf),
      clause: fc.oneof(
        { depthIdentifier: 'filter', maxDepth: 3 },
        { weight: 20, arbitrary: condition },
        { weight: likely.length === 0 ? 0 : 15, arbitrary: fc.constantFrom(...likely, {}) },
        { weight: 2, arbitrary: OF_ITEMS },
        { weight: 2, arbitrary: expressionOf(path).map(($expr) => ({ $expr })) },
        { weight: 4, arbitrary: several(3).map(($or) => ({ $or })) },
        { weight: 1, arbitrary: several(2).map(($nor) => ({ $nor })) },
        { weight: 1, arbitrary: several(2).map(($and) => ({ $and })) },
      ),
    };
  });
  return fc.oneof({ weight: 1, arbitrary: fc.constant({}) }, { weight: 20, arbitrary: filter });
}

const DIRECTION = fc.constantFrom<1 | -1>(1, 1, -1);

/** By some fields of the index in their order, or by any. */
function sortOf(path: fc.Arbitrary<string>, key: DrawnIndex['key']): fc.Arbitrary<readonly SortField[]> {
  const fields = Object.entries(key).map(([name, kind]): SortField => [name, kind === -1 ? -1 : 1]);
  const some = fc
    .tuple(fc.subarray(fields, { minLength: 1 }), DIRECTION)
    .map(([kept, turn]) => kept.map(([name, direction]): SortField => [name, direction === turn ? 1 : -1]));
  const any = fc.uniqueArray(fc.tuple(path, DIRECTION), { maxLength: 3, selector: ([name]) => name });
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: some },
    { weight: 1, arbitrary: any },
  );
}

const RETURNS = fc.uniqueArray(fc.constantFrom('_id', ...PATHS, 'n'), { minLength: 1, maxLength: 3 }).filter(
  // The server refuses a projection of a path and of one below it.
  (paths) =>
    !(paths.includes('n') && paths.some((path) => path.startsWith('n.'))) && paths.some((path) => path !== '_id'),
);

/** Queries that an index may serve, and some that it does not. */
export function queryOf({ key, options }: DrawnIndex): fc.Arbitrary<DrawnQuery> {
  const paths = Object.keys(key).filter((path) => !path.includes('$'));
  const filter = options['partialFilterExpression'] as Document | undefined;
  const filtered = Object.keys(filter ?? {}).filter((name) => !name.startsWith('$'));
  const covered = paths.length === 0 ? RETURNS : fc.subarray(paths, { minLength: 1 });
  const path = pathOf([...paths, ...filtered]);
  return fc.record({
    filter: filterOf(path, filter === undefined ? [] : [filter]),
    sort: sortOf(path, paths.length === 0 ? { a: 1, 'n.x': 1 } : key),
    skip: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(20) }),
    limit: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 30 }) },
    ),
    returns: fc.oneof(
      { weight: 5, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: RETURNS },
      { weight: 1, arbitrary: covered },
    ),
    collation: fc.oneof(
      { weight: 7, arbitrary: fc.constant(null) },
      { weight: options['collation'] === undefined ? 1 : 5, arbitrary: fc.constant(CASE_INSENSITIVE) },
    ),
  });
}
