import type { RemedyStep } from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import {
  negationsAsRanges,
  obstacleOf,
  type QueryPlace,
  returnsFew,
} from '../src/judgement/advice/query-suggestions.js';
import { keyOf, suggestedIndexes } from '../src/judgement/advice/suggested-index.js';
import { accompanyingIndex } from '../src/judgement/indexes/index-steps.js';
import { namesAreKept } from '../src/judgement/pipelines/needless-sort.js';
import { conditionsOf } from '../src/judgement/queries/conditions.js';
import { averageOf, withSimilar } from '../src/judgement/queries/judged-query.js';
import { defineQueryCheck } from '../src/judgement/queries/query-check.js';
import type { QueryCost } from '../src/judgement/queries/query-cost.js';
import type { QueryGroup } from '../src/judgement/queries/query-groups.js';
import {
  RETIRED_OF_OPERATIONS,
  SEARCH_THRESHOLDS,
  type SearchLimits,
} from '../src/judgement/queries/query-thresholds.js';
import type { Query } from '../src/judgement/queries/query.js';
import { filterText } from '../src/judgement/queries/range-page.js';
import {
  comparedInVain,
  comparedText,
  isMostlyUnwanted,
  searchObstacle,
  searchSeverity,
} from '../src/judgement/queries/search-severity.js';
import { shellStatement } from '../src/judgement/shell-statement.js';
import { argumentsOf, fieldOf, operatorOf } from '../src/workload/joins/references.js';
import { NEGATED } from '../src/workload/shapes/filter-shape.js';
import { regularExpressionFacts } from '../src/workload/shapes/placeholder.js';
import { isObjectShape, type ObjectShape, type Shape } from '../src/workload/shapes/shape.js';

/** Comparisons, and what they are with their sides exchanged. */
const COMPARISONS: Readonly<Record<string, string>> = {
  $eq: '$eq',
  $ne: '$ne',
  $gt: '$lt',
  $gte: '$lte',
  $lt: '$gt',
  $lte: '$gte',
};

/** Beginnings of periods: a date within one lies between its bounds. */
const PERIODS = ['$year', '$dateTrunc', '$dateToString'];

/** Parts of a date that name a period only together with those before them. */
const PARTS_WITHIN = ['$year', '$month', '$dayOfMonth'];

const VALUE = '?date';

const PERIOD: ObjectShape = { $gte: VALUE, $lt: VALUE };

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

const STORED = stepsOf(
  'Store the computed value in a field of its own, and update it with every write. Filling it the first time writes every document: do that in batches if there are many.',
  'Index that field, and ask for its value. The other conditions of the query stay.',
);

const OF_SCRIPT = stepsOf(
  'Write what the script tests as plain conditions, and index their fields. To compare fields with each other, use `$expr`: a hundredth of the cost per document. Or store the result with each write, and index it.',
);

const OF_PERIODS = /"\$(?:year|dateTrunc|dateToString)"/;

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

/** @param plain what asks the same: it needs an index, or one for each branch of an `$or` */
function plainSteps(plain: readonly ObjectShape[], query: Query): RemedyStep[] {
  const { known, sort, filters } = query;
  const types = known.fieldTypes.present ? known.fieldTypes.value : null;
  const conditions = negationsAsRanges(conditionsOf(plain), types);
  const keys = (
    suggestedIndexes({ conditions, sort, longestLiteralArray: null, returnsFew: returnsFew(query) }, types) ?? []
  ).map(keyOf);
  const why = keys.length === 1 ? 'It needs an index.' : 'Each alternative needs an index.';
  return stepsOf(
    {
      text: `Write it as a plain condition, which an index can serve.${OF_PERIODS.test(JSON.stringify(filters)) ? ' Use half-open ranges of dates: from the start of the period, before the start of the next.' : ''}`,
      code: shellStatement(known.collection.namespace, 'find', filterText(plain)),
    },
    ...keys.flatMap((key) => accompanyingIndex(key, known, why)),
    'Compare the results first: a plain condition compares values of one type only, also finds elements of arrays, and takes a missing field for null.',
  );
}

/** Filters without `$expr` that ask the same; null if one of them can't be written so. */
export function plainFilters(filters: readonly ObjectShape[]): readonly ObjectShape[] | null {
  const plain = filters.map(withoutExpressions);
  return plain.every((filter) => filter !== null) ? plain : null;
}

function withoutExpressions({ $expr, $or, ...others }: ObjectShape): ObjectShape | null {
  const branches = Array.isArray($or) ? plainFilters(($or as readonly Shape[]).filter(isObjectShape)) : null;
  if ('$where' in others || ($or !== undefined && branches === null)) return null;
  return together([
    others,
    ...($expr === undefined ? [] : [plainExpression($expr)]),
    ...(branches === null ? [] : [{ $or: branches }]),
  ]);
}

