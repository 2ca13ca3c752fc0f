import { formatBytes, plural } from '../../format.js';
import type { JoinedCollection } from '../joins/joined-cluster.js';
import { atJudgedSize, judgedSize, type JudgedSize, recordedHere } from '../judged-size.js';
import { isScanned, plannedFigures, type QueryCost } from './query-cost.js';
import { FREQUENT, PER_DAY, RECURRING } from './query-thresholds.js';
import type { Query } from './query.js';

/** The size of the collection that a query is judged at; null if it is unknown. */
export function sizeFor({ known, operation }: Pick<Query, 'known' | 'operation'>): JudgedSize | null {
  const { collection, storage }: JoinedCollection = known;
  if (!storage.present || storage.value.count === null) return null;
  const size = judgedSize(collection, storage.value.count);
  return operation.recordedHere === true ? recordedHere(size) : size;
}

/** Share of the collection from which a figure grows with the collection, and not with one of its values. */
const SHARE_OF_ALL = 0.1;

export function isBelow(query: Pick<Query, 'known' | 'operation'>, documents: number): boolean {
  const size = sizeFor(query);
  return size !== null && size.documents < documents;
}

/** Whether a recorded figure, in documents or index keys, is a share of the collection. False if its size is unknown. */
export function isShareOfAll(query: Pick<Query, 'known' | 'operation'>, figure: number): boolean {
  const size = sizeFor(query);
  return size !== null && figure >= SHARE_OF_ALL * size.recorded;
}

/** A figure of so many documents or index keys, at the judged size if they are a share of the collection. */
export function ofJudgedSize(query: Pick<Query, 'known' | 'operation'>, read: number, figure = read): number {
  const size = sizeFor(query);
  return size !== null && isShareOfAll(query, read) ? atJudgedSize(figure, size) : figure;
}

/** Whether an application runs a query, by its recorded executions; at an expected size one is enough. */
export function isRepeated(query: Query, { executions }: Pick<QueryCost, 'executions'>): boolean {
  return executions >= RECURRING || (sizeFor(query)?.from ?? null) !== null;
}

/**
 * Whether requests send a query: neither a start or a job of the application, nor a person who tries it. At an expected size one
 * execution is enough.
 */
export function isFrequent(
  query: Query,
  { executions, executionsPerDay }: Pick<QueryCost, 'executions' | 'executionsPerDay'>,
): boolean {
  const isOften = executions >= FREQUENT || (sizeFor(query)?.from ?? null) !== null;
  return isOften && (executionsPerDay ?? Infinity) >= PER_DAY;
}

/** Null if unknown. A scan without a limit examines all, even if the collection was smaller when it was recorded. */
export function examinedAtJudgedSize(query: Query, { documentsExamined }: QueryCost): number | null {
  const size = sizeFor(query);
  if (size === null) return documentsExamined;
  // A join adds documents of other collections to the figure, but a scan examines each document once.
  const own =
    documentsExamined !== null && query.joins ? Math.min(size.recorded, documentsExamined) : documentsExamined;
  if (isScanned(query) && isReadToTheEnd(query)) return Math.max(size.documents, atJudgedSize(own ?? 0, size));
  return own === null ? null : atJudgedSize(own, size);
}

/** Whether it examines all that it may, and does not stop at what it finds. */
export function isReadToTheEnd({ limited, operation }: Query): boolean {
  return !limited || (plannedFigures(operation)?.figures.inMemorySorts ?? 0) > 0;
}

/**
 * Bytes of a document that take as long to read as a small one takes to compare. Measured on 6.0.5: 0.6 to 0.8 µs for each KB that
 * is read into the cache, 0.5 to 2.3 µs to compare a document; a sort of documents of 9 KB takes three times one of 0.6 KB.
 */
const BYTES_PER_DOCUMENT = 4 * 1024;

/** Index keys that take as long to count as a document. Measured on 6.0.5, with documents of 3 KB. */
export const KEYS_PER_DOCUMENT = 3;

/** "1,920 documents", "1,920 documents (27 MB)" if they are so large that bytes count. */
export function documentsText(query: Pick<Query, 'known'>, documents: number): string {
  const weight = documentWeight(query);
  const bytes = weight > 1 ? ` (${formatBytes(documents * weight * BYTES_PER_DOCUMENT)})` : '';
  return `${plural(Math.round(documents), 'document')}${bytes}`;
}

/** Documents of common size that one of the collection counts for on the ladder of severity: at least 1. */
export function documentWeight({ known: { storage } }: Pick<Query, 'known'>): number {
  const bytes = storage.present ? storage.value.averageDocumentSize : null;
  return Math.max(1, (bytes ?? 0) / BYTES_PER_DOCUMENT);
}
