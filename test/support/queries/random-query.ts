import type { Document } from 'mongodb';
import type { SeededRandom } from '../../../src/demo/seeded-random.js';

/** Documents of the collection that random queries ask. */
export const DOCUMENTS = 1_500;

/** A document with fields of every kind that a query of this file asks for. */
export function queriedDocument(_id: number): Document & { _id: number } {
  return {
    _id,
    status: ['open', 'paid', 'sent', 'lost'][_id % 4],
    customer: _id % 40,
    total: (_id * 7_919) % 1_000,
    name: `name${(_id * 31) % 500}`,
    at: new Date(1.7e12 + _id * 60_000),
    address: { city: `city${_id % 25}`, zip: 1_000 + (_id % 90) },
    tags: [`tag${_id % 9}`, `tag${(_id * 5) % 13}`],
    items: [
      { sku: `sku${_id % 60}`, quantity: _id % 5 },
      { sku: `sku${(_id * 3) % 60}`, quantity: _id % 7 },
    ],
  };
}

/** A query as a client sends it. */
export interface RandomQuery {
  readonly filter: Document;
  readonly sort: Readonly<Record<string, 1 | -1>>;
}

type Generator = (random: SeededRandom) => Document;

/** Conditions in which an index can find documents. */
const FINDING: readonly Generator[] = [
  (random) => ({ status: random.choose(['open', 'paid', 'sent']) }),
  (random) => ({ customer: random.below(40) }),
  (random) => ({ customer: { $in: [random.below(40), random.below(40) + 40, random.below(40)] } }),
  (random) => ({ total: { $gt: random.below(900) } }),
  (random) => ({ total: { $gte: random.below(400), $lt: 450 + random.below(500) } }),
  (random) => ({ at: { $lt: new Date(1.7e12 + random.below(DOCUMENTS) * 60_000) } }),
  (random) => ({ name: new RegExp(`^name${random.below(9)}`) }),
  (random) => ({ 'address.city': `city${random.below(25)}` }),
  (random) => ({ 'address.zip': { $in: [1_000 + random.below(90), 1_001] } }),
  (random) => ({ tags: `tag${random.below(9)}` }),
  (random) => ({ tags: { $all: [`tag${random.below(9)}`] } }),
  (random) => ({ items: { $elemMatch: { sku: `sku${random.below(60)}`, quantity: { $gte: random.below(5) } } } }),
  (random) => ({ 'items.sku': `sku${random.below(60)}` }),
];

const EITHER: Generator = (random) => ({
  $or: [{ customer: random.below(40) }, { name: `name${random.below(500)}` }],
});

/** Conditions that an index can at most test. */
const TESTED: readonly Generator[] = [
  (random) => ({ note: { $exists: random.chance(0.5) } }),
  (random) => ({ total: { $ne: random.below(1_000) } }),
  (random) => ({ name: new RegExp(`${random.below(100)}`, 'i') }),
  () => ({ status: { $nin: ['lost', 'void'] } }),
  (random) => ({ $nor: [{ customer: random.below(40) }] }),
  () => ({ items: { $size: 2 } }),
];

const SORTED = ['at', 'total', 'name', 'customer', 'address.zip', 'status'] as const;

/** How often a query asks for nothing that one index could find. */
const SHARE_OF_ALTERNATIVES = 0.1;

/** A filter of one to three conditions, one of which an index can find by, and a sort by up to two fields. */
export function randomQuery(random: SeededRandom): RandomQuery {
  const isEither = random.chance(SHARE_OF_ALTERNATIVES);
  const conditions = [isEither ? EITHER(random) : random.choose(FINDING)(random)];
  if (!isEither && random.chance(0.6)) {
    const further = random.choose(FINDING)(random);
    // Two conditions on one field mostly contradict each other, and the server then searches for nothing.
    if (Object.keys(further)[0] !== Object.keys(conditions[0] as Document)[0]) conditions.push(further);
  }
  if (random.chance(0.4)) conditions.push(random.choose(TESTED)(random));
  const fields = Array.from({ length: random.below(3) }, () => random.choose(SORTED));
  return {
    filter: conditions.length === 1 ? (conditions[0] as Document) : { $and: conditions },
    sort: Object.fromEntries(fields.map((path) => [path, random.chance(0.5) ? 1 : -1])),
  };
}
