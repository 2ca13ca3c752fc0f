import type { IndexDescription } from '../../inventory/collection.js';
import { accessOf } from '../../planner/access-of.js';
import { type Access, isRefused } from '../../planner/access.js';
import { endOfPoints, isAsGood } from '../../planner/as-good.js';
import { plannedFigures } from './query-cost.js';
import type { Query } from './query.js';

/**
 * The indexes that serve a query best as far as their keys tell: by the fields that it sets equal, by the order that it asks
 * for, and by its ranges. If there are several, the planner has to try them.
 */
export function bestIndexes(
  { planned, collection }: Query,
  indexes: readonly IndexDescription[],
): readonly IndexDescription[] {
  const served = indexes.flatMap((index) => {
    const access = accessOf(index, collection, planned);
    return isRefused(access) || access.hangsOnValues === true ? [] : [{ index, merit: meritOf(access, planned.sort) }];
  });
  const most = Math.max(0, ...served.map(({ merit }) => merit));
  return served.filter(({ merit }) => merit === most && most > 0).map(({ index }) => index);
}

/** Whether an index does all for a query that another one does. */
export function doesAsMuch(index: IndexDescription, other: IndexDescription, { planned, collection }: Query): boolean {
  const [found, wanted] = [index, other].map((each) => accessOf(each, collection, planned));
  // What a plan used though the model knows no way is not known to be superfluous.
  if (found === undefined || wanted === undefined || isRefused(wanted)) return false;
  return (
    !isRefused(found) && (found.hangsOnValues !== true || wanted.hangsOnValues === true) && isAsGood(found, wanted)
  );
}

/** An equality outweighs an order, and an order a range. */
function meritOf({ scans: [{ bounds }], givesOrder }: Access, sort: Query['sort']): number {
  const points = endOfPoints(bounds);
  const next = bounds[points];
  // What a negation leaves is most of the keys: the planner sees no difference.
  const isNarrowed = next?.kind === 'range' && next.by.some(({ negated }) => !negated);
  return 4 * points + (sort.length > 0 && givesOrder ? 2 : 0) + (isNarrowed ? 1 : 0);
}

/** The keys of the indexes that a plan uses, as its summary writes them. */
export function keysIn(planSummary: string): readonly string[] {
  return [...planSummary.matchAll(/\{ .*? \}(?=$|, ?[A-Z])/g)].map(([key]) => key);
}

/** The plans that a query was recorded with, by their summaries. */
export function plansOf({ operation }: Query): readonly string[] {
  return Object.keys(plannedFigures(operation)?.figures.planSummaries ?? {});
}
