import { stepsOf } from '../../src/finding/remedy.js';
import { plural } from '../../src/format.js';
import { obstacleOf } from '../../src/judgement/advice/query-suggestions.js';
import { everyCondition, isEmpty } from '../../src/judgement/queries/conditions.js';
import { averageText, withSimilar } from '../../src/judgement/queries/judged-query.js';
import { defineQueryCheck } from '../../src/judgement/queries/query-check.js';
import { isScanned } from '../../src/judgement/queries/query-cost.js';
import { placeOfSpecial } from '../../src/judgement/queries/special-searches.js';
import { excessOf, gradeOf, knowsMatches, retiredThresholds, thresholds } from './examined.js';
import { FEW, placeOf } from './later-range.js';

/**
 * A recorded query by an index is a finding if it examines far more documents than match, or far more index keys where equality,
 * sort, range order examines fewer. Of a count or a group, nobody knows how many match: it is one if its index lacks a field of
 * the conditions. Scans, obstacles and joins have checks of their own.
 */
export const poorTargeting = defineQueryCheck({
  id: 'poor-targeting',
  title: 'Poor query targeting',
  summary: 'queries that use an index and examine far more documents or index keys than they return',
  thresholds,
  retiredThresholds,
  floor: 'documents',
  isAbout(query) {
    const { conditions, joins } = query;
    const isOther = isScanned(query) || isEmpty(conditions) || joins || obstacleOf(query) !== null;
    return !isOther && !everyCondition(conditions).some(({ ignoresCase }) => ignoresCase);
  },
  match: (query, cost, { limits }) =>
    (excessOf(query, cost, limits)?.examined ?? 0) >= limits.documents ||
    (excessOf(query, cost, FEW) !== null && 'few'),
  place: placeOf,
  specialPlace: placeOfSpecial,
  wasted(query, cost) {
    const excess = excessOf(query, cost, FEW);
    return excess === null || excess.ratio === null ? null : excess.recorded - (cost.documentsReturned ?? 0);
  },
  severity: (group, { limits }) => gradeOf(group, limits),
  // An update that changes nothing is recorded as one that wrote nothing.
  confidence: ({ queries, cost }) =>
    queries.every((query) => knowsMatches(query, cost) && query.operation.shape.kind !== 'update') ? 'high' : 'medium',
  message(group, { limits }) {
    const { queries, cost } = group;
    const excess = excessOf(queries[0], cost, limits) ?? excessOf(queries[0], cost, FEW);
    const isOfKeys = excess?.what === 'keysExamined';
    const why = isOfKeys ? 'walks past keys that another order of its fields would not' : 'is not selective enough';
    const examined = Math.round(excess?.recorded ?? cost.documentsExamined ?? 0);
    const returned = queries.every((query) => knowsMatches(query, cost)) ? cost.documentsReturned : null;
    return `The index used for ${withSimilar(group)} ${why}. An execution examines ${plural(examined, isOfKeys ? 'index key' : 'document')}${averageText(group, returned)} on average (${cost.window}).`;
  },
  withoutIndex: () =>
    stepsOf(
      'No index finds fewer documents by these conditions. Add an equality or a range that narrows them down, or store what is asked for in a field of its own, and index that.',
    ),
});
