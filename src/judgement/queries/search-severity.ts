import type { Severity } from '../../finding.js';
import { atJudgedSize } from '../judged-size.js';
import { lowered, severityOf, worst } from '../severity-lines.js';
import { examinedAtJudgedSize, isReadToTheEnd, sizeFor } from './judged-query.js';
import { isScanned, type QueryCost } from './query-cost.js';
import type { QueryGroup } from './query-groups.js';
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

/** Lines for searches that compare documents or index keys one by one. */
export const SEARCH_THRESHOLDS = {
  info: {
    default: 1_000,
    unit: 'documents',
    description:
      'documents or index keys examined per execution from which it is reported; a smaller collection is too small to tell',
    source: 'judgement: about a millisecond of processor per execution',
  },
  recurring: RECURRING,
  warning: {
    default: 10_000,
    unit: 'documents',
    description: 'documents or index keys examined per execution from which a warning is always given',
    source: 'judgement: some 10 ms of processor per execution',
  },
  error: {
    default: 1_000_000,
    unit: 'documents',
    description: 'documents or index keys examined per execution from which an error is given',
    source: 'judgement: a second of processor per execution and more',
  },
  errorPerDay: {
    default: 1_000_000,
    unit: 'documents',
    description:
      'documents or index keys examined a day, by all executions of a query for few of them, from which an error is given',
    source: 'judgement: a query that an index serves examines a thousandth of them',
  },
  perDay: {
    default: 24,
    unit: 'executions',
    description: 'executions per day below which the severity is one step lower',
    source: 'judgement: a nightly report may take a second',
  },
} as const;

export type SearchLimits = Readonly<Record<keyof typeof SEARCH_THRESHOLDS, number>>;

/** Null if few are compared. */
export function searchSeverity({ cost, queries }: QueryGroup, limits: SearchLimits): Severity | null {
  const compared = Math.max(...queries.map((query) => comparedAtJudgedSize(query, cost)));
  const bySize = severityOf(compared, limits);
  const isOfDesign =
    bySize !== null && queries.some((query) => isRecurringSearch(query, cost, compared, limits.recurring));
  const perDay = compared * (cost.executionsPerDay ?? 0);
  const severity = worst([bySize, isOfDesign ? (perDay >= limits.errorPerDay ? 'error' : 'warning') : null]);
  const isRare = cost.executionsPerDay !== null && cost.executionsPerDay < limits.perDay;
  return severity !== null && isRare ? (lowered(severity) ?? 'info') : severity;
}

/** Documents or index keys that an execution compares, whichever are more. */
export function comparedBy({ documentsExamined, keysExamined }: QueryCost): number {
  return Math.max(documentsExamined ?? 0, keysExamined ?? 0);
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
