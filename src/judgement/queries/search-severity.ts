import type { Severity } from '../../finding.js';
import { atJudgedSize } from '../judged-size.js';
import { lowered, severityOf, worst } from '../severity-lines.js';
import { examinedAtJudgedSize, sizeFor } from './judged-query.js';
import { isScanned, type QueryCost } from './query-cost.js';
import type { QueryGroup } from './query-groups.js';
import type { Query } from './query.js';
import { isRecurringSearch, RECURRING } from './recurring-search.js';

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
