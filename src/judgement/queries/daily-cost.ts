import type { Severity } from '../../finding.js';
import { formatCount, formatShare } from '../../format.js';
import { SOURCE_NAMES } from '../../workload/coverage/recording.js';
import type { TracedWorkload } from '../../workload/traced-workload.js';
import { FIGURE_SOURCES } from '../../workload/workload.js';
import { quotient } from '../quotient.js';
import type { QueryCost } from './query-cost.js';
import { MAIN_PART, WASTED_PER_DAY } from './query-thresholds.js';

/** What a query examines in vain by all its executions, however little one of them does. */
export interface DailyCost {
  /** Documents or index keys a day; if it is not known how often it runs a day, as many as were recorded. */
  readonly examined: number;
  readonly isOfDay: boolean;
  /** Share of the documents and index keys that all recorded operations examine, 0 to 1; null if nothing counts them. */
  readonly share: number | null;
  /** A large part of all work is a warning, the rest an info. */
  readonly severity: Severity;
}

/**
 * A main part of the work is a warning, and an info within the margin: what was a warning is not gone because of the
 * share of one night. Null if it is none.
 *
 * @param examined documents or index keys per execution
 */
export function mainPartSeverity(
  { shareOfExamined }: Pick<QueryCost, 'shareOfExamined'>,
  examined: number,
): Severity | null {
  const share = examined >= MAIN_PART.examined ? (shareOfExamined ?? 0) : 0;
  if (share < MAIN_PART.stillShare) return null;
  return share >= MAIN_PART.share ? 'warning' : 'info';
}

/** Whether a query was a main part of the work if it was one before: the shares of two recordings differ. */
export function mayBeMainPart(cost: QueryCost): boolean {
  return mainPartSeverity(cost, Math.max(cost.documentsExamined ?? 0, cost.keysExamined ?? 0)) !== null;
}

/**
 * Null if it is little, and no main part of what is recorded.
 *
 * @param wasted documents or index keys that an execution examines beyond those that it returns
 */
export function dailyCost(cost: QueryCost, wasted: number, { examined: byAll }: TracedWorkload): DailyCost | null {
  const { executions, executionsPerDay, documentsExamined, keysExamined } = cost;
  const examined = wasted * (executionsPerDay ?? executions);
  if (examined < WASTED_PER_DAY && mainPartSeverity(cost, wasted) === null) return null;
  const source = FIGURE_SOURCES.find((each) => SOURCE_NAMES[each] === cost.source);
  const own = ((documentsExamined ?? 0) + (keysExamined ?? 0)) * executions;
  const share = source === undefined ? null : quotient(own, byAll[source]);
  const severity = share !== null && share >= MAIN_PART.share ? 'warning' : 'info';
  return { examined, isOfDay: executionsPerDay !== null, share, severity };
}

/** " All executions examine 3,000,000 in vain a day; the query is 42 % of all that is examined." */
export function dailyText({ examined, isOfDay, share }: DailyCost): string {
  const part = share === null ? '' : `; the query is ${formatShare(share)} of all that is examined`;
  return ` All executions examine ${formatCount(Math.round(examined))} in vain${isOfDay ? ' a day' : ''}${part}.`;
}
