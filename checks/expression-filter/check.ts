import type { QueryPlace } from '../../src/judgement/advice/query-suggestions.js';
import { obstacleOf } from '../../src/judgement/advice/query-suggestions.js';
import { averageOf, withSimilar } from '../../src/judgement/queries/judged-query.js';
import { defineQueryCheck } from '../../src/judgement/queries/query-check.js';
import type { QueryCost } from '../../src/judgement/queries/query-cost.js';
import type { QueryGroup } from '../../src/judgement/queries/query-groups.js';
import {
  RETIRED_OF_OPERATIONS,
  SEARCH_THRESHOLDS,
  type SearchLimits,
} from '../../src/judgement/queries/query-thresholds.js';
import type { Query } from '../../src/judgement/queries/query.js';
import {
  comparedInVain,
  comparedText,
  isMostlyUnwanted,
  searchObstacle,
  searchSeverity,
} from '../../src/judgement/queries/search-severity.js';
import { plainFilters } from './plain-expression.js';
import { OF_SCRIPT, plainSteps, STORED } from './remedy.js';

/** Documents examined per execution from which a script of $where is an error: six seconds (0.06 ms each, measured on 6.0.5). */
const SCRIPT_ERROR = 100_000;

/**
 * A recorded query is a finding if nothing but an `$expr` or a `$where` narrows it down, so that it is computed for each document
 * of the collection, and it returns few of those. By the documents that it examines: a script costs two hundred times as much
 * each, whatever it returns. What can be written as a plain condition is; the rest is to be stored with each write.
 */
export const expressionFilter = defineQueryCheck({
  id: 'expression-filter',
  title: 'Filter by an expression or a script',
  summary: 'queries by `$expr` or `$where` alone, which the server computes for each document',
  thresholds: SEARCH_THRESHOLDS,
  retiredThresholds: [...RETIRED_OF_OPERATIONS, 'scriptError'],
  floor: 'info',
  match: isSearched,
  wasted: (query, cost) => (isSearched(query, cost) ? comparedInVain(query, cost) : null),
  place: placeOf,
  severity: (group, { limits }) => searchSeverity(group, runsScript(group) ? ofScripts(limits) : limits),
  message: (group) =>
    `${runsScript(group) ? 'A script runs for each document' : 'An expression is computed for each document'}: ${withSimilar(group)}. ` +
    `An execution examines ${comparedText(group)}${averageOf(group)}`,
});

function isSearched(query: Query, cost: QueryCost): boolean {
  const obstacle = searchObstacle(query, cost, ['script', 'expression']);
  // A script costs as much for documents that are wanted.
  return obstacle === 'script' || (obstacle === 'expression' && isMostlyUnwanted(query, cost));
}

function placeOf(query: Query): QueryPlace {
  // The text of a script is not kept.
  const text = JSON.stringify(query.filters);
  const path = /"\$expr":.*?"\$([^"$][^"]*)"(?!:)/.exec(text)?.[1] ?? null;
  const plain = plainFilters(query.filters);
  const otherwise = text.includes('"$expr"') ? STORED : OF_SCRIPT;
  return { path, remedy: { steps: plain === null ? otherwise : plainSteps(plain, query) } };
}

function runsScript({ queries }: QueryGroup): boolean {
  return queries.some((query) => obstacleOf(query) === 'script');
}

function ofScripts(limits: SearchLimits): SearchLimits {
  return { ...limits, warning: limits.info, error: SCRIPT_ERROR };
}
