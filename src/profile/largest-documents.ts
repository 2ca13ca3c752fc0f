import { BSON, type Document } from 'mongodb';
import { quantileSorted, mean, sampleStandardDeviation } from 'simple-statistics';
import { z } from 'zod';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { SHORT_READ } from '../connect/deadline.js';
import { absentBecause } from '../connect/server-error.js';
import { formatBytes } from '../format.js';
import type { Collection } from '../inventory/collection.js';
import { knownSizes, type KnownSizes, type StorageStatistics } from '../inventory/storage.js';
import { ofKind } from '../names.js';
import type { Plain } from '../plain.js';
import { SKIP_REASONS, type Evidence, type SkipReason } from '../presence.js';
import type { DocumentSample } from './document-profile.js';
import { DOCUMENT_LIMIT_BYTES } from './server-limits.js';

/** Half the limit, from which `oversized-document` warns. */
const PROBE_THRESHOLD_BYTES = DOCUMENT_LIMIT_BYTES / 2;
/** 80 % of the limit: the search is not needed if the sample already holds such a document. */
const FOUND_ALREADY_BYTES = DOCUMENT_LIMIT_BYTES * 0.8;
/** Larger collections are searched only with `--deep`: the search reads every document, at some 1 GB/s from cache. */
export const SEARCHED_COLLECTION_BYTES = 512 * 1024 * 1024;
const PROBE_DOCUMENTS = 10;
/** The default sample's 10 % above its 90th percentile, from which `outlier-document` counts. */
const MOST_SIZES = 100;
/** A sampled document above so many times the 95th percentile does not belong to the bulk. */
const OUTLIER_FACTOR = 20;
const STANDARD_ERRORS = 3;

/** The evidence `largestDocuments`: what is known of a collection's largest documents beyond the sample. */
export const largestDocumentsSchema = z.strictObject({
  /** The size of the largest document that was seen, by the sample or by the probe. */
  maximumBytes: z.number(),
  source: z.enum(['sample', 'probe']),
  /** Bytes of the largest documents that were seen, by sample and probe together: largest first, at most 100. */
  sizes: z.array(z.number()),
  /** Bytes in `$collStats` beyond the sampled outliers, `count` × the bulk's mean size and three standard errors; null if unknown. */
  unseenBytes: z.number().nullable(),
  /** The bounded search for documents above a size, made if `unseenBytes` called for it. */
  probe: z.discriminatedUnion('state', [
    z.strictObject({ state: z.literal('not-needed') }),
    /** `sizes` are those at or above `thresholdBytes`, largest first, at most 10; `atLeast` says there may be more. */
    z.strictObject({
      state: z.literal('complete'),
      thresholdBytes: z.number(),
      sizes: z.array(z.number()),
      atLeast: z.boolean(),
    }),
    /** `reason` and `detail` say why the search was not made or not finished. */
    z.strictObject({
      state: z.literal('cut-short'),
      thresholdBytes: z.number(),
      reason: z.enum(SKIP_REASONS),
      detail: ofKind('sentence'),
    }),
  ]),
  /** `_id`s in the order of `sizes`, as relaxed Extended JSON; only with `--show-values`. */
  ids: z.array(z.string()).exactOptional(),
});

export type LargestDocuments = Plain<typeof largestDocumentsSchema>;

/**
 * `$sample` picks pages, so it often misses a single large document among many small ones; but collStats counts its
 * bytes. If they are missing from the sample, a bounded search on the server finds it.
 * @param deep search whatever the collection's size, within the time of one command
 */
