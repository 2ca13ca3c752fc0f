import type { Severity, ThresholdValues } from '../../src/check.js';
import { countsOnKeys } from '../../src/judgement/advice/documents-with-index.js';
import { shareFound } from '../../src/judgement/advice/index-value.js';
import { atJudgedSize } from '../../src/judgement/judged-size.js';
import { isFilled, type QueryCost } from '../../src/judgement/queries/query-cost.js';
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
import { laterRange } from './later-range.js';

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

/** What an execution examines too much of: documents, or only keys of an index. */
interface Excess {
  readonly what: 'documentsExamined' | 'keysExamined';
  /** Per execution, and the same at the judged size. */
  readonly recorded: number;
  readonly examined: number;
  /** For each document that matches; null if the figures do not tell how many do. */
  readonly ratio: number | null;
}

/** Whether the figures tell how many documents match. A count, distinct values and groups do not, unless there were none. */
export function knowsMatches({ returnsEachMatch, returnsIfAny }: Query, { documentsReturned }: QueryCost): boolean {
  return returnsEachMatch ? documentsReturned !== null : returnsIfAny && documentsReturned === 0;
}

/** Null if it is not too much. What reads most of the collection by an index costs more than a scan, and is judged as one. */
export function excessOf(query: Query, cost: QueryCost, { info }: Pick<Limits, 'info'>): Excess | null {
  const examined = cost.documentsExamined;
  if (examined === null) return null;
  if (!knowsMatches(query, cost)) return query.returnsEachMatch ? null : excessUncounted(query, cost);
  // For a page, a sort in memory examines all that match: in-memory-sort reports it.
  if (isFilled(query) && (cost.inMemorySorts ?? 0) > 0) return null;
  const isScan = examined >= MOST_OF_ALL * (sizeFor(query)?.recorded ?? Infinity);
  const documents = excessIn(query, cost, 'documentsExamined');
  const keys = excessIn(query, cost, 'keysExamined');
  if (documents.ratio >= (isScan ? Math.min(info, 1 / SHARE_WANTED) : info)) return documents;
  return keys.ratio >= info && (hasScatteredKeys(query) || laterRange(query, cost) !== null) ? keys : null;
}

/** At the judged size, only a search for one still returns as few, and what finds one value finds as few. */
function excessIn(query: Query, cost: QueryCost, what: Excess['what']): Excess & { readonly ratio: number } {
  const [recorded, returned] = [cost[what] ?? 0, cost.documentsReturned ?? 0];
  const size = sizeFor(query);
  const isBound = recorded <= ONE || !isShareOfAll(query, recorded);
  const examined = size === null || isBound ? recorded : atJudgedSize(recorded, size);
  return { what, recorded, examined, ratio: (returned <= ONE ? examined : recorded) / Math.max(1, returned) };
}

/** What an index that has all fields of the conditions would not examine, however many match. */
function excessUncounted(query: Query, cost: QueryCost): Excess | null {
  const isOfKeys = cost.documentsExamined === 0;
  // The sample may show that most of the keys are of what is asked for: a count reads one for each.
  const counted = shareFound(query, 'average') * (sizeFor(query)?.recorded ?? 0);
  const isTooMuch = isOfKeys
    ? hasScatteredKeys(query) && counted < MOST_OF_ALL * (cost.keysExamined ?? Infinity)
    : lackedFields(query, countsOnKeys(query)).length > 0;
  return isTooMuch ? { ...excessIn(query, cost, isOfKeys ? 'keysExamined' : 'documentsExamined'), ratio: null } : null;
}

/** By the figures of all queries of a group together; null if these are not all of one kind. */
export function gradeOf({ queries, cost, remedy, withIndex }: QueryGroup, limits: Limits): Severity | null {
  const [query] = queries;
  const excess = excessOf(query, cost, limits);
  const isOfOneKind = queries.every((each) => knowsMatches(each, cost) === knowsMatches(query, cost));
  if (excess === null || !isOfOneKind || excess.examined < limits.documents) return null;
  const { what, recorded, examined, ratio } = excess;
  if (remedy === null && (what === 'keysExamined' || ratio === null)) return null;
  const isOfDesign = isShareOfAll(query, recorded);
  if (ratio === null) {
    const isCovered = what === 'documentsExamined' && withIndex.every((each) => each?.documents === 0);
    const isMuch = examined >= WARNING.default || (isOfDesign && isRepeated(query, cost));
    return isCovered && isMuch ? 'warning' : 'info';
  }
  if (ratio < limits.warning && !(isOfDesign && isRecurringSearch(query, cost, examined))) return 'info';
  const isMuch = examined >= ERROR.default || examined * (cost.executionsPerDay ?? 0) >= ERROR_PER_DAY;
  return isMuch ? 'error' : 'warning';
}
