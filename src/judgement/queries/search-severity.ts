import type { Severity } from '../../finding.js';
import { atJudgedSize } from '../judged-size.js';
import { severityOf, worst } from '../severity-lines.js';
import { examinedAtJudgedSize, isReadToTheEnd, isRepeated } from './judged-query.js';
import { sizeFor } from './query-size.js';
import { isScanned, type QueryCost } from './query-cost.js';
import type { QueryGroup } from './query-groups.js';
import type { SearchLimits } from './query-thresholds.js';
import type { Query } from './query.js';

/** Share of what is examined up to which few are returned, if a query reads to the end. */
const FEW = 0.2;

/** Documents examined for each one returned, from which a query that stops at what it finds did not find it soon. */
const EXAMINED_PER_RETURNED = 100;

/** Null if few are compared. */
export function searchSeverity({ cost, queries }: QueryGroup, limits: SearchLimits): Severity | null {
  const compared = Math.max(...queries.map((query) => comparedAtJudgedSize(query, cost)));
  const bySize = severityOf(compared, limits);
  const isOfApplication =
    bySize !== null && queries.some((query) => isRecurringSearch(query, cost, compared, limits.recurring));
  if (!isOfApplication) return bySize;
  const perDay = compared * (cost.executionsPerDay ?? 0);
  return worst([
    bySize,
    severityOf(compared, { info: Infinity, warning: limits.redesign, error: Infinity }),
    perDay >= limits.errorPerDay ? 'error' : null,
  ]);
}

/** Documents or index keys that an execution compares, whichever are more. */
export function comparedBy({ documentsExamined, keysExamined }: QueryCost): number {
  return Math.max(documentsExamined ?? 0, keysExamined ?? 0);
}

/** Documents or index keys that an execution compares in vain. */
export function comparedInVain(query: Query, cost: QueryCost): number {
  return comparedBy(cost) - (query.tellsMatches ? (cost.documentsReturned ?? 0) : 0);
}

export function comparedThing({ documentsExamined, keysExamined }: QueryCost): 'document' | 'index key' {
  return (documentsExamined ?? 0) >= (keysExamined ?? 0) ? 'document' : 'index key';
}

export function comparedAtJudgedSize(query: Query, cost: QueryCost): number {
  const size = sizeFor(query);
  const scanned = isScanned(query) ? (examinedAtJudgedSize(query, cost) ?? 0) : 0;
  return Math.max(size === null ? comparedBy(cost) : atJudgedSize(comparedBy(cost), size), scanned);
}

/**
 * Whether the figures show a fault of the design: an application repeats a search for few of the documents, and what an
 * execution examines grows with the collection.
 *
 * @param examined documents or index keys per execution, at the judged size
 * @param recurring executions from which a query counts as repeated
 */
export function isRecurringSearch(query: Query, cost: QueryCost, examined: number, recurring: number): boolean {
  return isRepeated(query, cost, recurring) && returnsFew(query, cost, examined);
}

/** False if the figures do not say how many match. */
function returnsFew(query: Query, { documentsReturned }: QueryCost, examined: number): boolean {
  if (documentsReturned === null || query.joins) return false;
  if (!query.tellsMatches) return query.tellsWhetherAny && documentsReturned === 0;
  return isReadToTheEnd(query)
    ? documentsReturned < FEW * examined
    : examined >= EXAMINED_PER_RETURNED * Math.max(1, documentsReturned);
}