export async function findLargestDocuments(
  reader: ClusterReader,
  collection: Collection,
  storage: Evidence<StorageStatistics>,
  sample: DocumentSample,
  sizes: readonly number[],
  { deep, showValues }: { readonly deep: boolean; readonly showValues: boolean },
): Promise<LargestDocuments> {
  const ascending = Array.from(new Float64Array(sizes).sort());
  const maximumBytes = ascending.at(-1) ?? 0;
  const stored = storage.present ? knownSizes(storage.value) : null;
  const unseenBytes = sample.complete ? 0 : stored === null ? null : unseen(stored, ascending);
  const fromSample = { maximumBytes, source: 'sample', sizes: largestFirst(ascending), unseenBytes } as const;
  const isAllSeen = unseenBytes !== null && unseenBytes < PROBE_THRESHOLD_BYTES;
  if (isAllSeen || maximumBytes >= FOUND_ALREADY_BYTES) {
    return { ...fromSample, probe: { state: 'not-needed' } };
  }
  const cutShort = (detail: string, reason: SkipReason = 'bound'): LargestDocuments => ({
    ...fromSample,
    probe: { state: 'cut-short', thresholdBytes: PROBE_THRESHOLD_BYTES, reason, detail },
  });
  if (!deep && !storage.present) return cutShort(storage.detail, storage.reason);
  if (!deep && stored === null) {
    return cutShort('this server does not report the bytes of a collection; search with --deep', 'unsupported');
  }
  if (!deep && stored !== null && stored.size > SEARCHED_COLLECTION_BYTES) {
    return cutShort(
      `the collection holds ${formatBytes(stored.size)}, more than the ${formatBytes(SEARCHED_COLLECTION_BYTES)} that are searched without --deep`,
    );
  }
  try {
    const found = await probe(reader, collection, deep);
    const probedBytes = found.map(({ size }) => Number(size));
    const largestProbed = probedBytes[0] ?? 0;
    // The probe found the sampled ones above its threshold, too.
    const unprobed = ascending.filter((size) => size < PROBE_THRESHOLD_BYTES);
    return {
      ...fromSample,
      ...(largestProbed > maximumBytes && { maximumBytes: largestProbed, source: 'probe' }),
      sizes: [...probedBytes, ...largestFirst(unprobed)].slice(0, MOST_SIZES),
      probe: {
        state: 'complete',
        thresholdBytes: PROBE_THRESHOLD_BYTES,
        sizes: probedBytes,
        atLeast: probedBytes.length === PROBE_DOCUMENTS,
      },
      ...(showValues && { ids: found.map(({ _id }) => BSON.EJSON.stringify(_id, { relaxed: true })) }),
    };
  } catch (error) {
    return cutShort(absentBecause(error, 'searching for large documents', `find on ${collection.namespace}`).detail);
  }
}

async function probe(reader: ClusterReader, { database, name }: Collection, deep: boolean): Promise<Document[]> {
  const pipeline = [
    { $project: { size: { $bsonSize: '$$ROOT' } } },
    { $match: { size: { $gte: PROBE_THRESHOLD_BYTES } } },
    { $sort: { size: -1 } },
    { $limit: PROBE_DOCUMENTS },
  ];
  return reader.aggregate<Document>(database, name, pipeline, deep ? {} : SHORT_READ).toArray();
}

function largestFirst(ascending: readonly number[]): number[] {
  return ascending.slice(-MOST_SIZES).toReversed();
}

function unseen({ count, size }: KnownSizes, sorted: number[]): number {
  if (sorted.length < 2) return 0;
  const line = OUTLIER_FACTOR * quantileSorted(sorted, 0.95);
  const firstOutlier = sorted.findIndex((bytes) => bytes > line);
  const bulk = firstOutlier < 0 ? sorted : sorted.slice(0, firstOutlier);
  const outliers = sorted.slice(bulk.length);
  const seenInOutliers = outliers.reduce((sum, bytes) => sum + bytes, 0);
  const standardError = bulk.length < 2 ? 0 : sampleStandardDeviation(bulk) / Math.sqrt(bulk.length);
  const highMean = mean(bulk) + STANDARD_ERRORS * standardError;
  return Math.max(0, Math.round(size - seenInOutliers - (count - outliers.length) * highMean));
}
