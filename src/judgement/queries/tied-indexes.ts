import { isSameCollation } from '../../inventory/collation.js';
import type { IndexDescription } from '../../inventory/collection.js';
import { isPrefixable, isVisible } from '../../inventory/index-key.js';
import { holdsAllDocuments, servesBeginning } from '../../inventory/index-relation.js';
import { plannedFigures } from './query-cost.js';
import type { Query } from './query.js';

/**
 * The indexes that serve a query best as far as their keys tell: by the fields that it sets equal, by the order that it asks
 * for, and by its ranges. If there are several, the planner has to try them.
 */
export function bestIndexes(query: Query, indexes: readonly IndexDescription[]): readonly IndexDescription[] {
  const served = indexes.flatMap((index) => {
    const serves = isVisible(index) && isPrefixable(index) && holdsAllDocuments(index);
    const merit = serves && isSameCollation(index.collation, query.collation) ? meritOf(query, index) : 0;
    return merit > 0 ? [{ index, merit }] : [];
  });
  const most = Math.max(0, ...served.map(({ merit }) => merit));
  return served.filter(({ merit }) => merit === most).map(({ index }) => index);
}

/** An equality outweighs an order, and an order a range. */
function meritOf({ conditions, sort, collation }: Query, index: IndexDescription): number {
  const fields = Object.keys(index.key);
  const roleOf = (path: string | undefined) => conditions.all.find((condition) => condition.path === path)?.role;
  const end = fields.findIndex((path) => roleOf(path) !== 'equality' && roleOf(path) !== 'list');
  const equality = end === -1 ? fields : fields.slice(0, end);
  const further = sort.filter(([path]) => !equality.includes(path));
  const sorts = sort.length > 0 && servesBeginning(index, { equality, further }, collation);
  const hasRange = end !== -1 && roleOf(fields[end]) === 'range';
  return 4 * equality.length + (sorts ? 2 : 0) + (hasRange ? 1 : 0);
}

/** The keys of the indexes that a plan uses, as its summary writes them. */
export function keysIn(planSummary: string): readonly string[] {
  return [...planSummary.matchAll(/\{ .*? \}(?=$|, ?[A-Z])/g)].map(([key]) => key);
}

/** The plans that a query was recorded with, by their summaries. */
export function plansOf({ operation }: Query): readonly string[] {
  return Object.keys(plannedFigures(operation)?.figures.planSummaries ?? {});
}
