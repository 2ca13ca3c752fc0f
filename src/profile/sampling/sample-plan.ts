import type { StorageStatistics } from '../../inventory/storage.js';

/** How documents can be chosen. By their hashes, the same are chosen each time. */
export const SAMPLE_METHODS = [
  'whole-collection',
  /** `$sample` through the storage engine's random cursor. Picks pages, so large documents are over-represented. */
  'random-cursor',
  /** Those with the smallest hashes of `_id`, by a scan on the server: uniform, and the same each time. */
  'id-hash',
  /** The same ones, without such a scan: their `_id`s are listed from the index, and hashed here. */
  'id-index',
  /** The first documents in natural order, because nothing better worked: biased towards old documents. */
  'natural-order',
  /** In older reports only: `$sample` by a scan and a random sort. */
  'random-sort',
] as const;

export type SampleMethod = (typeof SAMPLE_METHODS)[number];

export interface SampleBounds {
  readonly documents: number;
  /** BSON bytes; the document that crosses the line is still read. */
  readonly bytes: number;
}

export interface SamplePlan {
  readonly method: SampleMethod;
  readonly documents: number;
  /** Documents of the collection, as far as is known. */
  readonly count: number;
  readonly batchSize: number;
  /** Mean BSON bytes of a document, or a guess if they are unknown. */
  readonly documentBytes: number;
  /** True if the bound on bytes, not the one on documents, decided the number. */
  readonly boundedByBytes: boolean;
}

/** `$sample` uses the random cursor only below this share (source: its manual page; measured on 6.0.5) … */
const RANDOM_CURSOR_SHARE = 0.05;
/** … and only in collections of more documents than this. */
const RANDOM_CURSOR_MINIMUM_DOCUMENTS = 100;
/**
 * Documents that are scanned for a sample that is the same each time, however few are wanted: some 25 ms of the server's
 * time (measured on 6.0.5), and as many as the 1,000 sampled by default need in any case.
 */
const SCANNED_DOCUMENTS = 20_000;
/** `_id`s listed at most to choose from: some 3 MB of ObjectIds. */
const LISTED_IDS = 100_000;
/** Some round trips for large documents rather than many 16 MB replies in memory at once. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_DOCUMENTS = 10_000;
const GUESSED_DOCUMENT_BYTES = 1_024;

/** @param storage null if it is not known; then `count` documents of unknown size */
export function planSample(
  storage: Pick<StorageStatistics, 'count' | 'size' | 'averageDocumentSize'> | null,
  count: number,
  bounds: SampleBounds,
  clustered: boolean,
): SamplePlan {
  const averageBytes = Math.max(1, storage?.averageDocumentSize ?? 1);
  const size = storage?.size ?? null;
  const withinBytes = Math.max(1, Math.floor(bounds.bytes / averageBytes));
  const wanted = Math.min(bounds.documents, withinBytes);
  const plan = (method: SampleMethod, documents: number): SamplePlan => ({
    method,
    documents,
    count,
    // One more than there are: a batch that the last document fills leaves the cursor open.
    batchSize: Math.min(BATCH_DOCUMENTS, documents + 1, Math.max(1, Math.floor(BATCH_BYTES / averageBytes))),
    documentBytes: storage === null ? GUESSED_DOCUMENT_BYTES : averageBytes,
    boundedByBytes: documents === wanted && withinBytes < Math.min(bounds.documents, count),
  });

  // One more than should be there: counts go stale, and only a cursor that ends by itself has shown every document.
  if (count <= bounds.documents && (size ?? 0) <= bounds.bytes) return plan('whole-collection', bounds.documents + 1);
  const cheap = Math.ceil(count * RANDOM_CURSOR_SHARE) - 1;
  const isScannable = size !== null && size <= bounds.bytes;
  if (isScannable && count <= SCANNED_DOCUMENTS) return plan('id-hash', wanted);
  if (count > RANDOM_CURSOR_MINIMUM_DOCUMENTS && wanted <= cheap) return plan('random-cursor', wanted);
  // The server reads the whole collection: no more than the sample itself might cost.
  if (isScannable) return plan('id-hash', wanted);
  if (!clustered && count <= LISTED_IDS) return plan('id-index', Math.min(wanted, count));
  if (count > RANDOM_CURSOR_MINIMUM_DOCUMENTS) return plan('random-cursor', Math.max(1, cheap));
  return plan('natural-order', wanted);
}

/** The next best way to choose, for a server that can't follow the plan. */
export function planWithout({ method, ...plan }: SamplePlan, clustered: boolean): SamplePlan {
  const isListable = !clustered && plan.count <= LISTED_IDS;
  return { ...plan, method: isListable && method !== 'id-index' ? 'id-index' : 'natural-order' };
}
