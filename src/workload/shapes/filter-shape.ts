import { expressionShape } from './expression-shape.js';
import {
  arrayOf,
  bodyOf,
  isPlainObject,
  patternPlaceholder,
  regularExpressionPlaceholder,
  scalarText,
  UNKNOWN_REGULAR_EXPRESSION,
  type LiteralReader,
} from './placeholder.js';
import { isObjectShape, shapeKey, type FilterShape, type ObjectShape, type Shape } from './shape.js';
import { fieldPath } from './sort-shape.js';

const OPAQUE_OPERATORS = new Set([
  '$geoWithin',
  '$geoIntersects',
  '$within',
  '$near',
  '$nearSphere',
  '$geoNear',
  '$type',
  '$bitsAllSet',
  '$bitsAllClear',
  '$bitsAnySet',
  '$bitsAnyClear',
]);

const COMPANION_OPERATORS = new Set(['$options', '$maxDistance', '$minDistance', '$uniqueDocs', '$comment']);
export const NEGATED: Readonly<Record<string, string>> = { $eq: '$ne', $in: '$nin' };

/** What a filter is asked of: the documents of a collection, or elements of arrays and what stages made. */
export type FilteredThing = 'stored' | 'computed';

interface Predicate {
  /** A field's path, or an operator that takes no field, such as `$or`. */
  readonly subject: string;
  readonly operator: string | null;
  readonly operand: Shape;
}

/**
 * One form for the many ways to write a filter: equality as `$eq`, no `$and`, branches of `$or` that differ only in
 * values as one, `{$not: {$eq}}` as `$ne`, `$exists` as true or false, and nothing that is true of every document.
 *
 * @param of whether it is asked of stored documents, each of which has an `_id`
 */
export function filterShape(filter: unknown, literal: LiteralReader, of: FilteredThing = 'stored'): FilterShape {
  return composed(predicatesOf(filter, literal, of)) as FilterShape;
}

function predicatesOf(filter: unknown, literal: LiteralReader, of: FilteredThing): Predicate[] {
  const predicates: Predicate[] = [];
  if (!isPlainObject(filter)) return predicates;
  for (const name of Object.keys(filter)) {
    if (name.startsWith('$')) predicates.push(...topLevelPredicates(name, filter[name], literal, of));
    else addFieldPredicates(fieldPath(name), filter[name], { literal, of }, predicates);
  }
  return predicates;
}

function isOfAnyId({ subject, operator, operand }: Predicate): boolean {
  return subject === '_id' && operator === '$exists' && operand === true;
}

function topLevelPredicates(
  operator: string,
  operand: unknown,
  literal: LiteralReader,
  of: FilteredThing,
): Predicate[] {
  const predicate = (shape: Shape): Predicate[] => [{ subject: operator, operator: null, operand: shape }];
  switch (operator) {
    case '$and':
      return arrayOf(operand).flatMap((branch) => predicatesOf(branch, literal, of));
    case '$or': {
      const branches = distinctBranches(operand, literal, of);
      // What one branch asks nothing of, all of it asks nothing of.
      if (branches.some((branch) => Object.keys(branch).length === 0)) return [];
      return branches.length === 1 ? decomposed(branches[0] as ObjectShape) : predicate(branches);
    }
    case '$nor':
      return predicate(distinctBranches(operand, literal, of));
    case '$expr': {
      const expression = withoutGuards(operand);
      return expression === null ? [] : predicate(expressionShape(expression, literal));
    }
    case '$where':
      return predicate('?javascript');
    case '$text':
      return predicate({ $search: '?string' });
    case '$comment':
      return [];
    default:
      return predicate('?object');
  }
}

/**
 * An expression without what is true of every document: `true`, and what ODMs put beside each comparison to say that it is one
 * of something, `{$ne: [x, "$$REMOVE"]}`. Null if nothing else is left.
 */
function withoutGuards(expression: unknown): unknown {
  if (expression === true || isGuard(expression)) return null;
  if (!isPlainObject(expression) || Object.keys(expression).join() !== '$and') return expression;
  const kept = arrayOf(expression['$and'])
    .map(withoutGuards)
    .filter((each) => each !== null);
  return kept.length === 0 ? null : kept.length === 1 ? kept[0] : { $and: kept };
}

function isGuard(expression: unknown): boolean {
  return isPlainObject(expression) && arrayOf(expression['$ne']).includes('$$REMOVE');
}

function distinctBranches(branches: unknown, literal: LiteralReader, of: FilteredThing): ObjectShape[] {
  return distinct(arrayOf(branches).map((branch) => filterShape(branch, literal, of)));
}

function distinct(shapes: readonly ObjectShape[]): ObjectShape[] {
  return [...new Map(shapes.map((shape) => [shapeKey(shape), shape])).values()];
}

function addFieldPredicates(
  subject: string,
  value: unknown,
  { literal, of }: { readonly literal: LiteralReader; readonly of: FilteredThing },
  predicates: Predicate[],
): void {
  for (const [operator, operand] of conditionsOf(value, literal)) {
    const predicate = { subject, operator, operand };
    if (of === 'computed' || !isOfAnyId(predicate)) predicates.push(predicate);
  }
}

function conditionsOf(operand: unknown, literal: LiteralReader): [operator: string, shape: Shape][] {
  if (!isOperatorObject(operand)) {
    const placeholder = literal(operand);
    return [[placeholder.startsWith('?regex') ? '$regex' : '$eq', placeholder]];
  }
  return Object.entries(operand)
    .filter(([operator]) => !COMPANION_OPERATORS.has(operator))
    .map(([operator, value]) => conditionOf(operator, value, operand, literal));
}

