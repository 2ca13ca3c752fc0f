import { comparisonsOf } from '../../planner/expression.js';
import { shapeReader } from '../../planner/operand.js';
import { type RegularExpressionFacts, regularExpressionFacts } from '../../workload/shapes/placeholder.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../workload/shapes/shape.js';

/**
 * What an index can do for a condition: find one value (`equality`), a few (`list`), or a `range`; or only be read
 * instead of the documents (`residual`); or `none`. That a field is there (`held`), only an index without the others finds. A list of values of several types (`mixed`) is most often `null` and
 * something: documents without the field match it, so it narrows little, and is searched by only if nothing else is.
 */
export type ConditionRole = 'equality' | 'list' | 'range' | 'mixed' | 'residual' | 'held' | 'none';

export interface Condition {
  /** Dotted path; empty for an operator that takes no field, such as `$where`. */
  readonly path: string;
  readonly operator: string;
  readonly role: ConditionRole;
  /** The array that needs one element to meet all conditions (`$elemMatch`); null for conditions of their own. */
  readonly element: string | null;
  readonly ignoresCase: boolean;
  /** Whether it ignores case and asks for one whole text: an equality with a collation says the same. */
  readonly equalsButCase: boolean;
  /** Whether `null` is what it compares with, which an index's key does not report from a missing field. */
  readonly ofNull: boolean;
  /** Whether it asks for documents whose field is null or missing, and for no others. */
  readonly equalsNull: boolean;
}

export interface Conditions {
  /** Those that must all hold. */
  readonly all: readonly Condition[];
  readonly alternatives: readonly (readonly Conditions[])[];
  /** Whether a text or geo index answers, which follows rules of its own. */
  readonly special: boolean;
}

const RANGES = new Set(['$gt', '$gte', '$lt', '$lte']);
/** Operators that the server can test on an index's keys, but not search by. Measured with the differential test. */
const TESTED_ON_KEYS = new Set(['$ne', '$nin', '$mod']);
/** As a shape shows it. */
const MIXED_LIST = '?array<>';
export const GEO_OPERATORS: ReadonlySet<string> = new Set([
  '$geoNear',
  '$near',
  '$nearSphere',
  '$geoWithin',
  '$geoIntersects',
  '$within',
]);
const SPECIAL: ReadonlySet<string> = new Set(['$text', ...GEO_OPERATORS]);

/** The conditions of filters that must all hold. */
export function conditionsOf(filters: readonly ObjectShape[]): Conditions {
  return joined(filters.map((filter) => ofFilter(filter, '', null)));
}

/** Every condition, also those within `$or`. */
export function everyCondition({ all, alternatives }: Conditions): readonly Condition[] {
  return [...all, ...alternatives.flat().flatMap(everyCondition)];
}

/** The fields that each document found has one asked value of: those within `$or` are not among them. */
export function equalPaths({ all }: Conditions): string[] {
  return all.flatMap(({ path, role }) => (role === 'equality' ? [path] : []));
}

/** The fields that each document found has as null, or lacks. */
export function nullPaths({ all }: Conditions): string[] {
  return all.flatMap(({ path, equalsNull }) => (equalsNull ? [path] : []));
}

/** Whether every document matches. */
export function isEmpty({ all, alternatives }: Conditions): boolean {
  return all.length === 0 && alternatives.length === 0;
}

/** Whether an index could find the documents, not only be read instead of them. */
export function canBeFound({ all, alternatives }: Conditions): boolean {
  return (
    all.some(isFinding) ||
    isOfMixedOnly(all) ||
    alternatives.some((branches) => branches.length > 0 && branches.every(canBeFound))
  );
}

/** Whether each condition is a list of values of several types. */
export function isOfMixedOnly(conditions: readonly Condition[]): boolean {
  return conditions.length > 0 && conditions.every(({ role }) => role === 'mixed');
}

function isFinding({ role, path }: Condition): boolean {
  return path !== '' && (role === 'equality' || role === 'list' || role === 'range');
}

