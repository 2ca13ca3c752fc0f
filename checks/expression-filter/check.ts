import type { IndexDescription, RemedyStep, ThresholdValues } from '../../src/check.js';
import { plural } from '../../src/format.js';
import { accompanyingIndex } from '../../src/judgement/indexes/accompanying-index.js';
import { keyOf, suggestedIndexes } from '../../src/judgement/indexes/suggested-index.js';
import { conditionsOf } from '../../src/judgement/queries/conditions.js';
import { expressionText, filterText } from '../../src/judgement/queries/filter-text.js';
import { averageOf, withSimilar } from '../../src/judgement/queries/judged-query.js';
import { isMostlyUnwanted, searchObstacle } from '../../src/judgement/queries/obstructed-searches.js';
import { defineQueryCheck } from '../../src/judgement/queries/query-check.js';
import type { QueryGroup } from '../../src/judgement/queries/query-groups.js';
import type { QueryPlace } from '../../src/judgement/queries/query-places.js';
import { negationsAsRanges, obstacleOf } from '../../src/judgement/queries/query-suggestions.js';
import { OBSTACLE_THRESHOLDS } from '../../src/judgement/queries/query-thresholds.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { comparedBy, searchSeverity } from '../../src/judgement/queries/search-severity.js';
import { shellStatement } from '../../src/judgement/shell-statement.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../src/workload/shapes/shape.js';
import { plainFilters, storedAnswer } from './plain-expression.js';

const thresholds = {
  ...OBSTACLE_THRESHOLDS,
  scriptError: {
    default: 100_000,
    unit: 'documents',
    description: 'documents examined per execution from which a script of $where is an error',
    source: 'judgement: six seconds of processor (0.06 ms a document, 200 times a plain condition, measured on 6.0.5)',
  },
} as const;

type Limits = ThresholdValues<typeof thresholds>;

export const expressionFilter = defineQueryCheck({
  id: 'expression-filter',
  title: 'Filter by an expression or a script',
  summary: 'queries by `$expr` or `$where` alone, which the server computes for each document',
  thresholds,
  floor: 'info',
  match(query, cost, { limits }) {
    const obstacle = searchObstacle(query, cost, ['script', 'expression']);
    // A script costs as much for documents that are wanted.
    return obstacle === 'script' || (obstacle === 'expression' && isMostlyUnwanted(query, cost, limits.shareWanted));
  },
  place: placeOf,
  severity: (group, { limits }) => searchSeverity(group, runsScript(group) ? ofScripts(limits) : limits),
  message: (group) =>
    `${runsScript(group) ? 'A script runs for each document' : 'An expression is computed for each document'}: ${withSimilar(group)}. ` +
    `An execution examines ${plural(Math.round(comparedBy(group.cost)), 'document')}${averageOf(group)}`,
});

function placeOf(query: Query): QueryPlace {
  const expression = expressionIn(query.filters);
  const path = expression === null ? null : (/"\$([^"$][^"]*)"(?!:)/.exec(JSON.stringify(expression))?.[1] ?? null);
  const plain = plainFilters(query.filters);
  if (plain !== null) return { path, remedy: { steps: plainSteps(plain, query) } };
  return { path, remedy: { steps: expression === null ? unknownSteps() : storedSteps(expression, query) } };
}

/** What is computed; null if the text of the script is not kept. */
function expressionIn(filters: readonly Shape[]): Shape | null {
  for (const filter of filters) {
    if (!isObjectShape(filter)) continue;
    const { $expr, $where, $and = [], $or = [], $nor = [] } = filter;
    const found = [$expr, $where].find((each) => typeof each === 'object');
    const within = found ?? expressionIn([$and, $or, $nor].flatMap((branches) => branches as Shape | readonly Shape[]));
    if (within !== null) return within;
  }
  return null;
}

function plainSteps(plain: NonNullable<ReturnType<typeof plainFilters>>, query: Query): RemedyStep[] {
  const keys = indexKeysFor(query, plain);
  return [
    {
      text: `Write it as a plain condition, for which an index is searched.${boundsText(query)}`,
      code: shellStatement(query.known.collection.namespace, 'find', filterText(plain)),
    },
    ...keys.flatMap((key) =>
      accompanyingIndex(
        key,
        query.known,
        keys.length === 1 ? 'It needs an index.' : 'Each alternative needs an index.',
      ),
    ),
    {
      text: 'Compare the results first: a plain condition compares values of one type only, also finds elements of arrays, and takes a missing field for null.',
    },
  ];
}

/** What the bounds in place of a part of a date are. */
function boundsText({ filters }: Query): string {
  const parts = JSON.stringify(filters);
  if (!/"\$(?:year|dateTrunc|dateToString)"/.test(parts)) return '';
  const withoutYear = parts.includes('"$dateToString"')
    ? ' A format without the year names no period: store such a text in a field of its own instead.'
    : '';
  return (
    ' A bound is the beginning of the period, or of the next one: that is where `$eq` and `$lte` end, and `$gt` begins.' +
    withoutYear
  );
}

function storedSteps(expression: Shape, query: Query): RemedyStep[] {
  const { namespace } = query.known.collection;
  const { field, expression: computed, condition } = storedAnswer(expression);
  const name = JSON.stringify(field);
  const isScript = obstacleOf(query) === 'script';
  const set = `[{ $set: { ${name}: ${expressionText(computed)} } }]`;
  return [
    ...(isScript
      ? [
          {
            text: 'Without a script, $expr says the same. It still examines as many documents, at a hundredth of the cost of each.',
            code: shellStatement(namespace, 'find', `{ $expr: ${expressionText(expression)} }`),
          },
        ]
      : []),
    {
      text: 'Store what is computed in a field of its own, and let every write keep it. This writes every document: do it in batches if they are many.',
      code: shellStatement(namespace, 'updateMany', '{}', set),
    },
    ...accompanyingIndex({ [field]: 1 }, query.known, 'Give that field an index.'),
    {
      text: 'Ask for the stored value. The other conditions of the query stay.',
      code: shellStatement(namespace, 'find', `{ ${name}: ${condition} }`),
    },
  ];
}

function unknownSteps(): RemedyStep[] {
  return [
    {
      text: 'Write what the script tests as plain conditions, and index their fields. What compares fields with each other is stored with each write, in a field of its own, and asked for by its value.',
    },
  ];
}

function runsScript({ queries }: QueryGroup): boolean {
  return queries.some((query) => obstacleOf(query) === 'script');
}

function ofScripts(limits: Limits): Limits {
  return { ...limits, warning: limits.info, error: limits.scriptError };
}

/**
 * The keys of the indexes that would find a query's documents if it asked by these filters instead: one, or one for each
 * branch of `$or`, which is searched by an index only if all of them are. Empty if none would.
 */
function indexKeysFor(query: Query, filters: readonly ObjectShape[]): readonly IndexDescription['key'][] {
  const { fieldTypes } = query.known;
  const types = fieldTypes.present ? fieldTypes.value : null;
  const conditions = negationsAsRanges(conditionsOf(filters), types);
  const suggested = suggestedIndexes({ conditions, sort: query.sort, longestLiteralArray: null }, types) ?? [];
  return suggested.map(keyOf);
}
