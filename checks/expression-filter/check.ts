import type { ThresholdValues } from '../../src/check.js';
import type { QueryPlace } from '../../src/judgement/advice/query-suggestions.js';
import { obstacleOf } from '../../src/judgement/advice/query-suggestions.js';
import { averageOf, withSimilar } from '../../src/judgement/queries/judged-query.js';
import { defineQueryCheck, type QueryContext } from '../../src/judgement/queries/query-check.js';
import type { QueryCost } from '../../src/judgement/queries/query-cost.js';
import type { QueryGroup } from '../../src/judgement/queries/query-groups.js';
import { OBSTACLE_THRESHOLDS } from '../../src/judgement/queries/query-thresholds.js';
import type { Query } from '../../src/judgement/queries/query.js';
import {
  comparedInVain,
  comparedText,
  isMostlyUnwanted,
  searchObstacle,
  searchSeverity,
} from '../../src/judgement/queries/search-severity.js';
import { isObjectShape, type Shape } from '../../src/workload/shapes/shape.js';
import { plainFilters } from './plain-expression.js';
import { plainSteps, storedSteps, unknownSteps } from './remedy.js';

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
  match: isSearched,
  wasted: (query, cost, context) => (isSearched(query, cost, context) ? comparedInVain(query, cost) : null),
  place: placeOf,
  severity: (group, { limits }) => searchSeverity(group, runsScript(group) ? ofScripts(limits) : limits),
  message: (group) =>
    `${runsScript(group) ? 'A script runs for each document' : 'An expression is computed for each document'}: ${withSimilar(group)}. ` +
    `An execution examines ${comparedText(group)}${averageOf(group)}`,
});

function isSearched(query: Query, cost: QueryCost, { limits }: QueryContext<typeof thresholds>): boolean {
  const obstacle = searchObstacle(query, cost, ['script', 'expression']);
  // A script costs as much for documents that are wanted.
  return obstacle === 'script' || (obstacle === 'expression' && isMostlyUnwanted(query, cost, limits.shareWanted));
}

function placeOf(query: Query): QueryPlace {
  const expression = expressionIn(query.filters);
  const path = expression === null ? null : (/"\$([^"$][^"]*)"(?!:)/.exec(JSON.stringify(expression))?.[1] ?? null);
  const plain = plainFilters(query.filters);
  if (plain !== null) return { path, remedy: { steps: plainSteps(plain, query) } };
  return { path, remedy: { steps: expression === null ? unknownSteps() : storedSteps() } };
}

/** What is computed; null of a script, whose text is not kept. */
function expressionIn(filters: readonly Shape[]): Shape | null {
  for (const filter of filters) {
    if (!isObjectShape(filter)) continue;
    const { $expr, $and = [], $or = [], $nor = [] } = filter;
    const within = $expr ?? expressionIn([$and, $or, $nor].flatMap((branches) => branches as Shape | readonly Shape[]));
    if (within !== null) return within;
  }
  return null;
}

function runsScript({ queries }: QueryGroup): boolean {
  return queries.some((query) => obstacleOf(query) === 'script');
}

function ofScripts(limits: Limits): Limits {
  return { ...limits, warning: limits.info, error: limits.scriptError };
}
