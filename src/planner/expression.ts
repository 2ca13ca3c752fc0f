import { isPlainObject } from '../workload/shapes/placeholder.js';
import type { Operand, OperandReader } from './operand.js';
import { disjunction, conjunction, type ComparisonOperator, type Predicate } from './predicate.js';

/** With the operator that says the same from the other side. */
const MIRRORED: Readonly<Record<string, ComparisonOperator>> = {
  $eq: '$eq',
  $gt: '$lt',
  $gte: '$lte',
  $lt: '$gt',
  $lte: '$gte',
};

/**
 * What holds of single fields where an expression is true: by these comparisons with constants the server searches an index,
 * and tests the whole expression on what it finds.
 */
export function comparisonsOf(expression: unknown, read: OperandReader): Predicate[] {
  if (!isPlainObject(expression)) return [];
  const [[operator, args] = ['', null]] = Object.entries(expression);
  if (!Array.isArray(args)) return [];
  if (operator === '$and') return args.flatMap((each) => comparisonsOf(each, read));
  if (operator === '$or') {
    const branches = args.map((each) => comparisonsOf(each, read));
    return branches.length === 0 || branches.some((branch) => branch.length === 0)
      ? []
      : [disjunction(branches.map(conjunction))];
  }
  const mirrored = MIRRORED[operator];
  if (mirrored === undefined || args.length !== 2) return [];
  const [first, second] = args as [unknown, unknown];
  return (
    compared(fieldOf(first), operator as ComparisonOperator, second, read) ??
    compared(fieldOf(second), mirrored, first, read) ??
    []
  );
}

/** Null if it is no comparison of a field with a constant. */
function compared(
  path: string | null,
  operator: ComparisonOperator,
  constant: unknown,
  read: OperandReader,
): Predicate[] | null {
  const operand = path === null ? null : constantOf(constant, read);
  if (path === null || operand === null) return null;
  // Source: the server's rewrite of `$expr`, which leaves these to the expression.
  const isLeft = ['array', 'undefined', 'regex'].some((type) => operand.types.has(type as never));
  return isLeft ? null : [{ kind: 'comparison', path, operator, operand, inExpression: true }];
}

function fieldOf(expression: unknown): string | null {
  return typeof expression === 'string' && /^\$[^$]/.test(expression) ? expression.slice(1) : null;
}

/** Null for what hangs on the document. */
function constantOf(expression: unknown, read: OperandReader): Operand | null {
  if (typeof expression === 'string' && expression.startsWith('$')) return null;
  if (!isPlainObject(expression)) return read.value(expression);
  const [[name, value] = ['', undefined], ...others] = Object.entries(expression);
  if (others.length > 0) return null;
  if (name === '$literal' || name === '$const') return read.value(value);
  if (!isOfConstants(expression)) return null;
  return Array.isArray(value) && value.every((each) => typeof each === 'number') ? ARITHMETIC : COMPUTED;
}

/** The server computes what hangs on no document before it plans. What comes out is a number or a date, if it is no text. */
const COMPUTED: Operand = { types: new Set(['number', 'date', 'string']) };
const ARITHMETIC: Operand = { types: new Set(['number']) };

function isOfConstants(expression: unknown): boolean {
  if (typeof expression === 'string') return !expression.startsWith('$') || expression === '$$NOW';
  if (typeof expression !== 'object' || expression === null) return true;
  return Object.values(expression).every(isOfConstants);
}
