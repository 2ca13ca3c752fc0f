import type { Shape } from '../shapes/shape.js';
import type { Hindrance, JoinKey } from './join.js';
import { argumentsOf, fieldOf, operatorOf, referencesOf } from './references.js';
import { CONVERSIONS } from './trace.js';

/** A comparison between the foreign document and the outer one, in a sub-pipeline's `$match`. */
export interface Comparison {
  readonly operator: JoinKey['operator'];
  /** Path in the foreign document; null if that side is not a plain field. */
  readonly foreign: string | null;
  readonly foreignExpression: Shape;
  readonly local: Shape;
  readonly hindrance: Hindrance | null;
  readonly branch: number | null;
}

export interface ConstantComparison {
  readonly foreign: string;
  readonly operator: string;
  readonly operand: Shape;
}

export interface Comparisons {
  readonly keys: readonly Comparison[];
  readonly constants: readonly ConstantComparison[];
}

const NOTHING: Comparisons = { keys: [], constants: [] };

/** The operator with its sides exchanged. */
const MIRRORED: Readonly<Record<string, JoinKey['operator']>> = {
  $eq: '$eq',
  $gt: '$lt',
  $gte: '$lte',
  $lt: '$gt',
  $lte: '$gte',
};

export type IsOuterVariable = (name: string) => boolean;

export function comparisonsOf(expression: Shape, isOuter: IsOuterVariable): Comparisons {
  const operation = operatorOf(expression);
  if (operation === null) return NOTHING;
  const { operator } = operation;
  const args = argumentsOf(operation.operand);
  if (operator === '$and') return together(args.map((argument) => comparisonsOf(argument, isOuter)));
  if (operator === '$or') return alternatives(args.map((argument) => comparisonsOf(argument, isOuter)));
  const [one, other] = args;
  if (Object.hasOwn(MIRRORED, operator))
    return one === undefined || other === undefined ? NOTHING : compared(operator, one, other, expression, isOuter);
  if (!isCorrelated(expression, isOuter)) return NOTHING;
  if (operator === '$in') return single(membership(one ?? '?object', other ?? '?object', isOuter));
  const whole = wrapped(expression, isOuter);
  return single(operator === '$ne' ? { ...whole, operator: '$ne', hindrance: 'inequality' } : whole);
}

export function together(parts: readonly Comparisons[]): Comparisons {
  return { keys: parts.flatMap(({ keys }) => keys), constants: parts.flatMap(({ constants }) => constants) };
}

/**
 * The server uses indexes only if every branch has one. Alternatives for the same field are served by one index (both
 * measured on 6.0.5).
 */
export function alternatives(branches: readonly Comparisons[]): Comparisons {
  if (branches.length === 1) return branches[0] as Comparisons;
  const keys = branches.flatMap((branch) => branch.keys);
  if (keys.length === 0) return NOTHING;
  const fields = new Set(
    branches.flatMap((branch) => [...branch.keys, ...branch.constants].map(({ foreign }) => foreign)),
  );
  const [first] = keys;
  const isOneField = fields.size === 1 && !fields.has(null) && keys.every(({ hindrance }) => hindrance === null);
  if (isOneField && first !== undefined) return { keys: [first], constants: [] };
  const isEachJoined = branches.every((branch) => branch.keys.length > 0);
  return {
    keys: branches.flatMap((branch, index) =>
      branch.keys.map((key) => ({
        ...key,
        branch: isEachJoined ? index : null,
        hindrance: key.hindrance ?? (isEachJoined ? null : 'alternatives'),
      })),
    ),
    constants: [],
  };
}

function compared(operator: string, one: Shape, other: Shape, whole: Shape, isOuter: IsOuterVariable): Comparisons {
  const mirrored = MIRRORED[operator] ?? '$eq';
  const [oneIs, otherIs] = [sideOf(one, isOuter), sideOf(other, isOuter)];
  if (oneIs === 'foreign' && otherIs === 'outer')
    return single(comparison(operator as JoinKey['operator'], one, other));
  if (oneIs === 'outer' && otherIs === 'foreign') return single(comparison(mirrored, other, one));
  if (isCorrelated(whole, isOuter)) return single(wrapped(whole, isOuter));
  const [field, constant] = otherIs === 'constant' ? [one, other] : [other, one];
  const path = fieldOf(field);
  if (path === null || path === '' || sideOf(constant, isOuter) !== 'constant') return NOTHING;
  return { keys: [], constants: [{ foreign: path, operator: field === one ? operator : mirrored, operand: constant }] };
}

function comparison(operator: JoinKey['operator'], foreign: Shape, local: Shape): Comparison {
  const path = fieldOf(foreign);
  const isField = path !== null && path !== '';
  const converted = operatorOf(foreign);
  const isConverted = converted !== null && CONVERSIONS.has(converted.operator);
  return {
    operator,
    foreign: isField ? path : onlyField(foreign),
    foreignExpression: foreign,
    local,
    hindrance: isField ? null : isConverted ? 'converted-foreign-field' : 'computed-foreign-field',
    branch: null,
  };
}

function membership(one: Shape, other: Shape, isOuter: IsOuterVariable): Comparison {
  const [foreign, local] = sideOf(one, isOuter) === 'foreign' ? [one, other] : [other, one];
  return { ...comparison('$in', foreign, local), hindrance: 'membership' };
}

function wrapped(expression: Shape, isOuter: IsOuterVariable): Comparison {
  const outer = [...referencesOf(expression).variables].find(isOuter);
  return {
    operator: '$eq',
    foreign: onlyField(expression),
    foreignExpression: expression,
    local: outer === undefined ? '?object' : `$$${outer}`,
    hindrance: 'wrapped-comparison',
    branch: null,
  };
}

function onlyField(expression: Shape): string | null {
  const [field, ...others] = referencesOf(expression).fields;
  return field === undefined || field === '' || others.length > 0 ? null : field;
}

type Side = 'foreign' | 'outer' | 'both' | 'constant';

function sideOf(expression: Shape, isOuter: IsOuterVariable): Side {
  const { fields, variables } = referencesOf(expression);
  const isOuterSide = [...variables].some(isOuter);
  if (fields.size > 0) return isOuterSide ? 'both' : 'foreign';
  return isOuterSide ? 'outer' : 'constant';
}

function isCorrelated(expression: Shape, isOuter: IsOuterVariable): boolean {
  return sideOf(expression, isOuter) === 'both';
}

function single(key: Comparison): Comparisons {
  return { keys: [key], constants: [] };
}