function conditionOf(
  operator: string,
  value: unknown,
  siblings: Record<string, unknown>,
  literal: LiteralReader,
): [string, Shape] {
  switch (operator) {
    case '$regex':
      return [operator, regexShape(value, siblings['$options'], literal)];
    case '$not':
      return negation(value, literal);
    case '$elemMatch':
      return [operator, elementShape(value, literal)];
    case '$in':
    case '$nin': {
      const [only, ...others] = arrayOf(value);
      if (only === undefined || others.length > 0) return [operator, literal(value)];
      const [equal, shape] = conditionsOf(isOperatorObject(only) ? null : only, literal)[0] ?? ['$eq', literal(only)];
      if (operator === '$in') return [equal, shape];
      return equal === '$eq' ? ['$ne', shape] : [operator, literal(value)];
    }
    case '$all':
      return [operator, arrayOf(value).some(isElementMatch) ? allShape(value, literal) : literal(value)];
    case '$mod':
      return [operator, '?number'];
    case '$exists':
      // The server's own shapes have `$not` around it for false.
      return [operator, isTrue(value)];
    default:
      return [operator, OPAQUE_OPERATORS.has(operator) ? '?object' : literal(value)];
  }
}

function regexShape(value: unknown, options: unknown, literal: LiteralReader): Shape {
  const [placeholder, further] = [literal(value), typeof options === 'string' ? options : ''];
  if (placeholder.startsWith('?regex')) return patternPlaceholder(bodyOf(value), further) ?? placeholder;
  // A placeholder of the server, which shows neither the pattern nor the options.
  if (typeof value !== 'string' || value === placeholder) return UNKNOWN_REGULAR_EXPRESSION;
  return regularExpressionPlaceholder(value, further);
}

function negation(value: unknown, literal: LiteralReader): [string, Shape] {
  const conditions = conditionsOf(value, literal);
  const [first] = conditions;
  if (first !== undefined && conditions.length === 1 && typeof first[1] === 'boolean') return [first[0], !first[1]];
  const negated = first && conditions.length === 1 ? NEGATED[first[0]] : undefined;
  return first && negated !== undefined ? [negated, first[1]] : ['$not', Object.fromEntries(conditions)];
}

/** As the server reads a truth: a number that is not zero is true, as is all that is no number. */
function isTrue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Number(scalarText(value)) !== 0;
  return value !== null && value !== undefined && value !== false && value !== 0;
}

function elementShape(value: unknown, literal: LiteralReader): Shape {
  return isOperatorObject(value) && !Object.keys(value).some((name) => /^\$(?:and|or|nor|expr|where)$/.test(name))
    ? Object.fromEntries(conditionsOf(value, literal))
    : filterShape(value, literal, 'computed');
}

function isElementMatch(value: unknown): boolean {
  return isPlainObject(value) && '$elemMatch' in value;
}

function allShape(value: unknown, literal: LiteralReader): Shape {
  return distinct(arrayOf(value).map((element) => Object.fromEntries(conditionsOf(element, literal))));
}

/** One object per path; predicates that collide go into an `$and`. */
function composed(predicates: readonly Predicate[]): ObjectShape {
  return composedOfDistinct(predicates) ?? composedOfAny(predicates);
}

/** The filter of one condition for each path, as most are; null if it is another. */
function composedOfDistinct(predicates: readonly Predicate[]): ObjectShape | null {
  const filter: Record<string, Shape> = {};
  for (const { subject, operator, operand } of predicates) {
    if (operator === null || subject in filter) return null;
    filter[subject] = { [operator]: operand };
  }
  return filter;
}

function composedOfAny(predicates: readonly Predicate[]): ObjectShape {
  const operands = new Map<string, Shape>();
  const conditions = new Map<string, Map<string, Shape>>();
  const colliding = new Map<string, ObjectShape>();
  for (const { subject, operator, operand } of predicates) {
    const slots = operator === null ? operands : (conditions.get(subject) ?? new Map<string, Shape>());
    const slot = operator ?? subject;
    const present = slots.get(slot);
    if (present === undefined) {
      slots.set(slot, operand);
      if (operator !== null) conditions.set(subject, slots);
    } else if (shapeKey(present) !== shapeKey(operand)) {
      const predicate = { [subject]: operator === null ? operand : { [operator]: operand } };
      colliding.set(shapeKey(predicate), predicate);
    }
  }
  const fields = [...conditions].map(([path, slots]): [string, Shape] => [path, Object.fromEntries(slots)]);
  const collisions: [string, Shape][] = colliding.size === 0 ? [] : [['$and', [...colliding.values()]]];
  return Object.fromEntries([...fields, ...operands, ...collisions]);
}

function decomposed(filter: ObjectShape): Predicate[] {
  return Object.entries(filter).flatMap(([subject, operand]): Predicate[] => {
    if (subject === '$and') return (operand as readonly ObjectShape[]).flatMap(decomposed);
    if (subject.startsWith('$') || !isObjectShape(operand)) return [{ subject, operator: null, operand }];
    return Object.entries(operand).map(([operator, shape]) => ({ subject, operator, operand: shape }));
  });
}

export function isOperatorObject(value: unknown): value is Record<string, unknown> {
  return isPlainObject(value) && Object.keys(value)[0]?.startsWith('$') === true;
}
