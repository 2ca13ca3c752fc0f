import type { RemedyStep } from '../../finding.js';
import { inWords } from '../../format.js';
import { ownValue } from '../../plain.js';
import type { SortField } from '../../planner/access.js';
import { familyCounts } from '../../profile/type-families.js';
import { regularExpressionFacts } from '../../workload/shapes/placeholder.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../workload/shapes/shape.js';
import { valuesAt } from '../joins/joined-values.js';
import { shellStatement } from '../shell-statement.js';
import type { Query } from './query.js';

/** Documents of a page, as an example. */
const PAGE = 20;

/** The order of a query's pages, in which `_id` decides between equals. */
export function pageOrder({ sort }: Pick<Query, 'sort'>): readonly SortField[] {
  return sort.some(([path]) => path === '_id') ? sort : [...sort, ['_id', sort.at(-1)?.[1] ?? 1]];
}

export interface PageOptions {
  /** What each page returns, as in mongosh; whole documents unless given. */
  readonly projection?: string;
  /** Documents of a page. */
  readonly documents?: number;
}

/** How to ask for the page behind the last document of the page before, in the query's own fields. */
export function rangePageSteps(
  query: Pick<Query, 'sort' | 'filters' | 'known'>,
  { projection, documents = PAGE }: PageOptions = {},
): RemedyStep[] {
  const order = pageOrder(query);
  const { namespace } = query.known.collection;
  return [
    ...uniformSteps(query, order),
    {
      text: 'Ask for what follows the last document of the page before (range pagination), not for a page by its number. `last` is that document; the first page has no such condition.',
      code: `${shellStatement(namespace, 'find', pageFilter(query, order), ...(projection === undefined ? [] : [projection]))}.sort(${sortText(order)}).limit(${documents})`,
    },
  ];
}

/** A range finds values of one type, and a document has one place in an order. */
function uniformSteps({ known: { fieldTypes } }: Pick<Query, 'known'>, order: readonly SortField[]): RemedyStep[] {
  const [types, paths] = [fieldTypes.present ? fieldTypes.value : null, order.map(([path]) => path)];
  const sorted = paths.filter((path) => path !== '_id');
  if (sorted.length === 0) return [];
  const values = sorted.map((path) => [path, types === null ? null : valuesAt(types, path)] as const);
  const unknown = values.flatMap(([path, found]) => (found === null ? [path] : []));
  const mixed = values.flatMap(([path, found]) => (found !== null && !isUniform(found) ? [path] : []));
  const one = 'one value of one type in every document';
  const because = 'A range leaves out null and other types, and finds a document by each element of an array.';
  if (mixed.length > 0) return [{ text: `Store ${one} in ${named(mixed)} first: some documents do not. ${because}` }];
  return unknown.length === 0 ? [] : [{ text: `Check first that there is ${one} in ${named(unknown)}. ${because}` }];
}

function isUniform({ types, elementTypes, isMissing }: NonNullable<ReturnType<typeof valuesAt>>): boolean {
  const { null: nulls = 0, undefined: none = 0, array = 0 } = types;
  const isOfOne = familyCounts(types).length === 1 && Object.keys(elementTypes).length === 0;
  return isOfOne && !isMissing && nulls + none + array === 0;
}

function named(paths: readonly string[]): string {
  return inWords(paths.map((path) => `\`${path}\``));
}

function pageFilter({ filters }: Pick<Query, 'filters'>, order: readonly SortField[]): string {
  const own = filterText(filters);
  const after = afterLast(order);
  if (own === '{}') return after;
  const fields = new Set(filters.flatMap((filter) => Object.keys(filter)));
  // With two of `$or`, an index is searched by conditions outside of them alone.
  if (fields.has('$or')) return `{ $and: [${own}, ${bound(order[0]!, 'e')}, ${after}] }`;
  const collides = fields.has('$and') || order.some(([path]) => fields.has(path));
  return collides || filters.length > 1 ? `{ $and: [${own}, ${after}] }` : `${own.slice(0, -2)}, ${after.slice(2)}`;
}

/** @param orEqual `e` to include the value itself */
function bound([path, direction]: SortField, orEqual: '' | 'e' = ''): string {
  return `{ ${JSON.stringify(path)}: { ${direction === 1 ? '$gt' : '$lt'}${orEqual}: ${valueOfLast(path)} } }`;
}

/** After the last document in this order: behind it by a field, and equal by all fields before that one. */
function afterLast(order: readonly SortField[]): string {
  const branches = order.map((field, position) => {
    const before = order.slice(0, position).map(([equal]) => `${JSON.stringify(equal)}: ${valueOfLast(equal)}, `);
    return `{ ${before.join('')}${bound(field).slice(2)}`;
  });
  return branches.length === 1 ? branches[0]! : `{ $or: [${branches.join(', ')}] }`;
}

