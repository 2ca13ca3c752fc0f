import { groupedBy } from '../grouped-by.js';
import { type Operand, operandOfAll } from './operand.js';

export const RANGE_OPERATORS: ReadonlySet<string> = new Set(['$gt', '$gte', '$lt', '$lte']);

/** A condition of a conjunction, and the elements of arrays (`$elemMatch`) that it is about. */
export interface Condition {
  readonly comparison: Comparison;
  readonly negated: boolean;
  readonly elements: readonly Element[];
}

/** A conjunction: its conditions, its alternatives, and whether it asks for more that no index can tell. */
export interface Conjunction {
  readonly conditions: readonly Condition[];
  readonly alternatives: readonly Alternative[];
  readonly asksForMore: boolean;
}

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
  | Element;

/** One element of the array at `path` meets it. Paths within are those from the document's root. */
interface Element {
  readonly kind: 'element';
  readonly path: string;
  /** Whether it is asked for a value itself, not for fields of it. */
  readonly ofValues: boolean;
  readonly of: Predicate;
}

/** What all documents meet, and what none does. */
const TRUE: Predicate = { kind: 'and', of: [] };

export const NEVER: Predicate = { kind: 'or', of: [] };

export function isNever(predicate: Predicate): boolean {
  return predicate.kind === 'or' && predicate.of.length === 0;
}

function isTrue(predicate: Predicate): boolean {
  return predicate.kind === 'and' && predicate.of.length === 0;
}

export function conjunction(of: readonly Predicate[]): Predicate {
  const flat = of.flatMap((each) => (each.kind === 'and' ? each.of : [each]));
  if (flat.some(isNever)) return NEVER;
  return flat.length === 1 && flat[0] !== undefined ? flat[0] : { kind: 'and', of: flat.toSorted(compare) };
}

export function disjunction(of: readonly Predicate[]): Predicate {
  const flat = of.flatMap((each) => (each.kind === 'or' ? each.of : [each]));
  if (flat.some(isTrue)) return TRUE;
  const listed = withLists(flat);
  return listed.length === 1 && listed[0] !== undefined ? listed[0] : { kind: 'or', of: listed.toSorted(compare) };
}

/** Values of one field that are asked for in branches of their own are a list. */
function withLists(branches: readonly Predicate[]): Predicate[] {
  const isValue = (each: Predicate): each is Comparison =>
    each.kind === 'comparison' && (each.operator === '$eq' || each.operator === '$regex') && each.inExpression !== true;
  const byPath = groupedBy(branches.filter(isValue), ({ path }) => path);
  const lists = [...byPath.values()].filter((each) => each.length > 1);
  const merged = new Set<Predicate>(lists.flat());
  return [...branches.filter((each) => !merged.has(each)), ...lists.map(listOfAll)];
}

function listOfAll(values: readonly Comparison[]): Comparison {
  return {
    kind: 'comparison',
    path: values[0]!.path,
    operator: '$in',
    operand: operandOfAll(values.map(({ operand }) => operand)),
  };
}

export function negated(of: Predicate): Predicate {
  return { kind: 'not', of };
}

export function noneOf(branches: readonly Predicate[]): Predicate {
  return branches.length === 1 ? negated(branches[0]!) : { kind: 'nor', of: branches };
}

/** As the server simplifies it from MongoDB 7.0 on: where one of several holds of all documents, none holds of none. */
export function withoutCertainParts(predicate: Predicate): Predicate {
  if (predicate.kind === 'comparison') return predicate;
  if (predicate.kind === 'not' || predicate.kind === 'element')
    return { ...predicate, of: withoutCertainParts(predicate.of) };
  const of = predicate.of.map(withoutCertainParts);
  if (predicate.kind === 'and') return conjunction(of);
  if (predicate.kind === 'or') return disjunction(of);
  if (of.some(isTrue)) return NEVER;
  const possible = of.filter((each) => !isNever(each));
  return possible.length === 0 ? TRUE : noneOf(possible);
}

/** The comparisons of a predicate for which the server looks for indexes, in its order: none of several alternatives is. */
export function comparisonsIn(predicate: Predicate): Comparison[] {
  if (predicate.kind === 'comparison') return [predicate];
  if (predicate.kind === 'nor') return [];
  return conjuncts(predicate).flatMap(comparisonsIn);
}

function conjuncts(predicate: Predicate): readonly Predicate[] {
  if (predicate.kind === 'comparison') return [];
  return predicate.kind === 'not' || predicate.kind === 'element' ? [predicate.of] : predicate.of;
}

/** The server's order of what stands side by side: of conditions that exclude each other, an index is searched by the first. */
const ORDER =
  'and or element $size $eq $lte $lt $gt $gte $regex $mod $exists $in not nor $type geo other expression'.split(' ');

function compare(one: Predicate, other: Predicate): number {
  const [parts, others] = [conjuncts(one), conjuncts(other)];
  const [path, otherPath] = [pathOf(one), pathOf(other)];
  const byKind = ORDER.indexOf(kindOf(one)) - ORDER.indexOf(kindOf(other));
  if (byKind !== 0 || path !== otherPath) return byKind || (path < otherPath ? -1 : 1);
  const byParts = parts.slice(0, others.length).map((part, at) => compare(part, others[at]!));
  return byParts.find((each) => each !== 0) ?? parts.length - others.length;
}

function kindOf(predicate: Predicate): string {
  if (predicate.kind !== 'comparison') return predicate.kind;
  return predicate.inExpression === true ? 'expression' : predicate.operator;
}

function pathOf(predicate: Predicate): string {
  return predicate.kind === 'comparison' || predicate.kind === 'element' ? predicate.path : '';
}

/** An `$or`, and the elements of arrays that its branches are about. */
interface Alternative {
  readonly branches: readonly Predicate[];
  readonly elements: readonly Element[];
}

const NOTHING: Conjunction = { conditions: [], alternatives: [], asksForMore: false };

const MORE: Conjunction = { ...NOTHING, asksForMore: true };

/** @param elements the arrays one element of which has to meet it */
export function partsOf(predicate: Predicate, elements: readonly Element[] = []): Conjunction {
  switch (predicate.kind) {
    case 'comparison':
      return predicate.path === ''
        ? MORE
        : { ...NOTHING, conditions: [{ comparison: predicate, negated: false, elements }] };
    case 'and': {
      const parts = predicate.of.map((each) => partsOf(each, elements));
      return {
        conditions: parts.flatMap(({ conditions }) => conditions),
        alternatives: parts.flatMap(({ alternatives }) => alternatives),
        asksForMore: parts.some(({ asksForMore }) => asksForMore),
      };
    }
    case 'or':
      return { ...NOTHING, alternatives: [{ branches: predicate.of, elements }] };
    case 'not':
      return predicate.of.kind === 'comparison' && predicate.of.path !== ''
        ? { ...NOTHING, conditions: [{ comparison: predicate.of, negated: true, elements }] }
        : MORE;
    case 'element': {
      const parts = partsOf(predicate.of, [...elements, predicate]);
      // An index is searched for a value by all that is asked of it, or not at all.
      if (predicate.ofValues && (parts.asksForMore || parts.alternatives.length > 0)) return MORE;
      // That one element meets all of it, only the document tells.
      return { ...parts, asksForMore: true };
    }
    default:
      return MORE;
  }
}
