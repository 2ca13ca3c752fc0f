import { compareValues, isSameValue } from '../inventory/filter-values.js';
import { compareBson } from '../profile/bson-order.js';
import type { BoundsKind, SortField } from './access.js';
import { type ConditionBounds, type KeyField, keyOf, keysOf, typesSearched } from './bounds.js';
import { isBetweenBounds, type OperandType, typeOf } from './operand.js';
import type { Comparison, ComparisonOperator, Condition } from './predicate.js';

/** One field of an index as a scan reads it. */
export interface ReadField extends Pick<SearchedField, 'kind' | 'points'> {
  readonly path: string;
  /** 1 or -1; 0 if its keys have no order of values. */
  readonly direction: 1 | -1 | 0;
  /** At the path and on the way to it: a document may have several places in the order. */
  readonly arrays: readonly string[];
  /** Whether its keys are in the order that the query compares by. */
  readonly isSameOrder: boolean;
}

/** The tightest first. */
const KINDS: readonly BoundsKind[] = ['points', 'range', 'type', 'all'];

/** One field of an index as a scan bounds it. */
export interface SearchedField {
  readonly field: KeyField;
  readonly kind: BoundsKind;
  /** How many values it is, of points; null if that is not known. */
  readonly points: number | null;
  readonly by: readonly Condition[];
}

/** A condition as one field of the index meets it. */
export interface Met {
  readonly condition: Condition;
  readonly bounds: ConditionBounds;
}

/** A field as the conditions bound it that a scan takes together. */
export function searchedField(field: KeyField, met: readonly Met[]): SearchedField {
  const kind = kindOf(met);
  const by = met.map(({ condition }) => condition);
  const value = kind === 'range' ? valueBetween(by) : null;
  if (value !== null) return { field, kind: 'points', points: 1, by };
  return { field, kind, points: kind === 'points' ? pointsOf(met, field) : null, by };
}

/**
 * What is left out of a range or a type leaves it what it is, and so does a range across types that begins or ends outside of
 * the type.
 */
function kindOf(all: readonly Met[]): BoundsKind {
  const types = all.filter(({ condition, bounds }) => bounds.kind === 'type' && !condition.negated);
  const met = all.filter(({ condition: { comparison }, bounds }) => {
    const isAcross = bounds.kind === 'range' && comparison.inExpression === true;
    return !isAcross || types.every((each) => isOfTypes(comparison, typesSearched(each.condition.comparison)));
  });
  const kinds = (negated: boolean) =>
    met.filter(({ condition }) => condition.negated === negated).map(({ bounds }) => bounds.kind);
  const bounding = new Set([...kinds(false), ...kinds(true).filter((kind) => kind === 'points')]);
  const tightest = KINDS.find((kind) => bounding.has(kind)) ?? 'all';
  return tightest === 'all' && kinds(true).includes('range') ? 'range' : tightest;
}

function isOfTypes({ operand }: Comparison, types: ReadonlySet<OperandType>): boolean {
  return [...operand.types].some((type) => types.has(type));
}

/** At least and at most one value is that value. */
function valueBetween(conditions: readonly Condition[]): unknown {
  const valueOf = (operator: ComparisonOperator) =>
    conditions.find(({ comparison, negated }) => !negated && comparison.operator === operator)?.comparison.operand
      .values?.[0];
  const [least, most] = [valueOf('$gte'), valueOf('$lte')];
  return least !== undefined && most !== undefined && isSameValue(least, most) ? least : null;
}

/** Values that all conditions let pass. */
function pointsOf(met: readonly Met[], field: KeyField): number | null {
  const counts = met.flatMap(({ bounds }) => (bounds.kind === 'points' ? [bounds.points] : []));
  const values = met.find(({ bounds }) => bounds.kind === 'points')?.condition.comparison.operand.values;
  if (met.length === 1 || values === undefined || counts.includes(null)) return counts[0] ?? null;
  const passing = values.filter((value) => met.every(({ condition }) => mayBe(value, condition, field)));
  return Math.min(keysOf(passing, field), ...counts.map(Number));
}

