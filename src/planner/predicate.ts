import type { Document } from 'mongodb';
import { isPlainObject } from '../workload/shapes/placeholder.js';
import { type Operand, type OperandReader, shapeReader, valueReader } from './operand.js';

/** Operators by which the planner tells conditions apart; whatever no index answers is `other`. */
export type ComparisonOperator =
  | '$eq'
  | '$in'
  | '$gt'
  | '$gte'
  | '$lt'
  | '$lte'
  | '$regex'
  | '$exists'
  | '$type'
  | '$mod'
  | '$size'
  | 'geo'
  | 'other';

/** One condition on one field. */
export interface Comparison {
  readonly kind: 'comparison';
  /** Dotted; empty for an operator that takes no field, such as `$where`. */
  readonly path: string;
  readonly operator: ComparisonOperator;
  readonly operand: Operand;
  /** True for what `$expr` compares: by value, so that an array is no list of values and nothing is not null. */
  readonly inExpression?: true;
  /** As it is written, for an operator that is `other`. */
  readonly written?: string;
}

/**
 * What a filter asks of a document, in one form for the many ways to write it: `$ne`, `$nin`, `$exists: false` and `$nor` are
 * negations, a list of one value is an equality, `$all` is a conjunction.
 */
export type Predicate =
  | Comparison
  | { readonly kind: 'and' | 'or' | 'nor'; readonly of: readonly Predicate[] }
  | { readonly kind: 'not'; readonly of: Predicate }
  /** One element of the array at `path` meets it. Paths within are those from the document's root. */
  | { readonly kind: 'element'; readonly path: string; readonly ofValues: boolean; readonly of: Predicate };

const NOTHING: Operand = { types: new Set() };
const RANGES: ReadonlySet<string> = new Set(['$gt', '$gte', '$lt', '$lte']);
const LOGICAL = /^\$(?:and|or|nor|expr|where|comment|jsonSchema|text|alwaysTrue|alwaysFalse|sampleRate)$/;
const COMPANIONS: ReadonlySet<string> = new Set([
  '$options',
  '$maxDistance',
  '$minDistance',
  '$uniqueDocs',
  '$comment',
]);
const GEO: ReadonlySet<string> = new Set([
  '$geoWithin',
  '$geoIntersects',
  '$within',
  '$near',
  '$nearSphere',
  '$geoNear',
]);
/** In `$expr`, with the operator that says the same from the other side. */
const MIRRORED: Readonly<Record<string, ComparisonOperator>> = {
  $eq: '$eq',
  $gt: '$lt',
  $gte: '$lte',
  $lt: '$gt',
  $lte: '$gte',
};

/** The predicate of a command's filter, values included. */
export function predicateOf(filter: Document): Predicate {
  return conjunction(ofFilter(filter, '', valueReader));
}

/** The predicate of a shape's filter, of whose values only the types are known. */
export function predicateOfShape(filter: Document): Predicate {
  return conjunction(ofFilter(filter, '', shapeReader));
}

export function conjunction(of: readonly Predicate[]): Predicate {
  const flat = of.flatMap((each) => (each.kind === 'and' ? each.of : [each]));
  return flat.length === 1 && flat[0] !== undefined ? flat[0] : { kind: 'and', of: flat };
}

function disjunction(of: readonly Predicate[]): Predicate {
  const flat = of.flatMap((each) => (each.kind === 'or' ? each.of : [each]));
  return flat.length === 1 && flat[0] !== undefined ? flat[0] : { kind: 'or', of: flat };
}

function ofFilter(filter: Document, prefix: string, read: OperandReader): Predicate[] {
  return Object.entries(filter).flatMap(([name, operand]) =>
    name.startsWith('$') ? ofOperator(name, operand, prefix, read) : ofField(prefix + name, operand, read),
  );
}

function branchesOf(operand: unknown, prefix: string, read: OperandReader): Predicate[] {
  const branches = Array.isArray(operand) ? operand.filter(isPlainObject) : [];
  return branches.map((branch) => conjunction(ofFilter(branch, prefix, read)));
}

function ofOperator(operator: string, operand: unknown, prefix: string, read: OperandReader): Predicate[] {
  switch (operator) {
    case '$and':
      return branchesOf(operand, prefix, read);
    case '$or':
      return [disjunction(branchesOf(operand, prefix, read))];
    case '$nor':
      return [{ kind: 'nor', of: branchesOf(operand, prefix, read) }];
    case '$comment':
      return [];
    case '$expr':
      return [...ofExpression(operand, read), other('', '$expr')];
    default:
      return [other('', operator)];
  }
}

function other(path: string, written: string): Comparison {
  return { kind: 'comparison', path, operator: GEO.has(written) ? 'geo' : 'other', operand: NOTHING, written };
}

/**
 * The comparisons of fields with constants that all hold where an expression is true: by these the server searches an index,
 * and tests the whole expression on what it finds.
 */
