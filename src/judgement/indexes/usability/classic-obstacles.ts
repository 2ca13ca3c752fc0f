import { BSONRegExp, type Document } from 'mongodb';
import { hasReached, isBefore } from '../../../connect/server-version.js';
import { isSameCollation, isSimpleCollation } from '../../../inventory/collation.js';
import { compareValues, isCollatable, isSameValue } from '../../../inventory/filter-values.js';
import {
  canLookUp,
  canLookUpNull,
  type EqualityJoin,
  type JoinedIndex,
  type JoinServer,
  type LocalType,
  type Obstacle,
} from './joined-index.js';
import { isWildcard } from './wildcard.js';

const RANGES = ['$gt', '$gte', '$lt', '$lte'];

/** `$expr` uses no sparse or wildcard index from here: SERVER-74344. Measured: 6.0.5 does, 6.0.27 does not. */
const NO_SPARSE_INDEX_FOR_EXPR = ['4.4.29', '5.0.18', '6.0.7', '7.0.0'];

/** `$expr` seeks in a clustered collection from here. Measured: 6.0.27 and 7.0.28 seek; 8.2 by its source. */
const CLUSTERED_INDEX_FOR_EXPR = ['6.0.27', '7.0.28', '8.2.0'];

/** The last one that was measured to scan instead. Of those in between it is not known. */
const CLUSTERED_SCAN_FOR_EXPR = '6.0.5';

/** Numbers, dates and ObjectIds are found in an index of any collation. */
const COLLATABLE_TYPES: readonly LocalType[] = ['string', 'object', 'symbol'];

/**
 * What keeps the classic engine from using an index, as measured on 6.0.5 and 6.0.27. It plans for each local value: an
 * index that leaves some values to a scan is not usable.
 */
export const CLASSIC_OBSTACLES: readonly Obstacle[] = [clustered, sparse, partial, wildcard, collation];

export function seeksForExpr({ version }: JoinServer): boolean | null {
  if (version === undefined) return null;
  if (hasReached(version, CLUSTERED_INDEX_FOR_EXPR)) return true;
  return isBefore(CLUSTERED_SCAN_FOR_EXPR, version) ? null : false;
}

function clustered({ index, join, server }: JoinedIndex): string | null {
  if (!index.clustered) return null;
  const what = 'it is the order of a clustered collection';
  const isKnown = server.isFavourable === true || seeksForExpr(server) === true;
  if (join.form === 'exprEquality' && !isKnown) {
    return `${what}, which $expr is not known to use on this server; localField and foreignField with a pipeline use it`;
  }
  // Measured on 6.0.5 and 6.0.27: $graphLookup then asks for an empty list, for which the whole collection is scanned.
  if (join.form === 'graphLookup' && canLookUp(join, ['missing'])) {
    return `${what}, which $graphLookup reads whole for each document without a start value`;
  }
  // An array becomes $in, for which 6.0.5 scans everything, and 6.0.27 all between the smallest and the largest element.
  if (join.localTypes?.includes('array') === true) {
    return `${what}, in which the server does not look up several values at once, as a local array requires`;
  }
  return null;
}

function sparse({ index, join, server }: JoinedIndex): string | null {
  const wild = isWildcard(index);
  if (!index.sparse && !wild) return null;
  const what = wild ? 'it is a wildcard index, which leaves out' : 'it is sparse and leaves out';
  if (join.form === 'exprEquality') {
    if (server.version !== undefined && !hasReached(server.version, NO_SPARSE_INDEX_FOR_EXPR)) return null;
    // Only the first field is looked at: measured on 6.0.27.
    if (!wild && Object.keys(index.key)[0] !== join.foreignField) return null;
    return `${what} documents without the field, so the server does not use it for $expr`;
  }
  if (!canLookUpNull(join)) return null;
  return `${what} documents without the field, and local values that are null or missing match exactly those`;
}

function partial({ index, join }: JoinedIndex): string | null {
  if (index.partialFilterExpression === undefined) return null;
  const conditions = [...conditionsOf(join.filter ?? {}), ...impliedByEquality(join)];
  if (impliesFilter(conditions, index.partialFilterExpression, stringComparison({ index, join }))) return null;
  return 'it is partial and holds only the documents that match its filter, which the join does not ask for';
}

/** A value other than null exists. `$graphLookup` asks for that itself; `$expr` was measured not to count as asking. */
function impliedByEquality(join: EqualityJoin): Condition[] {
  const asksForField = join.form === 'graphLookup' || (join.form === 'localField' && !canLookUpNull(join));
  return asksForField ? [{ path: join.foreignField, operator: '$exists', operand: true }] : [];
}

function stringComparison({ index, join }: Pick<JoinedIndex, 'index' | 'join'>): StringComparison {
  if (!isSameCollation(index.collation, join.collation)) return 'differentCollation';
  return isSimpleCollation(join.collation) ? 'simple' : 'sameCollation';
}

