import type { Severity, ThresholdValues } from '../../src/check.js';
import { countsOnly } from '../../src/judgement/advice/documents-with-index.js';
import { shareFound } from '../../src/judgement/advice/index-value.js';
import { atJudgedSize } from '../../src/judgement/judged-size.js';
import { equalPaths } from '../../src/judgement/queries/conditions.js';
import type { QueryContext } from '../../src/judgement/queries/query-check.js';
import { queryCost, type QueryCost } from '../../src/judgement/queries/query-cost.js';
import type { QueryGroup } from '../../src/judgement/queries/query-groups.js';
import { isRepeated, isShareOfAll, sizeFor } from '../../src/judgement/queries/query-size.js';
import {
  ERROR,
  ERROR_PER_DAY,
  MOST_OF_ALL,
  RETIRED_OF_OPERATIONS,
  SEARCH_THRESHOLDS,
  SHARE_WANTED,
  WARNING,
} from '../../src/judgement/queries/query-thresholds.js';
import type { Query } from '../../src/judgement/queries/query.js';
import { hasScatteredKeys, lackedFields } from '../../src/judgement/queries/scattered-keys.js';
import { isRecurringSearch } from '../../src/judgement/queries/search-severity.js';
import { severityOf } from '../../src/judgement/severity-lines.js';
import { isWorse } from '../../src/severity.js';
import { laterRange } from './later-range.js';

/** Share of the keys that a count reads, from which they are those that it counts. Judgement. */
const MOST_KEYS = 0.5;

/** Documents returned up to which a query looks for one, and will in a larger collection too. */
const ONE = 2;

export const thresholds = {
  info: {
    default: 100,
    unit: 'ratio',
    description: 'documents or index keys examined for each one returned or written, from which an info is given',
    source: 'judgement: a tenth of the warning',
  },
  warning: {
    default: 1_000,
    unit: 'ratio',
    description: 'documents or index keys examined for each one returned or written, from which a warning is given',
    source: 'MongoDB Atlas, alerts "Query Targeting: Scanned Objects / Returned" and "Scanned / Returned": above 1,000',
  },
  documents: SEARCH_THRESHOLDS.info,
} as const;

export const retiredThresholds = [...RETIRED_OF_OPERATIONS, 'counted', 'error'];

type Limits = ThresholdValues<typeof thresholds>;

export type Context = QueryContext<typeof thresholds>;

/** What an execution examines too much of: documents, or only keys of an index. */
export type Examined = 'documentsExamined' | 'keysExamined';

interface Grade {
  readonly what: Examined;
  readonly severity: Severity;
}

/** Whether the figures tell how many documents match. A count, distinct values and groups do not, unless there were none. */
export function knowsMatches({ tellsMatches, tellsWhetherAny }: Query, { documentsReturned }: QueryCost): boolean {
  return tellsMatches ? documentsReturned !== null : tellsWhetherAny && documentsReturned === 0;
}

/** Whether what the queries of a group return are the documents that match. */
export function areMatches({ queries, cost }: Pick<QueryGroup, 'queries' | 'cost'>): boolean {
  return queries.every((query) => knowsMatches(query, cost));
}

/** Of each query: a cheap one that runs often would hide an expensive one in the average of those that one index serves. */
export function examinedTooMuch(query: Query, cost: QueryCost, leastRatio: number): Examined[] {
  if (cost.documentsExamined === null) return [];
  if (!knowsMatches(query, cost)) return query.tellsMatches ? [] : examinedUncounted(query, cost);
  // A sort in memory examines all that match: in-memory-sort reports it.
  if (query.limited && (cost.inMemorySorts ?? 0) > 0) return [];
  if (ratioOf(query, cost, 'documentsExamined') >= leastRatio) return ['documentsExamined'];
  const isByKeys = ratioOf(query, cost, 'keysExamined') >= leastRatio;
  return isByKeys && (hasScatteredKeys(query) || laterRange(query, cost) !== null) ? ['keysExamined'] : [];
}

/**
 * Documents examined for each one returned from which a query is reported: what reads most of the collection by an index costs
 * more than a scan, and is judged as one.
 */
export function leastRatioOf(query: Query, { documentsExamined }: QueryCost, info: number): number {
  const size = sizeFor(query);
  const isScan = size !== null && (documentsExamined ?? 0) >= MOST_OF_ALL * size.recorded;
  return isScan ? Math.min(info, 1 / SHARE_WANTED) : info;
}

