import { ownValue } from '../../plain.js';
import { regularExpressionFacts } from '../../workload/shapes/placeholder.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../workload/shapes/shape.js';

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
