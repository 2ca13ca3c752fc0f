import type { IndexDescription, Severity, ThresholdValues } from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount, plural } from '../src/format.js';
import { countsOnKeys } from '../src/judgement/advice/documents-with-index.js';
import { foundWith, shareFound } from '../src/judgement/advice/index-value.js';
import { byIndex, obstacleOf, type QueryPlace } from '../src/judgement/advice/query-suggestions.js';
import { accompanyingIndex } from '../src/judgement/indexes/index-steps.js';
import type { JoinedCluster } from '../src/judgement/joins/joined-cluster.js';
import { atJudgedSize } from '../src/judgement/judged-size.js';
import { everyCondition, isEmpty } from '../src/judgement/queries/conditions.js';
import { averageText, withSimilar } from '../src/judgement/queries/judged-query.js';
import { defineQueryCheck } from '../src/judgement/queries/query-check.js';
import {
  isFilled,
  isScanned,
  queryCost,
  type QueryCost,
  returnsAllThatMatch,
} from '../src/judgement/queries/query-cost.js';
import type { QueryGroup } from '../src/judgement/queries/query-groups.js';
import { documentWeight, isRepeated, isShareOfAll, sizeFor } from '../src/judgement/queries/query-size.js';
import {
  ERROR,
  ERROR_PER_DAY,
  MOST_OF_ALL,
  RETIRED_OF_OPERATIONS,
  SEARCH_THRESHOLDS,
  SHARE_WANTED,
  WARNING,
} from '../src/judgement/queries/query-thresholds.js';
import type { Query } from '../src/judgement/queries/query.js';
import {
  equalFields,
  hasScatteredKeys,
  type KeyField,
  lackedFields,
  recordedSkips,
  scannedKeys,
} from '../src/judgement/queries/scattered-keys.js';
import { isRecurringSearch } from '../src/judgement/queries/search-severity.js';
import { placeOfSpecial } from '../src/judgement/queries/special-searches.js';

const thresholds = {
  info: {
    default: 100,
    unit: 'ratio',
    description: 'documents or index keys examined for each one returned or written',
    source: 'judgement: a tenth of the warning',
  },
  warning: {
    default: 1_000,
    unit: 'ratio',
    description: 'documents or index keys examined for each one returned or written',
    source: 'MongoDB Atlas, alerts "Query Targeting: Scanned Objects / Returned" and "Scanned / Returned": above 1,000',
  },
  documents: SEARCH_THRESHOLDS.info,
} as const;

const retiredThresholds = [...RETIRED_OF_OPERATIONS, 'counted', 'error'];

/** From so many for each one that is needed: a small collection may hide more, and all executions of a day may examine much. */
const FEW = { info: 10 };

/**
 * A recorded query by an index is a finding if it examines far more documents than match, or far more index keys where equality,
 * sort, range order examines fewer. Of a count or a group, nobody knows how many match: it is one if its index lacks a field of
 * the conditions. Scans, obstacles and joins have checks of their own.
 */
export const poorTargeting = defineQueryCheck({
  id: 'poor-targeting',
  title: 'Poor query targeting',
  summary: 'queries that use an index and examine far more documents or index keys than they return',
  thresholds,
  retiredThresholds,
  floor: 'documents',
  isAbout(query) {
    const { conditions, joins } = query;
    const isOther = isScanned(query) || isEmpty(conditions) || joins || obstacleOf(query) !== null;
    return !isOther && !everyCondition(conditions).some(({ ignoresCase }) => ignoresCase);
  },
  match: (query, cost, { limits }) =>
    (excessOf(query, cost, limits)?.examined ?? 0) >= limits.documents ||
    (excessOf(query, cost, FEW) !== null && 'few'),
  place: placeOf,
  specialPlace: placeOfSpecial,
  wasted(query, cost) {
    const excess = excessOf(query, cost, FEW);
    return excess === null || excess.ratio === null ? null : excess.recorded - (cost.documentsReturned ?? 0);
  },
  severity: (group, { limits }) => gradeOf(group, limits),
  // An update that changes nothing is recorded as one that wrote nothing.
  confidence: ({ queries, cost }) =>
    queries.every((query) => knowsMatches(query, cost) && query.operation.shape.kind !== 'update') ? 'high' : 'medium',
  message(group, { limits }) {
    const { queries, cost } = group;
    const excess = excessOf(queries[0], cost, limits) ?? excessOf(queries[0], cost, FEW);
    const isOfKeys = excess?.what === 'keysExamined';
    const why = isOfKeys ? 'walks past keys that another order of its fields would not' : 'is not selective enough';
    const examined = Math.round(excess?.recorded ?? cost.documentsExamined ?? 0);
    const returned = queries.every((query) => knowsMatches(query, cost)) ? cost.documentsReturned : null;
    return `The index used for ${withSimilar(group)} ${why}. An execution examines ${plural(examined, isOfKeys ? 'index key' : 'document')}${averageText(group, returned)} on average (${cost.window}).`;
  },
  withoutIndex: () =>
    stepsOf(
      'No index finds fewer documents by these conditions. Add an equality or a range that narrows them down, or store the queried value in a field of its own, and index that.',
    ),
});

/** Documents returned up to which a query looks for one, and will in a larger collection too. */
const ONE = 2;

type Limits = ThresholdValues<typeof thresholds>;

/** What an execution examines too much of: documents, or only keys of an index. */
interface Excess {
  readonly what: 'documentsExamined' | 'keysExamined';
  /** Per execution, and the same at the judged size: there, each 4 KB of a document count as one. */
  readonly recorded: number;
  readonly examined: number;
  /** For each document that matches; null if the figures do not tell how many do. */
  readonly ratio: number | null;
}

