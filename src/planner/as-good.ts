import { isSimpleCollation } from '../inventory/collation.js';
import type { Access, PathBounds } from './access.js';
import { predicateOf } from './filter-predicate.js';
import { implies } from './implied.js';
import type { Comparison, Condition } from './predicate.js';

/**
 * Whether an access does all that another one does for the same query: it finds by the values that the other one finds by, gives
 * the order if the other one does, and reads no document that the other one spares.
 */
export function isAsGood(access: Access, other: Access): boolean {
  const scan = access.scans[0];
  const held = heldBy(access);
  return other.scans.every((wanted) => {
    const points = byPoints(wanted.bounds);
    const found = comparisonsIn([...byPoints(scan.bounds), ...nextOf(scan.bounds)]);
    const decided = comparisonsIn(scan.decides);
    const isFound = (each: Condition) => found.has(each.comparison) || held(each);
    return (
      (access.givesOrder || !other.givesOrder) &&
      [...points, ...nextOf(wanted.bounds)].every(isFound) &&
      wanted.decides.every((each) => decided.has(each.comparison) || held(each))
    );
  });
}

/** The same conditions stand in each access of a query. */
function comparisonsIn(conditions: readonly Condition[]): ReadonlySet<Comparison> {
  return new Set(conditions.map(({ comparison }) => comparison));
}

/** The conditions of the first fields that single values bound. */
function byPoints(bounds: readonly PathBounds[]): readonly Condition[] {
  return bounds.slice(0, endOfPoints(bounds)).flatMap(({ by }) => by);
}

/** The conditions that bound the field behind them. */
function nextOf(bounds: readonly PathBounds[]): readonly Condition[] {
  const next = bounds[endOfPoints(bounds)];
  return next === undefined || next.kind === 'all' ? [] : next.by;
}

/** How many of the first fields single values bound. */
export function endOfPoints(bounds: readonly PathBounds[]): number {
  const end = bounds.findIndex(({ kind }) => kind !== 'points');
  return end === -1 ? bounds.length : end;
}

/** Whether all that a partial index holds meets a condition. */
function heldBy({ index: { partialFilterExpression, collation } }: Access): (condition: Condition) => boolean {
  if (partialFilterExpression === undefined) return () => false;
  const filter = predicateOf(partialFilterExpression);
  const strings = isSimpleCollation(collation) ? 'simple' : 'same';
  return ({ comparison, negated }) =>
    implies(filter, negated ? { kind: 'not', of: comparison } : comparison, strings) === true;
}
