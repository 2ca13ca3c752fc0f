import { plural } from '../../src/format.js';
import { explainSteps } from '../../src/judgement/advice/needed-index.js';
import { obstacleOf } from '../../src/judgement/advice/query-suggestions.js';
import { everyCondition, isEmpty } from '../../src/judgement/queries/conditions.js';
import { averageText, withSimilar } from '../../src/judgement/queries/judged-query.js';
import { defineQueryCheck } from '../../src/judgement/queries/query-check.js';
import { isScanned } from '../../src/judgement/queries/query-cost.js';
import type { QueryGroup } from '../../src/judgement/queries/query-groups.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { placeOfSpecial } from '../../src/judgement/queries/special-searches.js';
import {
  areMatches,
  examinedBy,
  examinedTooMuch,
  knowsMatches,
  leastRatioOf,
  retiredThresholds,
  thresholds,
  worstOf,
  type Examined,
} from './examined.js';
import { laterRange, placeOf } from './later-range.js';

/** Documents examined for each one returned, from which a small collection may hide that a query finds too much. */
const RATIO_OF_FEW = 10;

export const poorTargeting = defineQueryCheck({
  id: 'poor-targeting',
  title: 'Poor query targeting',
  summary: 'queries that use an index and examine far more documents or index keys than they return',
  thresholds,
  retiredThresholds,
  floor: 'documents',
  isAbout: isTelling,
  match(query, cost, { limits }) {
    const reaches = (what: Examined) => examinedBy(query, cost, what) >= limits.documents;
    if (examinedTooMuch(query, cost, leastRatioOf(query, cost, limits.info)).some(reaches)) return true;
    return examinedTooMuch(query, cost, RATIO_OF_FEW).some((what) => !reaches(what)) && 'few';
  },
  place: placeOf,
  specialPlace: placeOfSpecial,
  wasted(query, cost) {
    const [what] = knowsMatches(query, cost) ? examinedTooMuch(query, cost, RATIO_OF_FEW) : [];
    return what === undefined ? null : (cost[what] ?? 0) - (cost.documentsReturned ?? 0);
  },
  severity: (group, context) => worstOf(group, context)?.severity ?? null,
  // An update that changes nothing is recorded as one that wrote nothing.
  confidence: ({ queries, cost }) =>
    queries.every((query) => query.operation.shape.kind !== 'update' && knowsMatches(query, cost)) ? 'high' : 'medium',
  message: (group, context) => messageOf(group, worstOf(group, context)?.what ?? 'documentsExamined'),
  figures(group, context) {
    const examined = group.cost[worstOf(group, context)?.what ?? 'documentsExamined'] ?? 0;
    const { documentsReturned } = group.cost;
    return {
      examinedPerReturned: areMatches(group) ? Math.round(examined / Math.max(1, documentsReturned ?? 0)) : null,
    };
  },
  withoutIndex: ({ isCut }) => (isCut ? explainSteps() : WITHOUT_INDEX),
});

const WITHOUT_INDEX = [
  {
    text: 'No index finds fewer documents by these conditions. Add an equality or a range that narrows them down, or store what is asked for in a field of its own, and index that.',
  },
];

function isTelling(query: Query): boolean {
  const { conditions, joins } = query;
  // unselective-filter reports those with an obstacle.
  if (isScanned(query) || isEmpty(conditions) || joins || obstacleOf(query) !== null) return false;
  return !everyCondition(conditions).some(({ ignoresCase }) => ignoresCase);
}

function messageOf(group: QueryGroup, what: Examined): string {
  const examined = Math.round(group.cost[what] ?? 0);
  const things = what === 'documentsExamined' ? plural(examined, 'document') : plural(examined, 'index key');
  const returned = areMatches(group) ? (group.cost.documentsReturned ?? 0) : null;
  return (
    `The index used for ${withSimilar(group)} ${whyOf(group, what)}. An execution examines ${things}` +
    `${averageText(group, returned)} on average (${group.cost.window}).`
  );
}

function whyOf(group: QueryGroup, what: Examined): string {
  const [query] = group.queries;
  if (what === 'documentsExamined')
    return areMatches(group) ? 'finds too much' : 'lacks a field that the query sets, which is tested on the documents';
  const later = laterRange(query, group.cost);
  return later === null
    ? 'has its fields in another order than equality, sort, range'
    : `is walked through all of \`${later.before}\` to test \`${later.path}\``;
}