/** `last["address"]["city"]`: a document has no field of a dotted name. */
function valueOfLast(path: string): string {
  return `last${path
    .split('.')
    .map((name) => `[${JSON.stringify(name)}]`)
    .join('')}`;
}

/** A sort as in mongosh. */
export function sortText(fields: readonly SortField[]): string {
  return `{ ${fields.map(([path, direction]) => `${JSON.stringify(path)}: ${direction}`).join(', ')} }`;
}

const OF_BRANCHES = new Set(['$and', '$or', '$nor']);

/** What stands for a value: `totalFrom` for that of `$gte`. */
const SUFFIXES: Readonly<Record<string, string>> = {
  $in: 'Values',
  $nin: 'Values',
  $all: 'Values',
  $gt: 'From',
  $gte: 'From',
  $lt: 'To',
  $lte: 'To',
};

/**
 * A filter for mongosh, with names in place of the values, which are not kept: `{ "status": { $in: statusValues } }`.
 *
 * @param filters conditions that must all hold
 */
export function filterText(filters: readonly ObjectShape[]): string {
  const texts = filters.filter((filter) => Object.keys(filter).length > 0).map(oneFilterText);
  return texts.length > 1 ? `{ $and: [${texts.join(', ')}] }` : (texts[0] ?? '{}');
}

/** What stands for a value of a field: `statusValue`. */
export function valueName(path: string, suffix = 'Value'): string {
  const name = (path.split('.').at(-1) ?? '').replaceAll(/[^A-Za-z0-9_]/g, '');
  return /^[A-Za-z_]/.test(name) ? `${name}${suffix}` : suffix.toLowerCase();
}

function oneFilterText(filter: ObjectShape): string {
  return braced(
    Object.entries(filter).map(([name, operand]) =>
      name.startsWith('$')
        ? `${name}: ${branchesText(name, operand)}`
        : `${JSON.stringify(name)}: ${conditionText(name, operand)}`,
    ),
  );
}

/** An expression for mongosh, with `value` in place of each of its values: `{ $lt: ["$total", "$paid"] }`. */
function expressionText(expression: Shape): string {
  if (typeof expression !== 'object') {
    const isName = typeof expression === 'string' && !/^\?|^\[\]$/.test(expression);
    return isName || typeof expression === 'boolean' || typeof expression === 'number'
      ? JSON.stringify(expression)
      : 'value';
  }
  if (Array.isArray(expression)) return `[${(expression as readonly Shape[]).map(expressionText).join(', ')}]`;
  const fields = Object.entries(expression).map(([name, operand]) => {
    const key = /^\$?[A-Za-z]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${key}: ${expressionText(operand)}`;
  });
  return braced(fields);
}

function branchesText(operator: string, operand: Shape): string {
  if (operator === '$expr') return expressionText(operand);
  if (!OF_BRANCHES.has(operator) || !Array.isArray(operand)) return valueName(operator.slice(1));
  return `[${(operand as readonly Shape[]).map((branch) => (isObjectShape(branch) ? oneFilterText(branch) : '{ }')).join(', ')}]`;
}

function conditionText(path: string, operators: Shape): string {
  if (!isObjectShape(operators)) return valueName(path);
  const entries = Object.entries(operators);
  const [[operator, operand] = ['', '']] = entries;
  if (entries.length === 1 && (operator === '$eq' || operator === '$regex'))
    return operandText(path, operator, operand);
  return braced(entries.map(([each, value]) => `${each}: ${operandText(path, each, value)}`));
}

function operandText(path: string, operator: string, operand: Shape): string {
  if (operand === '?null') return 'null';
  if (typeof operand === 'boolean') return String(operand);
  if (isObjectShape(operand)) {
    const isOfOperators = Object.keys(operand)[0]?.startsWith('$') === true && !('$and' in operand || '$or' in operand);
    return isOfOperators
      ? braced([conditionText(path, operand).replace(/^\{ (.*) \}$/, '$1')])
      : oneFilterText(operand);
  }
  if (operator === '$regex' && typeof operand === 'string') {
    const facts = regularExpressionFacts(operand);
    const name = valueName(path, facts?.prefix === true ? 'Beginning' : 'Pattern');
    return `/${facts?.prefix === true ? '^' : ''}${name}/${facts?.caseInsensitive === true ? 'i' : ''}`;
  }
  return valueName(path, ownValue(SUFFIXES, operator));
}

function braced(fields: readonly string[]): string {
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
