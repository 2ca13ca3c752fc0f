import type { RemedyStep } from '../src/check.js';
import { plural } from '../src/format.js';
import { onlyIf } from '../src/judgement/only-if.js';
import { isEmpty } from '../src/judgement/queries/conditions.js';
import { averageText } from '../src/judgement/queries/judged-query.js';
import { defineQueryCheck } from '../src/judgement/queries/query-check.js';
import { examinedAtJudgedSize, isRepeated } from '../src/judgement/queries/query-size.js';
import { ERROR, RETIRED_OF_OPERATIONS, SCAN_SIZE, WARNING } from '../src/judgement/queries/query-thresholds.js';
import type { Query } from '../src/judgement/queries/query.js';
import { severityInVain } from '../src/judgement/queries/search-severity.js';
import { shellStatement } from '../src/judgement/shell-statement.js';
import { isObjectShape, type ObjectShape } from '../src/workload/shapes/shape.js';

/** Stages behind a count that only reshape the number. */
const RESHAPING = new Set(['$project', '$unset', '$addFields', '$replaceRoot']);

const thresholds = { documents: SCAN_SIZE, warning: WARNING, error: ERROR } as const;

export const fullCount = defineQueryCheck({
  id: 'full-count',
  title: 'Count of a whole collection',
  summary: 'counts without a condition that read every document, though the metadata has the number',
  thresholds,
  retiredThresholds: RETIRED_OF_OPERATIONS,
  floor: 'documents',
  isAbout: isFullCount,
  match: (_, cost) => (cost.documentsExamined ?? 0) > 0,
  place: (query) => ({ path: null, remedy: { steps: remedySteps(query) } }),
  severity({ queries: [query], cost }, { limits: { documents, warning, error } }) {
    const examined = examinedAtJudgedSize(query, cost) ?? 0;
    return severityInVain(examined, cost, isRepeated(query, cost), { info: documents, warning, error });
  },
  message: (group) =>
    'All documents are read to count them, and the metadata has the number. An execution examines ' +
    `${plural(Math.round(group.cost.documentsExamined ?? 0), 'document')}${averageText(group, null)} on average (${group.cost.window}).`,
});

function remedySteps({ known: { collection } }: Query): RemedyStep[] {
  const { namespace, clustered } = collection;
  return [
    {
      text: 'Ask the metadata for the number: it examines no document. After a crash it may be off until validate() ran. On a sharded cluster, orphaned documents count.',
      code: shellStatement(namespace, 'estimatedDocumentCount'),
    },
    ...onlyIf(!clustered, {
      text: 'If it must be exact on a sharded cluster, or in a transaction: count the keys of the _id index, which are far smaller than the documents.',
      code: shellStatement(namespace, 'countDocuments', '{}', '{ hint: "_id_" }'),
    }),
    {
      text: 'If only asked whether there are any documents, or whether the collection is large: stop at a limit.',
      code: shellStatement(namespace, 'countDocuments', '{}', '{ limit: 1 }'),
    },
  ];
}

/**
 * Whether a query counts a whole collection and asks for nothing else: what drivers send for `countDocuments({})`, or
 * `$count` without a condition. `count` without a condition is no such query: the server answers it from the metadata.
 */
function isFullCount({ operation: { shape }, known, conditions, joins }: Query): boolean {
  const { kind, namespace, pipeline = [] } = shape;
  // A view has no metadata of its own.
  if (kind !== 'aggregate' || namespace !== known.collection.namespace || joins || !isEmpty(conditions)) return false;
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