/** What an index that has all fields of the conditions would not examine, however many match. */
function examinedUncounted(query: Query, { documentsExamined, keysExamined }: QueryCost): Examined[] {
  if ((documentsExamined ?? 0) > 0)
    return lackedFields(query, countsOnly(query.operation.shape)).length > 0 ? ['documentsExamined'] : [];
  return hasScatteredKeys(query) && !areMostlyCounted(query, keysExamined) ? ['keysExamined'] : [];
}

/** Whether the sample shows that most of the keys are of what is asked for: a count reads one for each. */
function areMostlyCounted(query: Query, keysExamined: number | null): boolean {
  const documents = shareFound(query, 'average') * (sizeFor(query)?.recorded ?? 0);
  return documents >= MOST_KEYS * (keysExamined ?? Infinity);
}

/** Per execution, at the judged size: what finds one value, or a unique key, finds as few in a larger collection. */
export function examinedBy(query: Query, cost: QueryCost, what: Examined): number {
  const examined = cost[what] ?? 0;
  const size = sizeFor(query);
  const isBound = examined <= ONE || hasUniqueKey(query) || !isShareOfAll(query, examined);
  return size === null || isBound ? examined : atJudgedSize(examined, size);
}

/** Whether at most one document can match: each field of a unique index is compared with one value. */
function hasUniqueKey({ conditions, known: { indexes } }: Query): boolean {
  const equal = new Set(equalPaths(conditions));
  const unique = indexes.present ? indexes.value.filter((index) => index.unique && !index.hidden) : [];
  return equal.has('_id') || unique.some(({ key }) => Object.keys(key).every((path) => equal.has(path)));
}

/** Documents or keys examined for each one returned. At the judged size, only a search for one still returns as few. */
function ratioOf(query: Query, cost: QueryCost, what: Examined): number {
  const [examined, returned] = [cost[what] ?? 0, cost.documentsReturned ?? 0];
  return (returned <= ONE ? examinedBy(query, cost, what) : examined) / Math.max(1, returned);
}

/** By the average of the queries, or by each of them if what they return is not all the same. */
export function worstOf(group: QueryGroup, { limits, cluster }: Context): Grade | null {
  const { queries, cost, remedy, withIndex } = group;
  if (areMatches(group)) return gradeOf(queries[0], cost, remedy !== null, limits);
  const grades = queries.map((query, position) => {
    const own = queryCost([query], cluster.workload);
    if (own === null || remedy === null) return null;
    return knowsMatches(query, own)
      ? gradeOf(query, own, true, limits)
      : gradeUncounted(query, own, withIndex[position]?.documents === 0, limits);
  });
  return grades.reduce(
    (worst, each) => (worst === null || (each !== null && isWorse(each.severity, worst.severity)) ? each : worst),
    null,
  );
}

function gradeOf(query: Query, cost: QueryCost, hasRemedy: boolean, limits: Limits): Grade | null {
  for (const what of ['documentsExamined', 'keysExamined'] as const) {
    const [examined, ratio] = [examinedBy(query, cost, what), ratioOf(query, cost, what)];
    if (examined < limits.documents || (what === 'keysExamined' && !hasRemedy)) continue;
    const info = what === 'documentsExamined' ? leastRatioOf(query, cost, limits.info) : limits.info;
    const byRatio = severityOf(ratio, { info, warning: limits.warning, error: Infinity });
    const isOfDesign = isShareOfAll(query, cost[what] ?? 0) && isRecurringSearch(query, cost, examined);
    const isMuch = examined >= ERROR.default || examined * (cost.executionsPerDay ?? 0) >= ERROR_PER_DAY;
    const level = byRatio === 'info' && isOfDesign ? 'warning' : byRatio;
    if (level !== null) return { what, severity: level === 'warning' && isMuch ? 'error' : level };
  }
  return null;
}

/** @param isCovered whether keys alone would do, so that no document would be read however many match */
function gradeUncounted(query: Query, cost: QueryCost, isCovered: boolean, limits: Limits): Grade | null {
  const [what] = examinedUncounted(query, cost);
  const examined = what === undefined ? 0 : examinedBy(query, cost, what);
  if (what === undefined || examined < limits.documents) return null;
  const isOfDesign = isShareOfAll(query, cost[what] ?? 0) && isRepeated(query, cost);
  const isWarning = isCovered && what === 'documentsExamined' && (examined >= WARNING.default || isOfDesign);
  return { what, severity: isWarning ? 'warning' : 'info' };
}
