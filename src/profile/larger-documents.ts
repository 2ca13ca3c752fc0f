import type { Document } from 'mongodb';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { batchesOf } from '../connect/raw-cursor.js';
import type { Collection } from '../inventory/collection.js';
import type { ArrayProfile, Distribution, DocumentProfile } from './document-profile.js';
import { DocumentProfiler } from './document-profiler.js';
import { isRefusal } from './sampling/chosen-documents.js';
import { LEAST_SEEN } from './sampling/confidence.js';
import type { SampleBounds } from './sampling/sample-plan.js';

/** A sample of a twentieth leaves out some twenty that are larger than all of it. */
const MOST_READ = 100;

/** Documents of a collection that are larger than all that were sampled. */
export interface LargerDocuments {
  readonly profile: DocumentProfile;
  readonly sizes: readonly number[];
}

/**
 * Searches a collection, by a scan on the server, for documents that are larger than all that were sampled.
 *
 * @param than bytes of the largest sampled document
 * @returns at most a hundred, as far as the bound on bytes allows; null if the server can't search by size
 * @throws what a read throws
 */
export async function findLargerDocuments(
  reader: ClusterReader,
  { database, name }: Collection,
  than: number,
  bounds: SampleBounds,
): Promise<LargerDocuments | null> {
  const stages: Document[] = [{ $match: { $expr: { $gt: [{ $bsonSize: '$$ROOT' }, than] } } }, { $limit: MOST_READ }];
  const profiler = new DocumentProfiler();
  const sizes: number[] = [];
  try {
    const cursor = reader.aggregateRaw(database, name, stages, { batchSize: MOST_READ + 1, documentBytes: than });
    for await (const batch of batchesOf(cursor)) {
      for (const document of batch) {
        profiler.add(document);
        sizes.push(document.length);
      }
      if (profiler.bytes >= bounds.bytes) break;
    }
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
  return { profile: profiler.profile(), sizes };
}

/**
 * The profile of a sample, with the extremes of the documents that are larger: they are part of the collection, but too few of
 * them were drawn to count for a quantile or a mean.
 */
export function withExtremes(profile: DocumentProfile, larger: DocumentProfile): DocumentProfile {
  if (larger.documents === 0) return profile;
  const found = new Map(larger.paths.map((path) => [path.path, path]));
  return {
    ...profile,
    sizes: withTail(profile.sizes, larger.sizes),
    depth: larger.depth.max > profile.depth.max ? larger.depth : profile.depth,
    root: { ...profile.root, fields: withTail(profile.root.fields, larger.root.fields) },
    largest: larger.largest.bytes > profile.largest.bytes ? larger.largest : profile.largest,
    paths: profile.paths.map((path) => {
      const { array, object } = found.get(path.path) ?? {};
      return {
        ...path,
        ...(path.array !== undefined && array !== undefined && { array: withLongest(path.array, array) }),
        ...(path.object !== undefined &&
          object !== undefined && { object: { ...path.object, fields: withTail(path.object.fields, object.fields) } }),
      };
    }),
  };
}

function withLongest(sampled: ArrayProfile, { lengths, bytes, bytesPerDocument, shareOfDocument }: ArrayProfile) {
  return {
    ...sampled,
    lengths: withTail(sampled.lengths, lengths),
    bytes: withTail(sampled.bytes, bytes),
    bytesPerDocument: withTail(sampled.bytesPerDocument, bytesPerDocument),
    shareOfDocument: {
      ...sampled.shareOfDocument,
      max: Math.max(sampled.shareOfDocument.max, shareOfDocument.max),
    },
  };
}

function withTail(sampled: Distribution, larger: Distribution): Distribution {
  if (larger.max < sampled.max || larger.count === 0) return sampled;
  const countAtMax = larger.countAtMax + (larger.max === sampled.max ? sampled.countAtMax : 0);
  const above = { from: sampled.max + 1, to: larger.max, count: larger.count };
  return {
    ...sampled,
    max: larger.max,
    fifthLargest: Math.max(sampled.fifthLargest, larger.count < LEAST_SEEN ? 0 : larger.fifthLargest),
    countAtMax,
    shareAtMax: countAtMax / (sampled.count + larger.count),
    buckets: larger.max > sampled.max ? [...sampled.buckets, above] : sampled.buckets,
  };
}