function ofExpression(expression: unknown, read: OperandReader): Predicate[] {
  if (!isPlainObject(expression)) return [];
  const [[operator, args] = ['', null]] = Object.entries(expression);
  if (operator === '$and' && Array.isArray(args)) return args.flatMap((each) => ofExpression(each, read));
  const mirrored = MIRRORED[operator];
  if (mirrored === undefined || !Array.isArray(args) || args.length !== 2) return [];
  const [first, second] = args as [unknown, unknown];
  const [path, constant] = [fieldOf(first), constantOf(second)];
  if (path !== null && constant !== undefined) return compared(path, operator as ComparisonOperator, constant, read);
  const [otherPath, otherConstant] = [fieldOf(second), constantOf(first)];
  return otherPath !== null && otherConstant !== undefined ? compared(otherPath, mirrored, otherConstant, read) : [];
}

function compared(path: string, operator: ComparisonOperator, constant: unknown, read: OperandReader): Predicate[] {
  const operand = read.value(constant);
  // Source: the server's rewrite of `$expr`, which leaves these to the expression.
  const isLeft = ['array', 'undefined', 'regex'].some((type) => operand.types.has(type as never));
  return isLeft ? [] : [{ kind: 'comparison', path, operator, operand, inExpression: true }];
}

function fieldOf(expression: unknown): string | null {
  return typeof expression === 'string' && /^\$[^$]/.test(expression) ? expression.slice(1) : null;
}

/** Undefined for what is computed. */
function constantOf(expression: unknown): unknown {
  if (typeof expression === 'string') return expression.startsWith('$') ? undefined : expression;
  if (Array.isArray(expression) || !isPlainObject(expression)) return expression;
  const [[name, value] = ['', undefined], ...others] = Object.entries(expression);
  return (name === '$literal' || name === '$const') && others.length === 0 ? value : undefined;
}

function ofField(path: string, operand: unknown, read: OperandReader): Predicate[] {
  if (!isOperators(operand)) return [equality(path, operand, read)];
  return Object.entries(operand)
    .filter(([operator]) => !COMPANIONS.has(operator))
    .flatMap(([operator, value]) => ofCondition(path, operator, value, operand, read));
}

function equality(path: string, value: unknown, read: OperandReader): Predicate {
  const operand = read.value(value);
  const isPattern = operand.types.size === 1 && operand.types.has('regex');
  return { kind: 'comparison', path, operator: isPattern ? '$regex' : '$eq', operand };
}

function isOperators(value: unknown): value is Record<string, unknown> {
  return isPlainObject(value) && Object.keys(value)[0]?.startsWith('$') === true;
}

function ofCondition(
  path: string,
  operator: string,
  value: unknown,
  siblings: Record<string, unknown>,
  read: OperandReader,
): Predicate[] {
  const comparison = (by: ComparisonOperator, operand: Operand): Predicate[] => [
    { kind: 'comparison', path, operator: by, operand },
  ];
  if (RANGES.has(operator)) return comparison(operator as ComparisonOperator, read.value(value));
  switch (operator) {
    case '$eq':
      return [equality(path, value, read)];
    case '$in':
      return [listOf(path, value, read)];
    case '$ne':
      return [negated(equality(path, value, read))];
    case '$nin':
      return [negated(listOf(path, value, read))];
    case '$not':
      return [negated(conjunction(isOperators(value) ? ofField(path, value, read) : [equality(path, value, read)]))];
    case '$regex':
      return comparison('$regex', read.regularExpression(value, siblings['$options']));
    case '$exists': {
      const exists: Comparison = { kind: 'comparison', path, operator: '$exists', operand: NOTHING };
      return [isTrue(value) ? exists : negated(exists)];
    }
    case '$all':
      return ofAll(path, value, read);
    case '$elemMatch':
      return [elementOf(path, value, read)];
    case '$type':
    case '$mod':
    case '$size':
      return comparison(operator, NOTHING);
    default:
      return [other(path, operator)];
  }
}

/** As the server reads a truth. */
function isTrue(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Number(value) !== 0 : Boolean(value);
}

/** A list of one value is an equality. */
function listOf(path: string, value: unknown, read: OperandReader): Predicate {
  const operand = read.list(value);
  const [only, ...others] = operand.values ?? [undefined, undefined];
  if (only !== undefined && others.length === 0) return equality(path, only, read);
  return { kind: 'comparison', path, operator: '$in', operand };
}

function negated(of: Predicate): Predicate {
  return of.kind === 'not' ? of.of : { kind: 'not', of };
}

function ofAll(path: string, value: unknown, read: OperandReader): Predicate[] {
  // Of a shape nobody knows how many values there are: an index is searched by one of them.
  if (typeof value === 'string')
    return [{ kind: 'comparison', path, operator: '$eq', operand: read.list(value) }, other(path, '$all')];
  const elements: readonly unknown[] = Array.isArray(value) ? value : [];
  return elements.flatMap((element) =>
    isOperators(element) ? ofField(path, element, read) : [equality(path, element, read)],
  );
}

function elementOf(path: string, value: unknown, read: OperandReader): Predicate {
  const filter = isPlainObject(value) ? value : {};
  const ofValues = isOperators(filter) && !Object.keys(filter).some((name) => LOGICAL.test(name));
  const of = conjunction(ofValues ? ofField(path, filter, read) : ofFilter(filter, `${path}.`, read));
  return { kind: 'element', path, ofValues, of };
}
