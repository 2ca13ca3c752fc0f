import type { Document } from 'mongodb';
import { SeededRandom } from '../../../src/demo/seeded-random.js';

/** Random pipelines on `orders`, written as the workload keeps them, and data with nulls, arrays and references to nothing. */
export interface EarlyPipeline {
  readonly pipeline: readonly Document[];
  /** Whether equal results come in one order only. */
  readonly isOrdered: boolean;
}

const CUSTOMERS = 40;

export function randomOrders(count: number): Document[] {
  const random = new SeededRandom(17);
  const reference = () => random.choose([random.below(CUSTOMERS), random.below(CUSTOMERS), 1_000, null]);
  return Array.from({ length: count }, (_, number) => ({
    _id: number,
    ...(random.chance(0.9) && { customer: reference() }),
    buyers: Array.from({ length: random.below(4) }, reference),
    status: random.below(5),
    ...(random.chance(0.9) && { placed: random.below(50) }),
    total: random.below(100),
    box: { size: random.below(9) },
  }));
}

export function randomCustomers(): Document[] {
  const random = new SeededRandom(18);
  return Array.from({ length: CUSTOMERS }, (_, number) => ({
    _id: number,
    name: `customer ${number}`,
    country: random.below(3),
  }));
}

/** Whether a join by this field finds at most one document for each. */
export const isSingleJoin = (stage: Document): boolean => {
  const { $lookup } = stage as { readonly $lookup?: Document };
  return $lookup?.['localField'] === 'customer' && $lookup['foreignField'] === '_id';
};

export function randomPipeline(random: SeededRandom): EarlyPipeline {
  const isMultiplied = random.chance(0.15);
  const beginning = [
    ...maybe(random, 0.4, { $match: { status: { $lte: random.below(5) } } }),
    ...maybe(random, 0.3, sort(random, 'placed')),
    ...joined(random, 'c', isMultiplied),
    ...(random.chance(0.4) ? joined(random, 'd', false) : []),
  ];
  const isUnwound = beginning.some(({ $unwind }) => ($unwind as Document | undefined)?.['path'] === '$c');
  const pipeline = [...beginning, ...(random.chance(0.3) ? grouped(random, isUnwound) : []), ...ending(random)];
  return { pipeline, isOrdered: !isMultiplied && !pipeline.some((stage) => '$group' in stage || '$facet' in stage) };
}

function joined(random: SeededRandom, as: string, isMultiplied: boolean): Document[] {
  const localField = random.choose(['customer', 'customer', 'buyers']);
  const foreignField = random.choose(['_id', '_id', '_id', 'country']);
  const isSingle = localField === 'customer' && foreignField === '_id';
  const path = `$${as}`;
  const picked = { $addFields: { [as]: isSingle ? { $first: path } : { $size: path } } };
  const kept = { $unwind: { path, preserveNullAndEmptyArrays: true } };
  const inner = { $unwind: { path } };
  const reshaped = isMultiplied
    ? [inner]
    : random.choose([[], [picked], isSingle ? [kept] : [], isSingle && random.chance(0.3) ? [inner] : []]);
  return [
    { $lookup: { from: 'customers', localField, foreignField, as } },
    ...reshaped,
    ...maybe(random, 0.2, {
      $addFields: { [`${as}Name`]: isSingle ? `${path}.name` : '$status', twice: { $multiply: ['$total', 2] } },
    }),
    ...maybe(random, 0.1, { $match: { total: { $gt: 20 } } }),
    ...maybe(random, 0.1, { $unset: [as] }),
    ...maybe(random, 0.1, { $project: { placed: true, status: true, customer: true, state: '$status', [as]: true } }),
  ];
}

function ending(random: SeededRandom): Document[] {
  const by = random.choose(['placed', 'status', 'state', 'box.size', 'c.name', 'twice']);
  const page = [...maybe(random, 0.5, { $skip: random.below(30) }), { $limit: random.between(1, 20) }];
  const count = [{ $group: { _id: 0, n: { $sum: 1 } } }, { $project: { n: true, _id: false } }];
  switch (random.below(5)) {
    case 0:
    case 1:
      return [sort(random, by), ...maybe(random, 0.2, { $addFields: { seen: '$status' } }), ...page];
    case 2:
      return [{ $facet: { data: [sort(random, by), ...page], total: count } }];
    case 3:
      return [
        sort(random, by),
        { $facet: { data: page, kinds: [{ $group: { _id: '$status', n: { $sum: 1 } } }, { $sort: { _id: 1 } }] } },
      ];
    default:
      return random.chance(0.5)
        ? count
        : [{ $group: { _id: random.choose(['$status', { $max: '$c.name' }, '$customer']), n: { $sum: '$total' } } }];
  }
}

/** By the field of a join, with values of the joined documents or without. */
function grouped(random: SeededRandom, isUnwound: boolean): Document[] {
  const ofJoined = random.choose(['$c', '$c.name', '$c._id', { $ifNull: ['$c.name', '$c'] }]);
  const by = random.choose<unknown>([
    '$customer',
    '$customer',
    isUnwound ? '$c._id' : '$status',
    { customer: '$customer' },
    { status: '$status', customer: '$customer', country: '$c.country' },
    { name: '$c.name', customer: '$customer' },
  ]);
  const name = random.choose(['c', 'named', 'd']);
  const value = { [random.choose(['$first', '$first', '$last', '$max', '$min', '$push'])]: ofJoined };
  return [
    ...maybe(random, 0.2, { $match: { 'c.country': { $lte: 1 } } }),
    { $group: { _id: by, total: { $sum: '$total' }, ...(random.chance(0.7) && { [name]: value }) } },
    ...(random.chance(0.5)
      ? [sort(random, random.choose(['total', 'named'])), ...maybe(random, 0.5, { $limit: random.between(1, 20) })]
      : []),
  ];
}

function sort(random: SeededRandom, by: string): Document {
  return { $sort: { [by]: random.choose([1, -1]), _id: 1 } };
}

function maybe(random: SeededRandom, probability: number, stage: Document): Document[] {
  return random.chance(probability) ? [stage] : [];
}
