import { isReadToTheEnd, sizeFor } from './judged-query.js';
import type { QueryCost } from './query-cost.js';
import type { Query } from './query.js';

/** From how many executions on a query is an application's. */
export const RECURRING = {
  default: 3,
  unit: 'executions',
  description:
    'recorded executions from which a query for few of the documents is a warning, whatever one of them examines; at an expected size one is enough',
  source: 'judgement: a person tries a query once or twice, an application repeats it; tests of an application do not',
} as const;

/** Share of what is examined up to which few are returned, if a query reads to the end. */
const FEW = 0.2;
/** Documents examined for each one returned, from which a query that stops at what it finds did not find it soon. */
const EXAMINED_PER_RETURNED = 100;

/**
 * Whether the figures show a fault of the design: an application repeats a search for few of the documents, and what an
 * execution examines grows with the collection.
 *
 * @param examined documents or index keys per execution, at the judged size
 * @param recurring executions from which a query counts as repeated
 */
export function isRecurringSearch(query: Query, cost: QueryCost, examined: number, recurring: number): boolean {
  const isRepeated = cost.executions >= recurring || (sizeFor(query)?.from ?? null) !== null;
  return isRepeated && returnsFew(query, cost, examined);
}

/** False if the figures do not say how many match. */
function returnsFew(query: Query, { documentsReturned }: QueryCost, examined: number): boolean {
  if (documentsReturned === null || query.joins) return false;
  if (!query.tellsMatches) return query.tellsWhetherAny && documentsReturned === 0;
  return isReadToTheEnd(query)
    ? documentsReturned < FEW * examined
    : examined >= EXAMINED_PER_RETURNED * Math.max(1, documentsReturned);
}
