import type { Severity, ThresholdValues } from '../../src/check.js';
import type { JoinedCluster } from '../../src/judgement/joins/joined-cluster.js';
import type { QueryContext } from '../../src/judgement/queries/query-check.js';
import { examinedInDatabase, type QueryCost } from '../../src/judgement/queries/query-cost.js';
import { examinedAtJudgedSize, isBelow, sizeFor } from '../../src/judgement/queries/query-size.js';
import {
  ERROR,
  ERROR_PER_DAY,
  RETIRED_OF_OPERATIONS,
  SCAN_SIZE,
  SHARE_WANTED,
  WARNING,
  WASTED_PER_DAY,
} from '../../src/judgement/queries/query-thresholds.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { isRecurringSearch } from '../../src/judgement/queries/search-severity.js';
import { severityOf, worst } from '../../src/judgement/severity-lines.js';

/** Below the floor, nearly any query returns a good share of the few documents: only half of them shows intent. */
const SHARE_WANTED_OF_FEW = 0.5;
/** Documents examined for each one returned, from which a query that stops early is not one that finds its first few. */
const EXAMINED_PER_RETURNED = 100;
/** Share of the documents examined in the database from which a small collection's scan is its main work. */
const NEARLY_ALL = 0.9;
/** Documents examined in all from which that share says something: a tenth of a second of processor. */
const LEAST_EXAMINED = 100_000;

export const thresholds = {
  documents: SCAN_SIZE,
  warning: WARNING,
  error: ERROR,
} as const;

export const retiredThresholds = [...RETIRED_OF_OPERATIONS, 'warningPerDay'];

type Limits = ThresholdValues<typeof thresholds>;

export type Context = QueryContext<typeof thresholds>;

export function isDeliberate(
  query: Query,
  { documentsExamined, documentsReturned }: QueryCost,
  { documents }: Limits,
): boolean {
  if (!query.returnsEachMatch || query.joins || documentsExamined === null || documentsReturned === null) return false;
  const isFew = (sizeFor(query)?.recorded ?? Infinity) < documents;
  if (isFew && query.limited) return false;
  return documentsReturned >= (isFew ? SHARE_WANTED_OF_FEW : SHARE_WANTED) * documentsExamined;
}

/** Among few documents, a search for one may find it first by chance: that shows neither a fault nor a good design. */
export function isFoundAtOnce(
  query: Query,
  { documentsExamined, documentsReturned }: QueryCost,
  { documents }: Limits,
): boolean {
  const isFew = (sizeFor(query)?.recorded ?? Infinity) < documents;
  return isFew && query.limited && (documentsReturned ?? 0) >= SHARE_WANTED_OF_FEW * (documentsExamined ?? 0);
}

/** By the documents examined at the judged size; null if they are few, "unknown" if nothing counts them. */
export function gradeOf(query: Query, cost: QueryCost, { cluster, limits }: Context): Severity | 'unknown' | null {
  const examined = examinedAtJudgedSize(query, cost);
  if (examined === null) return query.limited ? null : 'unknown';
  if (isFoundAtOnce(query, cost, limits)) return isBelow(query, limits.documents) ? null : 'info';
  const bySize = severityOf(examined, { info: limits.documents, warning: limits.warning, error: limits.error });
  // A query that stops at what it finds may find it later in a collection that has grown.
  const isSparse = examined >= EXAMINED_PER_RETURNED * Math.max(1, cost.documentsReturned ?? 0);
  const isInfo = isSparse && (!isBelow(query, limits.documents) || isMainWork(query, cost, cluster));
  const perDay = examined * (cost.executionsPerDay ?? cost.executions);
  const isBusy = perDay >= WASTED_PER_DAY && (bySize !== null || isSparse);
  return worst([bySize, ofDesign(query, cost, limits), isInfo ? 'info' : null, isBusy ? 'warning' : null]);
}

/** A fault that grows with the collection, whatever an execution costs today. */
export function ofDesign(query: Query, cost: QueryCost, limits: Limits): Severity | null {
  const examined = examinedAtJudgedSize(query, cost) ?? 0;
  if (examined < limits.documents || !isRecurringSearch(query, cost, examined)) return null;
  return examined * (cost.executionsPerDay ?? 0) >= ERROR_PER_DAY ? 'error' : 'warning';
}

/** A small collection's scan, if it is nearly all that the database is busy with. */
function isMainWork(
  { known }: Query,
  { documentsExamined, executions }: QueryCost,
  { workload }: JoinedCluster,
): boolean {
  const examined = (documentsExamined ?? 0) * executions;
  if (examined < LEAST_EXAMINED) return false;
  return examined >= NEARLY_ALL * examinedInDatabase(known.collection.database, workload);
}
