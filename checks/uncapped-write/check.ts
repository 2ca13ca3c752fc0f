import { everyCondition } from '../../src/judgement/queries/conditions.js';
import { recordedQueries } from '../../src/judgement/queries/query-cost.js';
import { sizeFor } from '../../src/judgement/queries/query-size.js';
import { RETIRED_OF_OPERATIONS } from '../../src/judgement/queries/query-thresholds.js';
import { queriesOf, type Query } from '../../src/judgement/queries/query.js';
import { defineWorstQueryCheck, textOf, type FoundQuery } from '../../src/judgement/queries/worst-query-check.js';
import { isObjectShape } from '../../src/workload/shapes/shape.js';
import { DATA_NAME } from '../../src/workload/shapes/sort-shape.js';
import { unrecordedWrites } from './in-source.js';
import { addsText, cappingSteps, fieldsOf, mayShorten, withoutPositions, type Written } from './writes.js';

/** A recorded write that adds to an array, or a key to an object, without an end. */
interface UncappedWrite extends FoundQuery, Written {}

/**
 * A write that adds to an array, or a key made of data to an object, is a finding unless another write caps or empties it, or
 * enough documents are there for `unbounded-array` and `dynamic-field-names` to judge what it leads to.
 */
const recordedWrites = defineWorstQueryCheck({
  id: 'uncapped-write',
  title: 'Write without a cap',
  summary: 'writes that add elements to an array, or keys made of data, while few documents show how far that goes',
  lostByPseudonyms: 'keys that are data can no longer be recognized.',
  thresholds: {
    documents: {
      default: 100,
      unit: 'documents',
      description:
        'documents of the collection, or sampled ones with the array, from which the data itself is judged, by unbounded-array and dynamic-field-names',
      source: 'judgement: the arrays of fewer documents are those of fixtures or of a rare kind, and say little',
    },
  },
  retiredThresholds: RETIRED_OF_OPERATIONS,
  find({ cluster, limits }) {
    const queries = queriesOf(cluster);
    const isRare = (query: Query, { path, adds }: Written) => {
      const { present = Infinity } = sizeFor(query) ?? {};
      return Math.min(present, adds === 'keys' ? Infinity : documentsWith(query, path)) < limits.documents;
    };
    return queries.flatMap((query): UncappedWrite[] => {
      const cost = recordedQueries([query], cluster.workload);
      const isKept = ({ path }: Written) =>
        !queries.some((other) => other.known === query.known && mayShorten(other.operation.shape, path));
      return additionsOf(query)
        .filter((added) => isRare(query, added) && isKept(added))
        .map((added) => ({ query, cost, ...added }));
    });
  },
  path: ({ path }) => path,
  causedBy: ({ path }) => path,
  rank: ({ cost }) => cost.executions,
  severity: ({ adds }) => (adds === 'keys' ? 'warning' : 'info'),
  confidence: 'medium',
  message: (all) => `${textOf(all)} (${all[0].cost.window}) ${addsText(all[0])}`,
  figures: ([{ adds }]) => ({ adds }),
  remedy: ({ path, adds, query: { known } }) => cappingSteps(known.collection.namespace, path, adds),
});

/** Writes of the source count if no recorded one is about the same. */
export const uncappedWrite: typeof recordedWrites = {
  ...recordedWrites,
  judge(cluster, limits) {
    const recorded = recordedWrites.judge(cluster, limits);
    return [...recorded, ...unrecordedWrites(cluster, recorded, limits.documents)];
  },
};

/** Sampled documents that have the array; infinite if none were sampled. */
function documentsWith({ known: { fieldTypes } }: Query, path: string): number {
  if (!fieldTypes.present) return Infinity;
  return fieldTypes.value.fields.find((field) => field.path === path || field.path === `${path}[]`)?.documents ?? 0;
}

function additionsOf({ operation: { shape }, conditions }: Query): Written[] {
  const { update } = shape;
  if (!isObjectShape(update) || shape.truncated === true) return [];
  const conditioned = everyCondition(conditions).map(({ path }) => path);
  const pushed = ['$push', '$addToSet'].flatMap((operator) =>
    fieldsOf(update[operator]).flatMap(([written, operand]): Written[] => {
      const path = withoutPositions(written);
      // A condition on a position of the array, or on its length, is a cap.
      const isCapped = conditioned.some((each) => /^\$|^$/.test(each) || each.startsWith(`${written}.`));
      return (isObjectShape(operand) && '$slice' in operand) || isCapped ? [] : [{ path, adds: 'elements' }];
    }),
  );
  const keyed = ['$set', '$inc', '$push', '$addToSet'].flatMap((operator) =>
    fieldsOf(update[operator]).flatMap(([written]): Written[] => {
      const names = written.split('.');
      const at = names.indexOf(DATA_NAME);
      return at < 1 ? [] : [{ path: withoutPositions(names.slice(0, at).join('.')), adds: 'keys' }];
    }),
  );
  return [...pushed.filter(({ path }) => !path.includes(DATA_NAME)), ...keyed];
}