/**
 * The filter that asks the same as an expression of `$expr`, for values of one type that are no arrays. Null if there is
 * none: it compares fields with each other, or computes.
 */
function plainExpression(expression: Shape | undefined): ObjectShape | null {
  const { operator, operand } = operatorOf(expression ?? '') ?? { operator: '', operand: '' };
  const parts = argumentsOf(operand);
  if (operator === '$and') return wholePeriod(parts) ?? together(parts.map(plainExpression));
  if (operator === '$or') {
    const branches = parts.map(plainExpression);
    return branches.every((branch) => branch !== null) ? { $or: branches } : null;
  }
  if (operator === '$not') return negation(plainExpression(parts[0]));
  if (operator === '$in') return membership(parts);
  if (operator === '$regexMatch') return match(operand);
  return operator in COMPARISONS ? comparison(operator, parts) : null;
}

/** One object if no two parts name the same. */
function together(parts: readonly (ObjectShape | null)[]): ObjectShape | null {
  if (!parts.every((part) => part !== null)) return null;
  const names = parts.flatMap((part) => Object.keys(part));
  return new Set(names).size === names.length ? Object.assign({}, ...parts) : { $and: parts };
}

function negation(plain: ObjectShape | null): ObjectShape | null {
  const [[path, condition] = ['', ''], ...others] = Object.entries(plain ?? {});
  const { operator, operand } = operatorOf(condition) ?? { operator: '$regex', operand: '' };
  if (path.startsWith('$') || others.length > 0 || operator === '$regex' || condition === PERIOD) return null;
  return { [path]: operator in NEGATED ? { [NEGATED[operator] ?? '']: operand } : { $not: condition } };
}

/** A field among values, or a value among the elements of a field. */
function membership([element, list]: readonly Shape[]): ObjectShape | null {
  const [path, array] = [pathOf(element), pathOf(list)];
  if (path !== null && isValue(list)) return { [path]: { $in: list } };
  return array !== null && isValue(element) ? { [array]: { $eq: element } } : null;
}

function match(operand: Shape): ObjectShape | null {
  const { input, regex } = isObjectShape(operand) ? operand : {};
  const path = pathOf(input);
  const facts = typeof regex === 'string' ? regularExpressionFacts(regex) : null;
  if (path === null || regex === undefined || facts?.prefix !== true || facts.caseInsensitive) return null;
  return { [path]: { $regex: regex } };
}

/** A comparison with a value, or with the beginning of a period as bounds of the field itself. */
function comparison(operator: string, [left, right]: readonly Shape[]): ObjectShape | null {
  if (isValue(left)) return isValue(right) ? null : comparison(COMPARISONS[operator] ?? '', [right ?? '', left]);
  if (!isValue(right)) return null;
  const path = pathOf(left);
  if (path !== null) return { [path]: { [operator]: typeof right === 'string' ? right : VALUE } };
  const part = datePart(left);
  if (part === null || !PERIODS.includes(part.operator) || operator === '$ne') return null;
  return { [part.path]: operator === '$eq' ? PERIOD : operator.startsWith('$gt') ? { $gte: VALUE } : { $lt: VALUE } };
}

/** Year and month, or year, month and day of one field. */
function wholePeriod(parts: readonly Shape[]): ObjectShape | null {
  const dates = parts.flatMap((part) => {
    const sides = argumentsOf((isObjectShape(part) && part['$eq']) || []);
    return (sides.some(isValue) && datePart(sides.find((side) => !isValue(side)))) || [];
  });
  const paths = new Set(dates.map(({ path }) => path));
  const named = new Set(dates.map(({ operator }) => operator));
  const isPeriod = PARTS_WITHIN.slice(0, parts.length).every((operator) => named.has(operator));
  const [path] = paths;
  return path !== undefined && paths.size === 1 && isPeriod && dates.length === parts.length
    ? { [path]: PERIOD }
    : null;
}

function datePart(shape: Shape | undefined): { readonly operator: string; readonly path: string } | null {
  const { operator, operand } = operatorOf(shape ?? '') ?? { operator: '', operand: '' };
  const path = pathOf(isObjectShape(operand) ? operand['date'] : argumentsOf(operand)[0]);
  return path !== null && [...PERIODS, ...PARTS_WITHIN].includes(operator) ? { operator, path } : null;
}

function pathOf(shape: Shape | undefined): string | null {
  const path = fieldOf(shape ?? '');
  return path !== null && path !== '' && namesAreKept(path) ? path : null;
}

/** Whether it is the same for all documents: a literal, the time, or what is computed of such. */
function isValue(shape: Shape | undefined): shape is Shape {
  if (shape === undefined) return false;
  if (typeof shape === 'string') return !shape.startsWith('$') || shape === '$$NOW';
  return typeof shape !== 'object' || Object.values(shape).every(isValue);
}