/** Whether the figures tell how many documents match. A count, distinct values and groups do not, unless there were none. */
function knowsMatches({ returnsEachMatch, returnsIfAny }: Query, { documentsReturned }: QueryCost): boolean {
  return returnsEachMatch ? documentsReturned !== null : returnsIfAny && documentsReturned === 0;
}

/** Null if it is not too much. What reads most of the collection by an index costs more than a scan, and is judged as one. */
function excessOf(query: Query, cost: QueryCost, { info }: Pick<Limits, 'info'>): Excess | null {
  const examined = cost.documentsExamined;
  if (examined === null) return null;
  if (!knowsMatches(query, cost)) return query.returnsEachMatch ? null : excessUncounted(query, cost);
  // For a page, a sort in memory examines all that match: in-memory-sort reports it.
  if (isFilled(query) && (cost.inMemorySorts ?? 0) > 0) return null;
  const isScan = examined >= MOST_OF_ALL * (sizeFor(query)?.recorded ?? Infinity);
  const documents = excessIn(query, cost, 'documentsExamined');
  const keys = excessIn(query, cost, 'keysExamined');
  const least = isRecurringSearch(query, cost, documents.examined) ? Math.min(info, FEW.info) : info;
  const areDocuments = documents.ratio >= (isScan ? Math.min(info, 1 / SHARE_WANTED) : least);
  // A hundred documents must not hide ten thousand keys.
  if (areDocuments && keys.examined < FEW.info * documents.examined) return documents;
  const areKeys = keys.ratio >= info && (hasScatteredKeys(query) || laterRange(query, cost) !== null);
  return areKeys ? keys : areDocuments ? documents : null;
}

/** At the judged size, only a search for one still returns as few, and what finds one value finds as few. */
function excessIn(query: Query, cost: QueryCost, what: Excess['what']): Excess & { readonly ratio: number } {
  const [recorded, returned] = [cost[what] ?? 0, cost.documentsReturned ?? 0];
  const size = sizeFor(query);
  const isBound = recorded <= ONE || !isShareOfAll(query, recorded);
  const atSize = size === null || isBound ? recorded : atJudgedSize(recorded, size);
  const ratio = (returned <= ONE ? atSize : recorded) / Math.max(1, returned);
  return { what, recorded, examined: what === 'documentsExamined' ? atSize * documentWeight(query) : atSize, ratio };
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
function gradeOf({ queries, cost, remedy, withIndex }: QueryGroup, limits: Limits): Severity | null {
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

/** A range behind another range, or behind the sort, in the key of the index that was used. */
interface LaterRange {
  /** The fields of that index up to the range, but for those that are walked to test it, and then these. */
  readonly first: readonly KeyField[];
  readonly rest: readonly [KeyField, ...KeyField[]];
  /** Keys per execution of an index with these: an estimate. */
  readonly keys: number;
}

/**
 * Null if there is none, or if an index that begins with it would not examine far fewer keys. Of the keys that are walked,
 * the share that is returned matches the later range. By that share of what the equalities before it find, an index with this
 * range first would examine `returned × found ÷ keys`; and what is returned, if all that they find was walked.
 */
function laterRange(query: Query, { keysExamined, documentsReturned }: QueryCost): LaterRange | null {
  const [size, equal, [key, ...others]] = [sizeFor(query), equalFields(query), scannedKeys(query)];
  const { all, alternatives } = query.conditions;
  const isOneWalk = others.length === 0 && alternatives.length === 0 && recordedSkips(query) === null;
  if (size === null || key === undefined || !isOneWalk || !query.returnsEachMatch) return null;
  if (keysExamined === null || documentsReturned === null) return null;
  const isRange = (path: string) => all.some((each) => each.path === path && each.role === 'range');
  const start = key.findIndex(([path]) => !equal.has(path));
  const [fixed, [before, ...behind]] = [key.slice(0, start), key.slice(start)];
  const later = behind.find(([path]) => isRange(path));
  if (start === -1 || later === undefined || before === undefined) return null;
  const share =
    (foundWith(query, Object.fromEntries(fixed))?.documents ?? size.documents) / Math.max(1, size.documents);
  const isWalkedWhole = start > 0 && !isRange(before[0]) && returnsAllThatMatch(query);
  const found = isWalkedWhole ? keysExamined : size.recorded * share;
  const keys = Math.max(1, documentsReturned) * Math.max(1, found / Math.max(1, keysExamined));
  if (keys * FEW.info > keysExamined) return null;
  return { first: [...fixed, later], rest: [before, ...behind.filter((field) => field !== later)], keys };
}

/** By the index that would find the documents, or by the range that stands behind another in the one that serves them. */
function placeOf(query: Query, existing: readonly IndexDescription[], cluster: JoinedCluster): QueryPlace | 'served' {
  const place = byIndex(query, existing, cluster);
  const cost = place === 'served' ? queryCost([query], cluster.workload) : null;
  const later = cost === null ? null : laterRange(query, cost);
  if (later === null) return place;
  const { first, rest, keys } = later;
  const [path] = first.at(-1) ?? [''];
  const isFirst = (fields: readonly string[]) => first.every(([each], position) => fields[position] === each);
  if (existing.some(({ key, hidden }) => !hidden && isFirst(Object.keys(key)))) return 'served';
  const why =
    `Few documents match the condition on \`${path}\`. Create an index with \`${path}\` in front of \`${rest[0][0]}\`: it is estimated to ` +
    `examine ${formatCount(Math.ceil(keys))} keys per execution.`;
  const steps = stepsOf(
    ...accompanyingIndex(Object.fromEntries([...first, ...rest]), query.known, why),
    'Compare totalKeysExamined of both in explain("executionStats"), each as the hint of the query. Keep the index with fewer, and drop the other unless another query needs it.',
  );
  return { path, remedy: { steps } };
}
