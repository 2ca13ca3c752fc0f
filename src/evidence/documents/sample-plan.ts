import type { StorageStatistics } from '../storage.js';
import type { SampleMethod } from './document-profile.js';

export interface SampleBounds {
  readonly documents: number;
  /** BSON bytes; the document that crosses the line is still read. */
  readonly bytes: number;
}

export interface SamplePlan {
  readonly method: SampleMethod;
  readonly documents: number;
  readonly batchSize: number;
  /** True if the bound on bytes, not the one on documents, decided the number. */
  readonly boundedByBytes: boolean;
}

/** `$sample` uses the random cursor only below this share (source: its manual page; measured on 6.0.5) … */
const RANDOM_CURSOR_SHARE = 0.05;
/** … and only in collections of more documents than this. */
const RANDOM_CURSOR_MINIMUM_DOCUMENTS = 100;
/** `_id`s listed at most to pick from: some 3 MB of ObjectIds. */
const LISTED_IDS = 100_000;
/** Some round trips for large documents rather than many 16 MB replies in memory at once. */
const BATCH_BYTES = 4 * 1024 * 1024;
const BATCH_DOCUMENTS = 10_000;

/** @param storage null if the user may not read it; then `count` documents of unknown size */
export function planSample(
  storage: Pick<StorageStatistics, 'count' | 'size' | 'averageDocumentSize'> | null,
  count: number,
  bounds: SampleBounds,
  clustered: boolean,
): SamplePlan {
  const averageBytes = Math.max(1, storage?.averageDocumentSize ?? 1);
  const size = storage?.size ?? 0;
  const withinBytes = Math.max(1, Math.floor(bounds.bytes / averageBytes));
  const wanted = Math.min(bounds.documents, withinBytes);
  const plan = (method: SampleMethod, documents: number): SamplePlan => ({
    method,
    documents,
    batchSize: Math.min(BATCH_DOCUMENTS, documents, Math.max(1, Math.floor(BATCH_BYTES / averageBytes))),
    boundedByBytes: documents === wanted && withinBytes < Math.min(bounds.documents, count),
  });

  // One more than should be there: counts go stale, and only a cursor that ends by itself has shown every document.
  if (count <= bounds.documents && size <= bounds.bytes) return plan('whole-collection', bounds.documents + 1);
  const cheap = Math.ceil(count * RANDOM_CURSOR_SHARE) - 1;
  if (count > RANDOM_CURSOR_MINIMUM_DOCUMENTS && wanted <= cheap) return plan('random-cursor', wanted);
  // The server reads the whole collection to sort it at random: no more than the sample itself might cost.
  if (storage !== null && size <= bounds.bytes) return plan('random-sort', wanted);
  if (!clustered && count <= LISTED_IDS) return plan('id-index', Math.min(wanted, count));
  if (count > RANDOM_CURSOR_MINIMUM_DOCUMENTS) return plan('random-cursor', Math.max(1, cheap));
  return plan('natural-order', wanted);
}
