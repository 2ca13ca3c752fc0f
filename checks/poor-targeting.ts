import type { Severity, ThresholdValues } from '../src/check.js';
import { plural } from '../src/format.js';
import { equalPaths, everyCondition, isEmpty } from '../src/judgement/queries/conditions.js';
import { averageText, isShareOfAll, sizeFor, withSimilar } from '../src/judgement/queries/judged-query.js';
import { defineQueryCheck } from '../src/judgement/queries/query-check.js';
import { isScanned, type QueryCost } from '../src/judgement/queries/query-cost.js';
import type { QueryGroup } from '../src/judgement/queries/query-groups.js';
import { explainSteps } from '../src/judgement/queries/query-remedy.js';
import { obstacleOf } from '../src/judgement/queries/query-suggestions.js';
import {
  ERROR,
  ERROR_PER_DAY,
  PER_DAY,
  RECURRING,
  SEARCH_THRESHOLDS,
} from '../src/judgement/queries/query-thresholds.js';
import type { Query } from '../src/judgement/queries/query.js';
import { isRecurringSearch } from '../src/judgement/queries/search-severity.js';
import { severityOf } from '../src/judgement/severity-lines.js';
import { atJudgedSize } from '../src/judgement/judged-size.js';
import { hasScatteredKeys } from '../src/judgement/queries/scattered-keys.js';

/** Documents returned up to which a query looks for one, and will in a larger collection too. */
const ONE = 2;

/** Documents examined for each one returned, from which a small collection may hide that a query finds too much. */
const RATIO_OF_FEW = 10;

const thresholds = {
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
  recurring: RECURRING,
  error: ERROR,
  errorPerDay: ERROR_PER_DAY,
  perDay: PER_DAY,
} as const;

type Limits = ThresholdValues<typeof thresholds>;

export const poorTargeting = defineQueryCheck({
  id: 'poor-targeting',
  title: 'Poor query targeting',
  summary: 'queries that use an index and examine far more documents or index keys than they return',
  thresholds,
  floor: 'documents',
  isAbout: isTelling,
  match(query, cost, { limits }) {
    const reaches = (what: Examined) => examinedBy(query, cost, what) >= limits.documents;
    if (examinedTooMuch(query, cost, limits.info).some(reaches)) return true;
    return examinedTooMuch(query, cost, RATIO_OF_FEW).some((what) => !reaches(what)) && 'few';
  },
  severity: (group, { limits }) => worstOf(group, limits)?.severity ?? null,
  // An update that changes nothing is recorded as one that wrote nothing.
  confidence: ({ queries }) => (queries.some(({ operation }) => operation.shape.kind === 'update') ? 'medium' : 'high'),
  message: (group, { limits }) => messageOf(group, worstOf(group, limits)?.what ?? 'documentsExamined'),
  figures(group, { limits }) {
    const examined = group.cost[worstOf(group, limits)?.what ?? 'documentsExamined'] ?? 0;
    return { examinedPerReturned: Math.round(examined / Math.max(1, group.cost.documentsReturned ?? 0)) };
  },
  withoutIndex: ({ isCut }) => (isCut ? explainSteps() : WITHOUT_INDEX),
});

function isTelling(query: Query): boolean {
  const { conditions, tellsMatches, tellsWhetherAny, joins } = query;
  if (isScanned(query) || isEmpty(conditions) || !(tellsMatches || tellsWhetherAny) || joins) return false;
  // unselective-filter reports these.
  if (obstacleOf(query) !== null) return false;
  return !everyCondition(conditions).some(({ ignoresCase }) => ignoresCase);
}

function worstOf(group: QueryGroup, limits: Limits): { readonly what: Examined; readonly severity: Severity } | null {
  for (const what of ['documentsExamined', 'keysExamined'] as const) {
    const severity = severityFor(group, limits, what);
    if (severity !== null) return { what, severity };
  }
  return null;
}

function severityFor({ queries: [query], cost, remedy }: QueryGroup, limits: Limits, what: Examined): Severity | null {
  const [examined, ratio] = [examinedBy(query, cost, what), ratioOf(query, cost, what)];
  if (examined < limits.documents || (what === 'keysExamined' && remedy === null)) return null;
  const byRatio = severityOf(ratio, { info: limits.info, warning: limits.warning, error: Infinity });
  const isOfDesign = isShareOfAll(query, cost[what] ?? 0) && isRecurringSearch(query, cost, examined, limits.recurring);
  const isMuch = examined >= limits.error || examined * (cost.executionsPerDay ?? 0) >= limits.errorPerDay;
  const level = byRatio === 'info' && isOfDesign ? 'warning' : byRatio;
  return level === 'warning' && isMuch ? 'error' : level;
}

function messageOf(group: QueryGroup, what: Examined): string {
  const examined = Math.round(group.cost[what] ?? 0);
  const things = what === 'documentsExamined' ? plural(examined, 'document') : plural(examined, 'index key');
  const why =
    what === 'documentsExamined' ? 'finds too much' : 'has its fields in another order than equality, sort, range';
  return (
    `The index used for ${withSimilar(group)} ${why}. An execution examines ${things}` +
    `${averageText(group, group.cost.documentsReturned ?? 0)} on average (${group.cost.window}).`
  );
}

const WITHOUT_INDEX = [
  {
    text: 'No index finds fewer documents by these conditions. Add an equality or a range that narrows them down, or store what is asked for in a field of its own, and index that.',
  },
];

/** What an execution examines too much of: documents, or only keys of an index. */
type Examined = 'documentsExamined' | 'keysExamined';

/** Of each query: a cheap one that runs often would hide an expensive one in the average of those that one index serves. */
function examinedTooMuch(query: Query, cost: QueryCost, leastRatio: number): Examined[] {
  if (cost.documentsExamined === null || cost.documentsReturned === null) return [];
  // A group returns fewer than match, but something if any do.
  if (!query.tellsMatches && cost.documentsReturned > 0) return [];
  // A sort in memory examines all that match: in-memory-sort reports it.
  if (query.limited && (cost.inMemorySorts ?? 0) > 0) return [];
  if (ratioOf(query, cost, 'documentsExamined') >= leastRatio) return ['documentsExamined'];
  const isByKeys = ratioOf(query, cost, 'keysExamined') >= leastRatio && hasScatteredKeys(query);
  return isByKeys ? ['keysExamined'] : [];
}

/** Per execution, at the judged size: what finds one value, or a unique key, finds as few in a larger collection. */
function examinedBy(query: Query, cost: QueryCost, what: Examined): number {
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
