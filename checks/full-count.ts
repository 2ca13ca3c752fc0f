import type { RemedyStep } from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { plural } from '../src/format.js';
import { countsOnKeys } from '../src/judgement/advice/documents-with-index.js';
import { obstacleOf } from '../src/judgement/advice/query-suggestions.js';
import { onlyIf } from '../src/judgement/only-if.js';
import { everyCondition, isEmpty } from '../src/judgement/queries/conditions.js';
import { averageText, withSimilar } from '../src/judgement/queries/judged-query.js';
import { defineQueryCheck } from '../src/judgement/queries/query-check.js';
import { isScanned, type QueryCost } from '../src/judgement/queries/query-cost.js';
import type { QueryGroup } from '../src/judgement/queries/query-groups.js';
import {
  documentsText,
  documentWeight,
  examinedAtJudgedSize,
  isRepeated,
  KEYS_PER_DOCUMENT,
} from '../src/judgement/queries/query-size.js';
import { ERROR, RETIRED_OF_OPERATIONS, SCAN_SIZE, WARNING } from '../src/judgement/queries/query-thresholds.js';
import type { Query } from '../src/judgement/queries/query.js';
import { lackedFields } from '../src/judgement/queries/scattered-keys.js';
import { redesignFrom, severityInVain } from '../src/judgement/queries/search-severity.js';
import { shellStatement } from '../src/judgement/shell-statement.js';
import { isObjectShape, type ObjectShape } from '../src/workload/shapes/shape.js';

/** Stages behind a count that only reshape the number. */
const RESHAPING = new Set(['$project', '$unset', '$addFields', '$replaceRoot']);

const thresholds = { documents: SCAN_SIZE, warning: WARNING, error: ERROR } as const;

export const fullCount = defineQueryCheck({
  id: 'full-count',
  title: 'Count of many documents',
  summary: 'counts that read every document, or thousands of them for a condition',
  thresholds,
  retiredThresholds: RETIRED_OF_OPERATIONS,
  floor: 'documents',
  isAbout: isCount,
  match: (query, cost) => (isEmpty(query.conditions) ? (cost.documentsExamined ?? 0) > 0 : countsMany(query, cost)),
  place: (query) => ({
    path: null,
    remedy: { steps: isEmpty(query.conditions) ? stepsForAll(query) : STEPS_FOR_MANY },
  }),
  severity({ queries, cost }, { limits: { documents, warning, error } }) {
    const [query] = queries;
    const ofKeys = isEmpty(query.conditions) ? 0 : (cost.keysExamined ?? 0) / KEYS_PER_DOCUMENT;
    const examined = Math.max((examinedAtJudgedSize(query, cost) ?? 0) * documentWeight(query), ofKeys);
    const limits = { info: documents, warning, error };
    return severityInVain(examined, cost, isRepeated(query, cost), limits, redesignFrom(queries, cost));
  },
  message(group) {
    const { queries, cost } = group;
    const why = isEmpty(queries[0].conditions)
      ? 'Counts by reading every document; collection metadata already has the total.'
      : `Many documents are counted one by one to return a number: ${withSimilar(group)}.`;
    return `${why} An execution examines ${examinedText(group)}${averageText(group, null)} on average (${cost.window}).`;
  },
});

/** Documents, or the keys of an index if these are enough. */
function examinedText({ queries, cost }: QueryGroup): string {
  const documents = cost.documentsExamined ?? 0;
  return documents > 0 ? documentsText(queries[0], documents) : plural(Math.round(cost.keysExamined ?? 0), 'index key');
}

/**
 * Whether an application counts by a condition for which an index with all of its fields finds the documents: none would find
 * fewer. Patterns and what else no index can search have checks of their own.
 */
function countsMany(query: Query, cost: QueryCost): boolean {
  const isOther = isScanned(query) || obstacleOf(query) !== null || !isRepeated(query, cost);
  if (isOther || everyCondition(query.conditions).some(({ operator }) => operator === '$regex')) return false;
  return lackedFields(query, countsOnKeys(query)).length === 0;
}

const STEPS_FOR_MANY = stepsOf(
  'Keep a counter for each value that is counted, and update it with $inc in the write. Or count once a minute, and keep the result.',
  'If a page only shows that there are many, stop at a limit, such as 1,000: countDocuments(filter, { limit: 1000 }).',
  'If the condition is on elements of an array, keep what it asks for in a field of its own, such as the time of the last element: an index on that has one key for each document, and a count reads no document.',
);

function stepsForAll({ known: { collection } }: Query): RemedyStep[] {
  const { namespace, clustered } = collection;
  return [
    {
      text: 'Read the count from the metadata: that examines no document. After a crash it may be off until validate() runs. On a sharded cluster it includes orphaned documents.',
      code: shellStatement(namespace, 'estimatedDocumentCount'),
    },
    ...onlyIf(!clustered, {
      text: 'If it must be exact on a sharded cluster, or in a transaction: count the keys of the _id index, which are far smaller than the documents.',
      code: shellStatement(namespace, 'countDocuments', '{}', '{ hint: "_id_" }'),
    }),
    {
      text: 'To find out only whether there are any documents, or many, stop at a limit.',
      code: shellStatement(namespace, 'countDocuments', '{}', '{ limit: 1 }'),
    },
  ];
}

/**
 * Whether a query counts documents of a collection and asks for nothing else: what drivers send for `countDocuments`,
 * `$count`, or the `count` command with a condition. Without one, the server answers that command from the metadata.
 */
function isCount({ operation: { shape }, known, joins, conditions }: Query): boolean {
  const { kind, namespace, pipeline = [] } = shape;
  if (kind === 'count') return !isEmpty(conditions);
  // A view has no metadata of its own.
  if (kind !== 'aggregate' || namespace !== known.collection.namespace || joins) return false;
  const [first, ...others] = pipeline.filter(({ $match }) => !isObjectShape($match));
  return first !== undefined && countsAll(first) && others.every((stage) => RESHAPING.has(Object.keys(stage)[0] ?? ''));
}

function countsAll({ $group }: ObjectShape): boolean {
  if (!isObjectShape($group)) return false;
  const { _id, ...sums } = $group;
  const isOfAll = typeof _id === 'string' && _id.startsWith('?');
  const counted = Object.values(sums);
  return isOfAll && counted.length > 0 && counted.every((each) => isObjectShape(each) && each['$sum'] === '?number');
}
