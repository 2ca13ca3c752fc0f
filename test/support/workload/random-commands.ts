import * as fc from 'fast-check';
import { ObjectId, type Document } from 'mongodb';

/** Occurs in every value, and in every field name within a value, and nowhere else. */
export const MARKER = 'Zq7';

const field = fc.constantFrom('total', 'name', 'address.city', 'items.sku', 'at');
const text = fc.string({ maxLength: 5 }).map((padding) => `${MARKER}${padding}`);

const scalar: fc.Arbitrary<unknown> = fc.oneof(
  text,
  text.map((value) => `$${value}`).map((value) => ({ $literal: value })),
  fc.constant(new ObjectId()),
  text.map((value) => new RegExp(value.replaceAll(/[^\w]/g, ''), 'i')),
  fc.constant(new Date(0)),
);

/** Values of any depth, with marked names. */
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3 }),
  ),
})).value;

const predicate: fc.Arbitrary<unknown> = fc.oneof(
  value,
  scalar.filter((candidate) => !(candidate instanceof Object && '$literal' in candidate)),
  fc.record({ $in: fc.array(value, { maxLength: 5 }) }),
  fc.record({ $gt: value, $lt: value }),
  fc.record({ $not: fc.record({ $eq: value }) }),
  fc.record({ $regex: text, $options: fc.constant('i') }),
  fc.record({ $elemMatch: fc.dictionary(field, value, { maxKeys: 2 }) }),
  fc.record({ $all: fc.array(value) }),
  fc.record({ $near: fc.record({ $geometry: value }) }),
);

const filter = fc.letrec<{ filter: Document }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small' },
    fc.dictionary(field, predicate, { maxKeys: 3 }),
    fc.record({ $or: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ $and: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }),
    fc.record({
      $expr: fc.record({
        $eq: fc.tuple(
          field.map((path) => `$${path}`),
          fc.oneof(scalar, value),
        ),
      }),
    }),
    fc.record({ $text: fc.record({ $search: text }) }),
    fc.record({ $where: text }),
    fc.record({ $comment: text }),
    fc.record({ $jsonSchema: value }),
  ),
})).filter;

const expression: fc.Arbitrary<unknown> = fc.oneof(
  field.map((path) => `$${path}`),
  scalar,
  value,
  fc.record({
    $concat: fc.tuple(
      text,
      field.map((path) => `$${path}`),
    ),
  }),
  fc.record({
    $cond: fc.tuple(fc.record({ $in: fc.tuple(fc.constant('$at'), fc.array(value)) }), value, text),
  }),
  fc.record({ $mergeObjects: fc.oneof(value, fc.array(value)) }),
  fc.record({ $function: fc.record({ body: text, args: fc.array(value), lang: fc.constant('js') }) }),
  fc.record({ $regexMatch: fc.record({ input: fc.constant('$name'), regex: text }) }),
  fc.record({ $dateToString: fc.record({ date: fc.constant('$at'), format: text, timezone: text }) }),
  fc.record({
    $switch: fc.record({
      branches: fc.array(fc.record({ case: fc.record({ $eq: fc.tuple(fc.constant('$at'), value) }), result: value })),
      default: value,
    }),
  }),
);

const stage = fc.letrec<{ stage: Document }>((tie) => ({
  stage: fc.oneof(
    { depthSize: 'small' },
    fc.record({ $match: filter }),
    fc.record({ $addFields: fc.dictionary(field, expression, { maxKeys: 2 }) }),
    fc.record({ $project: fc.dictionary(field, fc.oneof(fc.constant(1), expression), { maxKeys: 2 }) }),
    fc.record({ $group: fc.record({ _id: expression, all: fc.record({ $push: expression }) }) }),
    fc.record({ $replaceWith: expression }),
    fc.record({ $bucket: fc.record({ groupBy: expression, boundaries: fc.array(value), default: value }) }),
    fc.record({ $documents: fc.array(value) }),
    fc.record({ $search: value }),
    fc.record({ $fill: fc.record({ output: fc.dictionary(field, fc.record({ value }), { maxKeys: 2 }) }) }),
    fc.record({ $geoNear: fc.record({ near: value, distanceField: field, query: filter }) }),
    fc.record({ $facet: fc.record({ one: fc.array(tie('stage'), { maxLength: 2 }) }) }),
    fc.record({
      $unionWith: fc.record({ coll: fc.constant('old'), pipeline: fc.array(tie('stage'), { maxLength: 2 }) }),
    }),
    fc.record({
      $lookup: fc.record({
        from: fc.constant('customers'),
        let: fc.record({ id: expression }),
        pipeline: fc.array(tie('stage'), { maxLength: 2 }),
        as: field,
      }),
    }),
    fc.record({
      $graphLookup: fc.record({
        from: fc.constant('customers'),
        startWith: expression,
        connectFromField: field,
        connectToField: field,
        as: field,
        restrictSearchWithMatch: filter,
      }),
    }),
  ),
})).stage;

const update: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({ $set: fc.dictionary(field, value, { maxKeys: 2 }) }),
  fc.record({
    $push: fc.dictionary(field, fc.record({ $each: fc.array(value), $slice: fc.constant(-5) }), { maxKeys: 2 }),
  }),
  fc.record({ $pull: fc.dictionary(field, fc.oneof(value, fc.record({ $in: fc.array(value) })), { maxKeys: 2 }) }),
  fc.dictionary(text, value, { minKeys: 1, maxKeys: 2 }),
);

/** Commands of every kind, as the profiler keeps them, whose values all hold the marker. */
export const recordedCommands: fc.Arbitrary<{ operation: string; command: Document }> = fc.oneof(
  fc.array(stage, { maxLength: 4 }).map((pipeline) => ({
    operation: 'command',
    command: { aggregate: 'orders', pipeline, comment: MARKER, let: { x: MARKER } },
  })),
  filter.map((query) => ({
    operation: 'query',
    command: { find: 'orders', filter: query, min: { a: MARKER }, comment: { by: MARKER } },
  })),
  fc
    .tuple(filter, update)
    .map(([q, u]) => ({ operation: 'update', command: { q, u, arrayFilters: [{ x: MARKER }], c: MARKER } })),
  fc
    .tuple(filter, update)
    .map(([query, change]) => ({ operation: 'command', command: { findAndModify: 'orders', query, update: change } })),
  value.map((document) => ({ operation: 'insert', command: { insert: 'orders', documents: [document] } })),
  fc.array(stage).map((pipeline) => ({
    operation: 'command',
    command: { $truncated: `{ aggregate: "orders", pipeline: ${JSON.stringify(pipeline)}` },
  })),
);
