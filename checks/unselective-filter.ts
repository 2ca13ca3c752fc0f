import type { RemedyStep } from '../src/check.js';
import { obstacleOf, type QueryPlace } from '../src/judgement/advice/query-suggestions.js';
import { accompanyingIndex } from '../src/judgement/indexes/index-steps.js';
import { everyCondition } from '../src/judgement/queries/conditions.js';
import { averageOf, withSimilar } from '../src/judgement/queries/judged-query.js';
import { defineQueryCheck } from '../src/judgement/queries/query-check.js';
import type { QueryCost } from '../src/judgement/queries/query-cost.js';
import type { QueryGroup } from '../src/judgement/queries/query-groups.js';
import { RETIRED_OF_OPERATIONS, SEARCH_THRESHOLDS } from '../src/judgement/queries/query-thresholds.js';
import type { Query } from '../src/judgement/queries/query.js';
import { filterText, valueName } from '../src/judgement/queries/range-page.js';
import {
  comparedInVain,
  comparedText,
  isMostlyUnwanted,
  searchObstacle,
  searchSeverity,
} from '../src/judgement/queries/search-severity.js';
import { shellStatement } from '../src/judgement/shell-statement.js';
import { isObjectShape, type ObjectShape, type Shape } from '../src/workload/shapes/shape.js';

export const unselectiveFilter = defineQueryCheck({
  id: 'unselective-filter',
  title: 'Unselective filter',
  summary: 'queries by a pattern that is not anchored, or by a negation, for which no index is searched',
  thresholds: SEARCH_THRESHOLDS,
  retiredThresholds: RETIRED_OF_OPERATIONS,
  floor: 'info',
  match: isSearched,
  wasted: (query, cost) => (isSearched(query, cost) ? comparedInVain(query, cost) : null),
  place: placeOf,
  severity: (group, { limits }) => searchSeverity(group, limits),
  message: messageOf,
});

function isSearched(query: Query, cost: QueryCost): boolean {
  return searchObstacle(query, cost, ['pattern', 'negation']) !== null && isMostlyUnwanted(query, cost);
}

const STORING: RemedyStep = {
  text: 'No index serves such a negation. Store the answer in a field of its own with each write, index that field, and query by its value.',
};

function placeOf(query: Query): QueryPlace {
  const plain = plainNegation(query.filters);
  const path = pathOf(query, plain);
  if (obstacleOf(query) === 'pattern') return { path, remedy: { steps: patternSteps(path ?? '', query) } };
  return { path, remedy: { steps: plain === null || path === null ? [STORING] : plainSteps(plain, path, query) } };
}

function pathOf({ conditions }: Query, plain: ReturnType<typeof plainNegation>): string | null {
  const path = everyCondition(conditions).find((each) => each.path !== '' && each.role === 'residual')?.path;
  const [negated] = (plain ?? []).flatMap((filter) => Object.keys(filter));
  return path ?? negated ?? everyCondition(conditions).find((each) => each.path !== '')?.path ?? null;
}

function patternSteps(path: string, query: Query): RemedyStep[] {
  const { namespace } = query.known.collection;
  const field = JSON.stringify(path);
  const isPlain = query.filters.some((filter) => path in filter);
  const asking = (condition: string) =>
    isPlain ? { code: shellStatement(namespace, 'find', withCondition(query, path, condition)) } : {};
  return [
    { text: 'If whole values are meant, query by equality.', ...asking(valueName(path)) },
    {
      text: 'If a prefix is meant, anchor the pattern: ^ and then fixed text, without `.*` or alternatives.',
      ...asking(`/^${valueName(path, 'Beginning')}/`),
    },
    ...accompanyingIndex({ [path]: 1 }, query.known, 'Both need an index on the field.'),
    {
      text: 'For words within a text, create a text index. A collection can have only one.',
      code: shellStatement(namespace, 'createIndex', `{ ${field}: "text" }`),
    },
    { text: 'Then search for the words.', code: shellStatement(namespace, 'find', '{ $text: { $search: words } }') },
  ];
}

/** The filter with one condition in place of that on a field. */
function withCondition({ filters }: Query, path: string, condition: string): string {
  const others = filters.map((filter) => Object.fromEntries(Object.entries(filter).filter(([name]) => name !== path)));
  return `{ ${JSON.stringify(path)}: ${condition}, ${filterText(others).slice(2)}`.replace(/, $/, ' }');
}

function plainSteps(plain: NonNullable<ReturnType<typeof plainNegation>>, path: string, query: Query): RemedyStep[] {
  return [
    {
      text: 'Write $nor as $nin of each field, which means the same: an index serves $nin, around the values, but not $nor.',
      code: shellStatement(query.known.collection.namespace, 'find', filterText(plain)),
    },
    ...accompanyingIndex({ [path]: 1 }, query.known, 'It needs an index on the field.'),
    { text: 'Check that totalDocsExamined is about nReturned, in explain("executionStats").' },
  ];
}

function messageOf(group: QueryGroup): string {
  const isByPattern = obstacleOf(group.queries[0]) === 'pattern';
  const why = isByPattern
    ? 'Only an unanchored pattern selects documents'
    : 'Only a negation selects documents, and no index serves it';
  return `${why}: ${withSimilar(group)}. An execution compares ${comparedText(group)}${averageOf(group)}`;
}

/**
 * Filters with `$nor` written as `$nin` of each field, which means the same: no index is searched for `$nor` (measured on
 * 6.0.5 and 6.0.27). Null if there is none, or if it is about several fields together, or about more than values.
 */
export function plainNegation(filters: readonly ObjectShape[]): readonly ObjectShape[] | null {
  const rewritten = filters.map((filter): ObjectShape | null => ('$nor' in filter ? withoutNor(filter) : filter));
  return rewritten.every((filter) => filter !== null) && filters.some((filter) => '$nor' in filter) ? rewritten : null;
}

function withoutNor({ $nor, ...others }: ObjectShape): ObjectShape | null {
  const paths = Array.isArray($nor) ? ($nor as readonly Shape[]).map(pathOfValue) : [null];
  if (!paths.every((path) => path !== null) || paths.some((path) => Object.hasOwn(others, path))) return null;
  return { ...others, ...Object.fromEntries(paths.map((path) => [path, { $nin: '?array<>' }])) };
}

/** The field that a condition sets equal to values; null if it does more. */
function pathOfValue(condition: Shape): string | null {
  const [field, ...others] = isObjectShape(condition) ? Object.entries(condition) : [];
  if (field === undefined || others.length > 0 || field[0].startsWith('$') || !isObjectShape(field[1])) return null;
  return Object.keys(field[1]).every((operator) => operator === '$eq' || operator === '$in') ? field[0] : null;
}
