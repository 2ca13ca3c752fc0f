import { regularExpressionFacts } from '../../src/workload/shapes/placeholder.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../src/workload/shapes/shape.js';
import { DATA_NAME } from '../../src/workload/shapes/sort-shape.js';

/** Comparisons, and what they are with their sides exchanged. */
const COMPARISONS: Readonly<Record<string, string>> = {
  $eq: '$eq',
  $ne: '$ne',
  $gt: '$lt',
  $gte: '$lte',
  $lt: '$gt',
  $lte: '$gte',
};
const NEGATED: Readonly<Record<string, string>> = { $eq: '$ne', $in: '$nin' };
/** Beginnings of periods: a date within one lies between its bounds. */
const PERIODS = new Set(['$year', '$dateTrunc', '$dateToString']);
/** Parts of a date that name a period only together with those before them. */
const PARTS_WITHIN = ['$year', '$month', '$dayOfMonth'];
const VALUE = '?date';
const PERIOD: ObjectShape = { $gte: VALUE, $lt: VALUE };

/** Filters without `$expr` that ask the same; null if one of them can't be written so. */
export function plainFilters(filters: readonly ObjectShape[]): readonly ObjectShape[] | null {
  const plain = filters.map(withoutExpressions);
  return plain.every((filter) => filter !== null) ? plain : null;
}

function withoutExpressions({ $expr, $or, ...others }: ObjectShape): ObjectShape | null {
  const branches = Array.isArray($or) ? plainFilters(($or as readonly Shape[]).filter(isObjectShape)) : null;
  const plain = $expr === undefined ? {} : plainExpression($expr);
  if (plain === null || '$where' in others || ($or !== undefined && branches === null)) return null;
  return merged([others, plain, ...(branches === null ? [] : [{ $or: branches }])]);
}

/**
 * The filter that asks the same as an expression of `$expr`, for values of one type that are no arrays. Null if there is
 * none: it compares fields with each other, or computes.
 */
function plainExpression(expression: Shape): ObjectShape | null {
  if (!isObjectShape(expression)) return null;
  const [[operator, operand] = ['', '']] = Object.entries(expression);
  if (operator === '$and') return conjunction(listOf(operand));
  if (operator === '$or') return disjunction(listOf(operand));
  if (operator === '$not') return negation(Array.isArray(operand) ? (operand as readonly Shape[])[0]! : operand);
  if (operator === '$in') return membership(listOf(operand));
  if (operator === '$regexMatch') return match(operand);
  return operator in COMPARISONS ? comparison(operator, listOf(operand)) : null;
}

function conjunction(parts: readonly Shape[]): ObjectShape | null {
  const period = wholePeriod(parts);
  if (period !== null) return period;
  const plain = parts.map(plainExpression);
  return plain.every((part) => part !== null) ? merged(plain) : null;
}

/** One object a field; null if two conditions on a field collide. */
function merged(parts: readonly ObjectShape[]): ObjectShape | null {
  const filter: Record<string, Shape> = {};
  for (const [name, condition] of parts.flatMap((part) => Object.entries(part))) {
    const present = filter[name];
    if (present === undefined) filter[name] = condition;
    else if (!isObjectShape(present) || !isObjectShape(condition)) return null;
    else if (Object.keys(condition).some((operator) => operator in present)) return null;
    else filter[name] = { ...present, ...condition };
  }
  return filter;
}

function disjunction(parts: readonly Shape[]): ObjectShape | null {
  const plain = parts.map(plainExpression);
  return plain.length > 0 && plain.every((part) => part !== null) ? { $or: plain } : null;
}

function negation(expression: Shape): ObjectShape | null {
  const [[path, condition] = ['', ''], ...others] = Object.entries(plainExpression(expression) ?? {});
  if (path === '' || path.startsWith('$') || others.length > 0 || !isObjectShape(condition)) return null;
  const [[operator, operand] = ['', ''], ...further] = Object.entries(condition);
  const negated = NEGATED[operator];
  if (further.length > 0 || operator === '$regex') return null;
  return { [path]: negated === undefined ? { $not: condition } : { [negated]: operand } };
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
  if (path === null || typeof regex !== 'string') return null;
  const facts = regularExpressionFacts(regex);
  return facts?.prefix === true && !facts.caseInsensitive ? { [path]: { $regex: regex } } : null;
}

function comparison(operator: string, [left, right]: readonly Shape[]): ObjectShape | null {
  if (left === undefined || right === undefined) return null;
  if (isValue(left)) return isValue(right) ? null : comparison(COMPARISONS[operator] as string, [right, left]);
  if (!isValue(right)) return null;
  const path = pathOf(left);
  if (path !== null) return { [path]: { [operator]: typeof right === 'string' ? right : VALUE } };
  return periodOf(operator, left);
}

/** A comparison with the beginning of a period, as bounds of the field itself. */
function periodOf(operator: string, computed: Shape): ObjectShape | null {
  const part = datePart(computed);
  if (part === null || !PERIODS.has(part.operator)) return null;
  if (operator === '$eq') return { [part.path]: PERIOD };
  if (operator === '$ne') return null;
  return { [part.path]: operator.startsWith('$gt') ? { $gte: VALUE } : { $lt: VALUE } };
}

/** Year and month, or year, month and day of one field. */
function wholePeriod(parts: readonly Shape[]): ObjectShape | null {
  const dates = parts.map((part) => {
    const sides = isObjectShape(part) && '$eq' in part ? listOf(part['$eq']) : [];
    return sides.some(isValue) ? datePart(sides.find((side) => !isValue(side))) : null;
  });
  const [first] = dates;
  if (first === undefined || first === null || dates.some((date) => date?.path !== first.path)) return null;
  const named = new Set(dates.map((date) => date?.operator));
  return PARTS_WITHIN.slice(0, named.size).every((operator) => named.has(operator)) && named.size === dates.length
    ? { [first.path]: PERIOD }
    : null;
}

function datePart(shape: Shape | undefined): { readonly operator: string; readonly path: string } | null {
  const [[operator, operand] = ['', '']] = isObjectShape(shape) ? Object.entries(shape) : [];
  const path = pathOf(
    isObjectShape(operand) ? operand['date'] : Array.isArray(operand) ? (operand as Shape[])[0] : operand,
  );
  return path !== null && (PERIODS.has(operator) || PARTS_WITHIN.includes(operator)) ? { operator, path } : null;
}

function pathOf(shape: Shape | undefined): string | null {
  if (typeof shape !== 'string' || !/^\$[^$]/.test(shape)) return null;
  const path = shape.slice(1);
  return path.split('.').includes(DATA_NAME) ? null : path;
}

/** Whether it is the same for all documents: a literal, the time, or what is computed of such. */
function isValue(shape: Shape | undefined): shape is Shape {
  if (typeof shape === 'string') return !shape.startsWith('$') || shape === '$$NOW';
  if (Array.isArray(shape)) return (shape as readonly Shape[]).every(isValue);
  return isObjectShape(shape) && Object.values(shape).every(isValue);
}

function listOf(shape: Shape | undefined): readonly Shape[] {
  return Array.isArray(shape) ? (shape as readonly Shape[]) : [];
}
