/** Holds suggested indexes against the plans of a real server, over seeded random filters and sorts. */
import { type Db, type Document } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { SeededRandom } from '../../../src/demo/seeded-random.js';
import { keyOf, type SuggestedIndex, suggestedIndexes } from '../../../src/judgement/advice/suggested-index.js';
import { conditionsOf } from '../../../src/judgement/queries/conditions.js';
import type { SortField } from '../../../src/planner/access.js';
import { fieldTypesOf, type FieldTypes } from '../../../src/profile/field-types.js';
import { filterShape } from '../../../src/workload/shapes/filter-shape.js';
import { literalPlaceholder } from '../../../src/workload/shapes/placeholder.js';
import { freshDatabase, sharedClient } from '../../support/database.js';
import { profileOf } from '../../support/documents/profiles.js';
import { DOCUMENTS, queriedDocument, randomQuery, type RandomQuery } from '../../support/queries/random-query.js';

const QUERIES = 60;
const SEED = 20_261;
const LITERALS = 3;

describe('suggested indexes on a real server', () => {
  const client = sharedClient();
  const database = freshDatabase(client);
  let fieldTypes: FieldTypes;

  beforeAll(async () => {
    const documents = Array.from({ length: DOCUMENTS }, (_, position) => queriedDocument(position));
    await database.collection<{ _id: number }>('orders').insertMany(documents);
    const sample = { method: 'whole-collection', complete: true, boundedBy: null, elapsed: 1 } as const;
    fieldTypes = fieldTypesOf({ profile: profileOf(documents), sample });
  });

  it(`are used for each of ${QUERIES} random queries, and sort where they say so`, async () => {
    const random = new SeededRandom(SEED);
    const disagreements: unknown[] = [];
    const seen = { sorting: 0, compound: 0, several: 0 };
    for (let count = 0; count < QUERIES; count += 1) {
      const query = randomQuery(random);
      const indexes = suggestionFor(query, fieldTypes);
      if (indexes === null) {
        disagreements.push({ query, because: 'nothing was suggested' });
        continue;
      }
      const plan = await planWith(database, query, indexes);
      const names = indexes.map((_, position) => `suggested_${position}`);
      const sorts = Object.keys(query.sort).length > 0 && indexes.every((index) => index.sorts);
      if (sorts) seen.sorting += 1;
      if (indexes.length > 1) seen.several += 1;
      if (Object.keys(keyOf(indexes[0] as SuggestedIndex)).length > 1) seen.compound += 1;
      const isUsed = names.every((name) => plan.indexes.includes(name)) && !plan.stages.includes('COLLSCAN');
      if (!isUsed || (sorts && plan.stages.includes('SORT')))
        disagreements.push({ query, indexes: indexes.map(keyOf), plan });
    }
    expect(disagreements).toEqual([]);
    for (const times of Object.values(seen)) expect(times).toBeGreaterThanOrEqual(3);
  });
});

function suggestionFor({ filter, sort }: RandomQuery, fieldTypes: FieldTypes): readonly SuggestedIndex[] | null {
  const conditions = conditionsOf([filterShape(filter, literalPlaceholder)]);
  return suggestedIndexes(
    { conditions, sort: Object.entries(sort) as SortField[], longestLiteralArray: LITERALS },
    fieldTypes,
  );
}

interface Plan {
  readonly stages: readonly string[];
  readonly indexes: readonly string[];
}

async function planWith(
  database: Db,
  { filter, sort }: RandomQuery,
  indexes: readonly SuggestedIndex[],
): Promise<Plan> {
  const orders = database.collection('orders');
  await orders.createIndexes(
    indexes.map((index, position) => ({ key: { ...keyOf(index) }, name: `suggested_${position}` })),
  );
  const explanation = await orders.find(filter).sort(sort).explain('queryPlanner');
  await orders.dropIndexes();
  const plan: unknown = explanation['queryPlanner'].winningPlan.queryPlan ?? explanation['queryPlanner'].winningPlan;
  return { stages: valuesOf(plan, 'stage'), indexes: valuesOf(plan, 'indexName') };
}

function valuesOf(tree: unknown, name: string): string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree as Document).flatMap(([key, value]) =>
    key === name ? [String(value)] : valuesOf(value, name),
  );
}
