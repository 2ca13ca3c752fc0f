import type { Severity } from '../../finding.js';
import { formatCount, plural } from '../../format.js';
import { type Obstacle, obstacleOf } from '../advice/query-suggestions.js';
import { valuesAt } from '../joins/joined-values.js';
import { atJudgedSize } from '../judged-size.js';
import { severityOf, worst } from '../margins.js';
import { everyCondition } from './conditions.js';
import { mainPartSeverity } from './daily-cost.js';
import { isScanned, type QueryCost, returnsAllThatMatch } from './query-cost.js';
import type { QueryGroup } from './query-groups.js';
import {
  documentsText,
  documentWeight,
  examinedAtJudgedSize,
  isFrequent,
  isReadToTheEnd,
  isRepeated,
  sizeFor,
} from './query-size.js';
import { ERROR_PER_DAY, REDESIGN, REDESIGN_IF_FREQUENT, type SearchLimits, SHARE_WANTED } from './query-thresholds.js';
import type { Query } from './query.js';
import { scannedKeys } from './scattered-keys.js';

/** Share of what is examined up to which few are returned, if a query reads to the end. */
const FEW = 0.2;

/** Documents examined for each one returned, from which a query that stops at what it finds did not find it soon. */
const EXAMINED_PER_RETURNED = 10;

/**
 * Elements of arrays that take as long to compare as a document by a field of its own. Measured on 6.0.5: 0.2 to 0.6 µs an
 * element, 0.5 to 2.3 µs a document, however large.
 */
const ELEMENTS_PER_DOCUMENT = 4;

/**
 * Null if few are compared.
 *
 * @param redesign documents or index keys from which a repeated search is a warning
 */
export function searchSeverity(
  { cost, queries }: QueryGroup,
  limits: SearchLimits,
  redesign = redesignFrom(queries, cost),
): Severity | null {
  const compared = Math.max(...queries.map((query) => comparedAtJudgedSize(query, cost)));
  return severityInVain(
    compared,
    cost,
    queries.some((query) => isRecurringSearch(query, cost, compared)),
    limits,
    redesign,
  );
}

/**
 * The ladder of what an execution examines in vain. Null if it is little.
 *
 * @param examined documents or index keys per execution, at the judged size
 * @param isOfApplication whether an application repeats it
 * @param redesign documents or index keys from which it is a warning then
 */
export function severityInVain(
  examined: number,
  { executionsPerDay, shareOfExamined }: Pick<QueryCost, 'executionsPerDay' | 'shareOfExamined'>,
  isOfApplication: boolean,
  limits: SearchLimits,
  redesign: number,
): Severity | null {
  const bySize = severityOf(examined, limits);
  const byShare = mainPartSeverity({ shareOfExamined }, examined);
  if ((bySize === null && byShare === null) || !isOfApplication) return bySize;
  return worst([
    bySize,
    byShare,
    examined >= redesign ? 'warning' : null,
    examined * (executionsPerDay ?? 0) >= ERROR_PER_DAY ? 'error' : null,
  ]);
}

/** Documents or index keys per execution from which queries that are repeated are a warning. */
export function redesignFrom(queries: readonly Query[], cost: QueryCost): number {
  return queries.some((query) => isFrequent(query, cost)) ? REDESIGN_IF_FREQUENT : REDESIGN;
}

/** Documents or index keys that an execution compares, whichever are more. */
function comparedBy({ documentsExamined, keysExamined }: QueryCost): number {
  return Math.max(documentsExamined ?? 0, keysExamined ?? 0);
}

/** Documents or index keys that an execution compares in vain. */
export function comparedInVain(query: Query, cost: QueryCost): number {
  return comparedBy(cost) - (query.returnsEachMatch ? (cost.documentsReturned ?? 0) : 0);
}

