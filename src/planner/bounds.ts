import { hasReached } from '../connect/server-version.js';
import type { BoundsKind, PlannedServer, RefusalReason } from './access.js';
import type { OperandType } from './operand.js';
import type { Comparison } from './predicate.js';

/** What is left to test of a condition once an index is searched by it: nothing, something on its keys, or on documents. */
export type Rest = 'nothing' | 'keys' | 'documents';

export interface ConditionBounds {
  readonly kind: BoundsKind;
  /** Whether it is one value at most, so that keys behind it come in their own order. */
  readonly isOneValue: boolean;
  readonly rest: Rest;
}

/** A condition of a conjunction, and the elements of arrays (`$elemMatch`) that it is about. */
export interface Condition {
  readonly comparison: Comparison;
  readonly negated: boolean;
  readonly elements: readonly object[];
}

/** One field of an index, as a condition meets it. */
export interface KeyField {
  readonly path: string;
  readonly kind: 'ordered' | 'hashed' | 'wildcard';
  readonly position: number;
  readonly sparse: boolean;
  readonly isSameCollation: boolean;
  /** Whether an array is at the path or on the way to it. */
  readonly isMultikey: boolean;
}

/** Values whose order in an index is that of its collation. */
const COLLATED: readonly OperandType[] = ['string', 'object', 'array', 'symbol'];
/** `$expr` uses no sparse or wildcard index from here: SERVER-74344. Measured: 6.0.5 does, 6.0.27 does not. */
const NO_SPARSE_INDEX_FOR_EXPR = ['4.4.29', '5.0.18', '6.0.7', '7.0.0'];
const RANGES: ReadonlySet<string> = new Set(['$gt', '$gte', '$lt', '$lte']);

/** How an index's keys of one field are bounded by a condition on that field, or why they are not. */
export function boundsOf(
  condition: Condition,
  field: KeyField,
  server: PlannedServer,
): ConditionBounds | RefusalReason {
  const { comparison, negated } = condition;
  const refused = refusal(condition, field, server);
  if (refused !== null) return refused;
  return negated ? ofNegation(comparison, field) : ofComparison(comparison, field);
}

function refusal({ comparison, negated }: Condition, field: KeyField, server: PlannedServer): RefusalReason | null {
  const { operator, operand, inExpression } = comparison;
  const has = (...types: OperandType[]) => types.some((type) => operand.types.has(type));
  const isEquality = operator === '$eq' || operator === '$in';
  const isRange = RANGES.has(operator);
  if (operator === 'other' || operator === 'geo' || operator === '$size') return 'operator';
  if (!field.isSameCollation && (isEquality || isRange) && has(...COLLATED)) return 'collation';
  if (inExpression === true && field.isMultikey) return 'array';
  if (negated && !isEquality && !isRange && operator !== '$exists') return 'operator';
  if (negated && isEquality && has('regex')) return 'operator';
  if (negated && isEquality && has('array')) return 'array';
  if (negated && operator === '$eq' && has('null') && field.isMultikey) return 'array';
  const asksForNothing = negated
    ? operator !== '$eq' || !has('null')
    : (isEquality && has('null')) || ((operator === '$gte' || operator === '$lte') && has('null'));
  if (field.kind === 'hashed') {
    if (negated && operator === '$exists') return field.sparse ? 'sparse' : null;
    if (inExpression === true || negated || !isEquality || has('regex')) return 'hashed';
    return field.sparse && has('null') ? 'sparse' : null;
  }
  if (field.kind === 'wildcard') {
    if (asksForNothing || (isEquality && has('object', 'array')) || (isRange && has('object', 'array', 'null')))
      return 'wildcard';
    return inExpression === true && isWithoutSparse(server) ? 'wildcard' : null;
  }
  if (!field.sparse) return null;
  if (inExpression === true) return isWithoutSparse(server) && field.position === 0 ? 'sparse' : null;
  return asksForNothing ? 'sparse' : null;
}

function isWithoutSparse({ version }: PlannedServer): boolean {
  return version === undefined || hasReached(version, NO_SPARSE_INDEX_FOR_EXPR);
}

const ONE: ConditionBounds = { kind: 'points', isOneValue: true, rest: 'nothing' };
const RANGE: ConditionBounds = { kind: 'range', isOneValue: false, rest: 'nothing' };

function ofComparison({ operator, operand, inExpression }: Comparison, field: KeyField): ConditionBounds {
  const has = (...types: OperandType[]) => types.some((type) => operand.types.has(type));
  const retests = field.kind === 'hashed' || has('null', 'undefined', 'array') || inExpression === true;
  const rest = retests ? 'documents' : 'nothing';
  switch (operator) {
    case '$eq':
      // Null and missing are two values of a key, as an array and its first element are.
      return { ...ONE, isOneValue: !has('null', 'undefined', 'array') || field.kind === 'hashed', rest };
    case '$in':
      if (has('regex'))
        return { kind: 'range', isOneValue: false, rest: operand.pattern?.prefix === true ? rest : ofKeys(field) };
      return { kind: 'points', isOneValue: (operand.values?.length ?? 2) < 2, rest };
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (has('null') && operand.types.size === 1) return { ...ONE, isOneValue: false, rest: 'documents' };
      return { ...RANGE, rest };
    case '$regex': {
      const isSearched = operand.pattern?.prefix === true && !operand.pattern.ignoresCase && field.isSameCollation;
      return isSearched ? RANGE : { kind: 'type', isOneValue: false, rest: ofKeys(field) };
    }
    case '$mod':
      return { kind: 'type', isOneValue: false, rest: ofKeys(field) };
    case '$type':
      return { kind: 'type', isOneValue: false, rest: 'documents' };
    default:
      return {
        kind: 'all',
        isOneValue: false,
        rest: field.sparse || field.kind === 'wildcard' ? 'nothing' : 'documents',
      };
  }
}

/** Keys of an array are its elements: what they say is not what a document says. */
function ofKeys({ isMultikey, isSameCollation }: KeyField): Rest {
  return isMultikey || !isSameCollation ? 'documents' : 'keys';
}

function ofNegation({ operator, operand }: Comparison, { isMultikey }: KeyField): ConditionBounds {
  if (operator === '$exists') return { ...ONE, isOneValue: false, rest: 'documents' };
  const retests = isMultikey || operand.types.has('null');
  return { ...RANGE, rest: retests ? 'documents' : 'nothing' };
}