function mayBe(
  value: unknown,
  { comparison: { operator, operand, inExpression }, negated }: Condition,
  field: KeyField,
): boolean {
  const [bound] = operand.values ?? [];
  if (operator === '$eq' || operator === '$in')
    return (
      ((operand.types.has('regex') && (typeof value !== 'string' || isBetweenBounds(value, operand))) ||
        operand.values?.some((other) => isSameValue(keyOf(value, field), keyOf(other, field))) === true) !== negated
    );
  if (operator === '$regex' && !negated && typeof value === 'string') return isBetweenBounds(value, operand);
  if (!operator.startsWith('$gt') && !operator.startsWith('$lt')) return true;
  // An array is searched for by its first element, or by all that comes before it.
  if (Array.isArray(bound))
    return negated || (operator.startsWith('$gt') ? compareBson(value, bound[0]) >= 0 : compareBson(value, bound) <= 0);
  if (operand.values === undefined) return true;
  const order = inExpression === true ? compareBson(value, bound) : compareValues(value, bound);
  if (order === null) return typeOf(value) === typeOf(bound) || negated;
  const isMet = order === 0 ? operator.endsWith('e') : operator.startsWith('$gt') ? order > 0 : order < 0;
  return isMet !== negated;
}

/** Orders scans by text as by their bounds: the tightest first. */
export function tightness(scan: readonly SearchedField[]): string {
  return scan.map(({ kind }) => KINDS.indexOf(kind)).join('');
}

/** Default of `internalQueryMaxScansToExplode`: above it scans for single values are not merged in order. */
const MOST_SCANS_TO_MERGE = 200;

/**
 * Whether the scans give documents in an order, also read backwards: each by itself, or, if they may be, split into scans for
 * single values.
 */
export function giveOrder(
  scans: readonly (readonly ReadField[])[],
  sort: readonly SortField[],
  mayBeSplit: boolean,
): boolean {
  if (scans.every((fields) => isWalkedInOrder(fields, sort))) return true;
  if (!mayBeSplit) return false;
  const splits = scans.map((fields) => splitIntoValues(fields, sort));
  return !splits.includes(null) && splits.reduce<number>((sum, count) => sum + (count ?? 0), 0) <= MOST_SCANS_TO_MERGE;
}

/** How many scans for single values of the fields in front would each be in order; null if they would not be. */
function splitIntoValues(fields: readonly ReadField[], sort: readonly SortField[]): number | null {
  const end = fields.findIndex(({ kind }) => kind !== 'points');
  const behind = fields.slice(end);
  if (end <= 0 || behind.some(({ arrays }) => arrays.length > 0) || !isInOrder(behind, sort)) return null;
  return fields.slice(0, end).reduce((product, { points }) => product * (points ?? 1), 1);
}

/** Fields of one value have any order. */
function isWalkedInOrder(fields: readonly ReadField[], sort: readonly SortField[]): boolean {
  const one = fields.filter(({ points }) => points === 1);
  const wanted = sort.filter(([path]) => !one.some((field) => field.path === path && field.arrays.length === 0));
  return isInOrder(
    fields.filter((field) => !one.includes(field)),
    wanted,
    fields,
  );
}

/** For an array, a document has several keys: its place is the first or the last of them, which must not be left out. */
function isInOrder(
  fields: readonly ReadField[],
  wanted: readonly SortField[],
  all: readonly ReadField[] = fields,
): boolean {
  const turns = wanted.map(([path, direction], position) => {
    const field = fields[position];
    if (field === undefined || field.path !== path || field.direction === 0 || !field.isSameOrder) return null;
    const beside = all.filter(({ arrays }) => arrays.some((array) => field.arrays.includes(array)));
    return beside.every(({ kind }) => kind === 'all') ? field.direction * direction : null;
  });
  return new Set(turns).size <= 1 && !turns.includes(null);
}