function wildcard({ index, join }: JoinedIndex): string | null {
  if (!isWildcard(index) || !canLookUp(join, ['object'])) return null;
  return 'it is a wildcard index, which holds the fields of objects and not the objects that some local values are';
}

function collation({ index, join }: JoinedIndex): string | null {
  if (isSameCollation(index.collation, join.collation) || !canLookUp(join, COLLATABLE_TYPES)) return null;
  return `its collation (${localeOf(index.collation)}) is not the join's (${localeOf(join.collation)}), so it cannot find strings`;
}

export function localeOf(spec: JoinedIndex['index']['collation'] | null): string {
  if (isSimpleCollation(spec)) return 'simple';
  const { locale, strength } = spec!;
  return strength === undefined ? `${locale}` : `${locale}, strength ${strength}`;
}

export type StringComparison = 'simple' | 'sameCollation' | 'differentCollation';

/**
 * Whether every document that meets `conditions` is certain to meet `filter`, an index's `partialFilterExpression`.
 * True only for what was measured on 6.0.5 and 6.0.27: the same condition; an equality, `$in` or narrower range within
 * a range or `$in`; any of these, or `$type`, within `$exists: true`.
 */
export function impliesFilter(conditions: readonly Condition[], filter: Document, strings: StringComparison): boolean {
  return conditionsOf(filter).every((required) => {
    if (required.operator === '$or') {
      return (required.operand as Document[]).some((branch) => impliesFilter(conditions, branch, strings));
    }
    return conditions.some((given) => given.path === required.path && implies(given, required, strings));
  });
}

function implies(given: Condition, required: Condition, strings: StringComparison): boolean {
  const isByOrder = RANGES.includes(required.operator);
  if (dependsOnCollation(given, required) && strings !== 'simple' && (isByOrder || strings !== 'sameCollation'))
    return false;
  if (given.operator === required.operator && isSameValue(given.operand, required.operand)) return true;
  const values = equalities(given);
  if (required.operator === '$exists') {
    if (required.operand !== true) return false;
    if (values !== null) return values.length > 0 && values.every((value) => value !== null && value !== undefined);
    return [...RANGES, '$type'].includes(given.operator) && given.operand !== null;
  }
  const allowed = equalities(required);
  if (allowed !== null) {
    return (
      values !== null &&
      values.length > 0 &&
      values.every((value) => allowed.some((other) => isSameValue(value, other)))
    );
  }
  if (!isByOrder) return false;
  if (values !== null) return values.length > 0 && values.every((value) => isWithin(value, required));
  return isNarrower(given, required);
}

function dependsOnCollation(given: Condition, required: Condition): boolean {
  const operands = [equalities(given) ?? given.operand, equalities(required) ?? required.operand].flat();
  return required.operator !== '$exists' && required.operator !== '$type' && operands.some(isCollatable);
}

function isWithin(value: unknown, { operator, operand }: Condition): boolean {
  const order = compareValues(value, operand);
  if (order === null) return false;
  if (order === 0) return operator === '$gte' || operator === '$lte';
  return operator.startsWith('$gt') ? order > 0 : order < 0;
}

function isNarrower(given: Condition, required: Condition): boolean {
  if (given.operator.slice(0, '$gt'.length) !== required.operator.slice(0, '$gt'.length)) return false;
  const order = compareValues(given.operand, required.operand);
  if (order === 0) return given.operator.length < required.operator.length;
  return isWithin(given.operand, required);
}

/** One condition of a filter: `{total: {$gt: 5}}` is `{path: 'total', operator: '$gt', operand: 5}`. */
export interface Condition {
  /** Empty for an operator at the top, such as `$or`. */
  readonly path: string;
  readonly operator: string;
  readonly operand: unknown;
}

export function conditionsOf(filter: Document): Condition[] {
  return Object.entries(filter).flatMap(([name, value]): Condition[] => {
    if (name === '$and') return (value as Document[]).flatMap(conditionsOf);
    if (name.startsWith('$')) return [{ path: '', operator: name, operand: value }];
    if (!isOperators(value)) return [{ path: name, operator: '$eq', operand: value }];
    return Object.entries(value).map(([operator, operand]) => ({ path: name, operator, operand }));
  });
}

/** The values that a condition lets a field equal; null if it allows others. */
export function equalities({ operator, operand }: Condition): readonly unknown[] | null {
  const values: unknown = operator === '$eq' ? [operand] : operator === '$in' ? operand : null;
  return Array.isArray(values) && !values.some(isRegularExpression) ? values : null;
}

function isRegularExpression(value: unknown): boolean {
  return value instanceof RegExp || value instanceof BSONRegExp;
}

function isOperators(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null || '_bsontype' in value || value instanceof RegExp) return false;
  return Object.keys(value)[0]?.startsWith('$') === true;
}
