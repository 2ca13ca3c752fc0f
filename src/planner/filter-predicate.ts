import type { Document } from 'mongodb';
import { distinctValues } from '../inventory/filter-values.js';
import { isOperatorObject } from '../workload/shapes/filter-shape.js';
import { isPlainObject } from '../workload/shapes/placeholder.js';
import { comparisonsOf } from './expression.js';
import { type Operand, type OperandReader, shapeReader, valueReader } from './operand.js';
import {
  type Comparison,
  type ComparisonOperator,
  conjunction,
  disjunction,
  negated,
  NEVER,
  noneOf,
  type Predicate,
  RANGE_OPERATORS,
} from './predicate.js';

const NOTHING: Operand = { types: new Set() };
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

/** The predicate of a command's filter, values included. */
export function predicateOf(filter: Document): Predicate {
  return conjunction(ofFilter(filter, '', valueReader));
}

/** The predicate of a shape's filter, of whose values only the types are known. */
export function predicateOfShape(filter: Document): Predicate {
  return conjunction(ofFilter(filter, '', shapeReader));
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
      return [noneOf(branchesOf(operand, prefix, read))];
    case '$comment':
      return [];
    case '$expr':
      return [...comparisonsOf(operand, read), other('', '$expr')];
    default:
      return [other('', operator)];
  }
}

function other(path: string, written: string): Comparison {
  return { kind: 'comparison', path, operator: GEO.has(written) ? 'geo' : 'other', operand: NOTHING, written };
}

function ofField(path: string, operand: unknown, read: OperandReader): Predicate[] {
  if (!isOperatorObject(operand)) return [equality(path, operand, read)];
  return Object.entries(operand)
    .filter(([operator]) => !COMPANIONS.has(operator))
    .flatMap(([operator, value]) => ofCondition(path, operator, value, operand, read));
}

function equality(path: string, value: unknown, read: OperandReader): Predicate {
  const operand = read.value(value);
  const isPattern = operand.types.size === 1 && operand.types.has('regex');
  return { kind: 'comparison', path, operator: isPattern ? '$regex' : '$eq', operand };
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
  if (RANGE_OPERATORS.has(operator)) return comparison(operator as ComparisonOperator, read.value(value));
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
      return [
        negated(conjunction(isOperatorObject(value) ? ofField(path, value, read) : [equality(path, value, read)])),
      ];
    case '$regex':
      return comparison('$regex', read.regularExpression(value, siblings['$options']));
    case '$exists': {
      const exists: Comparison = { kind: 'comparison', path, operator: '$exists', operand: NOTHING };
      return [isTruth(value) ? exists : negated(exists)];
    }
    case '$all':
      return ofAll(path, value, read);
    case '$elemMatch':
      return [elementOf(path, value, read)];
    case '$type':
      return comparison('$type', read.typesNamed(value));
    case '$mod':
    case '$size':
      return comparison(operator, NOTHING);
    default:
      return [other(path, operator)];
  }
}

/** As the server reads a truth. */
function isTruth(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Number(value) !== 0 : Boolean(value);
}

/** A list of one value is an equality, however often it is in it. */
function listOf(path: string, value: unknown, read: OperandReader): Predicate {
  const operand = read.list(value);
  const [only, ...others] = operand.values === undefined ? [] : distinctValues(operand.values);
  if (only !== undefined && others.length === 0) return equality(path, only, read);
  return { kind: 'comparison', path, operator: '$in', operand };
}

function ofAll(path: string, value: unknown, read: OperandReader): Predicate[] {
  // A shape does not say how many values there are: an index is searched by one of them.
  if (typeof value === 'string')
    return [{ kind: 'comparison', path, operator: '$eq', operand: read.list(value) }, other(path, '$all')];
  const elements: readonly unknown[] = Array.isArray(value) ? value : [];
  // Nothing has all of no values.
  if (elements.length === 0) return [NEVER];
  return elements.flatMap((element) =>
    isOperatorObject(element) ? ofField(path, element, read) : [equality(path, element, read)],
  );
}

function elementOf(path: string, value: unknown, read: OperandReader): Predicate {
  const filter = isPlainObject(value) ? value : {};
  const ofValues = isOperatorObject(filter) && !Object.keys(filter).some((name) => LOGICAL.test(name));
  // What asks for several values of one is no list of conditions.
  const isOfSeveral = Array.isArray(filter['$all']) && filter['$all'].length > 1;
  const conditions = ofValues ? ofField(path, filter, read) : ofFilter(filter, `${path}.`, read);
  const of = conjunction(isOfSeveral ? [...conditions, other('', '$all')] : conditions);
  return { kind: 'element', path, ofValues, of };
}