function joined(parts: readonly Conditions[]): Conditions {
  return {
    all: parts.flatMap(({ all }) => all),
    alternatives: parts.flatMap(({ alternatives }) => alternatives),
    special: parts.some(({ special }) => special),
  };
}

function ofFilter(filter: ObjectShape, prefix: string, element: string | null): Conditions {
  return joined(
    Object.entries(filter).map(([name, operand]) =>
      name.startsWith('$') ? ofOperator(name, operand, prefix, element) : ofField(prefix + name, operand, element),
    ),
  );
}

function ofOperator(operator: string, operand: Shape, prefix: string, element: string | null): Conditions {
  const branches = Array.isArray(operand)
    ? (operand as readonly Shape[]).filter(isObjectShape).map((branch) => ofFilter(branch, prefix, element))
    : [];
  if (operator === '$and') return joined(branches);
  if (operator === '$or')
    return { all: [], alternatives: [branches], special: branches.some(({ special }) => special) };
  const plain = { ignoresCase: false, equalsButCase: false, ofNull: false, equalsNull: false };
  const condition: Condition = { path: '', operator, role: 'none', element, ...plain };
  const compared = operator === '$expr' ? comparisonsOf(operand, shapeReader) : [];
  const searched = compared.flatMap((each): Condition[] => {
    if (each.kind !== 'comparison') return [];
    return [{ ...condition, path: each.path, role: each.operator === '$eq' ? 'equality' : 'range' }];
  });
  return { all: [...searched, condition], alternatives: [], special: SPECIAL.has(operator) };
}

function ofField(path: string, operators: Shape, element: string | null): Conditions {
  if (!isObjectShape(operators)) return { all: [], alternatives: [], special: false };
  return joined(Object.entries(operators).map(([operator, operand]) => ofCondition(path, operator, operand, element)));
}

function ofCondition(path: string, operator: string, operand: Shape, element: string | null): Conditions {
  if (operator === '$elemMatch' && isObjectShape(operand)) {
    const isOfValues = Object.keys(operand)[0]?.startsWith('$') === true && !('$and' in operand) && !('$or' in operand);
    return isOfValues ? ofField(path, operand, path) : ofFilter(operand, `${path}.`, path);
  }
  const facts = typeof operand === 'string' ? patternFacts(operator, operand) : null;
  const ofPattern = facts === null ? 'none' : facts.prefix && !facts.caseInsensitive ? 'range' : 'residual';
  const role = operator === '$regex' || facts !== null ? ofPattern : roleOf(operator, operand);
  return {
    all: [
      {
        path,
        operator,
        role,
        element,
        ignoresCase: facts?.caseInsensitive === true,
        equalsButCase: facts?.caseInsensitive === true && facts.whole,
        ofNull: operand === '?null' || operand === '?array<?null>',
        equalsNull: element === null && operator === '$eq' && operand === '?null',
      },
    ],
    alternatives: [],
    special: SPECIAL.has(operator),
  };
}

/** What is known of a pattern, or of those in a list: the server searches for each beginning. Null if they are not known. */
function patternFacts(operator: string, operand: string): RegularExpressionFacts | null {
  if (operator === '$regex') return regularExpressionFacts(operand);
  const element = operator === '$in' ? /^\?array<(.*)>$/.exec(operand)?.[1] : undefined;
  return element === undefined ? null : regularExpressionFacts(element);
}

function roleOf(operator: string, operand: Shape): ConditionRole {
  if (operator === '$exists' && operand === true) return 'held';
  if (typeof operand !== 'string' || operand.includes('?regex')) return 'none';
  if (operator === '$eq' || operator === '$all') return 'equality';
  if (operator === '$in') return operand === MIXED_LIST ? 'mixed' : 'list';
  if (RANGES.has(operator)) return 'range';
  return TESTED_ON_KEYS.has(operator) ? 'residual' : 'none';
}