/** "1,920 documents with 100 elements of arrays in each", "9,000 index keys". */
export function comparedText({ cost, queries }: QueryGroup): string {
  const elements = Math.max(...queries.map((query) => elementsCompared(query, cost)));
  const ofDocuments = queries.find((query) => isOfDocuments(query, cost));
  const things =
    ofDocuments !== undefined
      ? documentsText(ofDocuments, cost.documentsExamined ?? 0)
      : plural(Math.round(cost.keysExamined ?? 0), 'index key');
  return elements <= ELEMENTS_PER_DOCUMENT
    ? things
    : `${things} with ${formatCount(Math.round(elements))} elements of arrays in each`;
}

/** Whether documents are compared: always, if no key of the indexes used has a field that is only tested. */
function isOfDocuments(query: Query, { documentsExamined, keysExamined }: QueryCost): boolean {
  const tested = new Set(
    everyCondition(query.conditions).flatMap(({ role, path }) => (role === 'residual' ? [path] : [])),
  );
  const isOnKeys = scannedKeys(query).some((key) => key.some(([path]) => tested.has(path)));
  return (documentsExamined ?? 0) >= (keysExamined ?? 0) || !isOnKeys;
}

/** In each document, of the longest array that a condition is about; on average, as the sample has it. */
function elementsCompared(query: Query, cost: QueryCost): number {
  const { fieldTypes } = query.known;
  if (!fieldTypes.present || !isOfDocuments(query, cost)) return 0;
  const paths = everyCondition(query.conditions).map(({ path }) => path);
  return Math.max(0, ...paths.map((path) => valuesAt(fieldTypes.value, path)?.elementsPerArray ?? 0));
}

export function comparedAtJudgedSize(query: Query, cost: QueryCost): number {
  const size = sizeFor(query);
  const scanned = isScanned(query) ? (examinedAtJudgedSize(query, cost) ?? 0) : 0;
  const atSize = (compared: number) => (size === null ? compared : atJudgedSize(compared, size));
  const weighed = Math.max(atSize(cost.documentsExamined ?? 0), scanned) * documentWeight(query);
  const compared = Math.max(atSize(comparedBy(cost)), scanned);
  return Math.max(weighed, compared * Math.max(1, elementsCompared(query, cost) / ELEMENTS_PER_DOCUMENT));
}

/**
 * Whether the figures show a fault of the design: an application repeats a search for few of the documents, and what an
 * execution examines grows with the collection.
 *
 * @param examined documents or index keys per execution, at the judged size
 */
export function isRecurringSearch(query: Query, cost: QueryCost, examined: number): boolean {
  return isRepeated(query, cost) && returnsFew(query, cost, examined);
}

/** False if the figures do not say how many match. */
function returnsFew(query: Query, { documentsReturned }: QueryCost, examined: number): boolean {
  if (documentsReturned === null || query.joins) return false;
  if (!query.returnsEachMatch) return query.returnsIfAny && documentsReturned === 0;
  return isReadToTheEnd(query)
    ? documentsReturned < FEW * examined
    : examined >= EXAMINED_PER_RETURNED * Math.max(1, documentsReturned);
}

/** The obstacle that has a query examine documents, none of them joined, if it is one of those given; null otherwise. */
export function searchObstacle<O extends Obstacle>(query: Query, cost: QueryCost, obstacles: readonly O[]): O | null {
  const obstacle = obstacleOf(query);
  // in-memory-sort reports a sort of what an index finds, if a limit cuts it off.
  if (query.joins || (!isScanned(query) && !returnsAllThatMatch(query) && (cost.inMemorySorts ?? 0) > 0)) return null;
  return obstacles.find((each) => each === obstacle) ?? null;
}

/** False if a good share of what is examined is wanted; true if it is not known what is. */
export function isMostlyUnwanted(query: Query, cost: QueryCost): boolean {
  return !query.returnsEachMatch || (cost.documentsReturned ?? 0) < SHARE_WANTED * Math.max(1, comparedBy(cost));
}
