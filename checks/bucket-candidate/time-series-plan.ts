import type { DocumentProfile, MeasurementSeries } from '../../src/check.js';
import type { KnownSizes } from '../../src/inventory/storage.js';
import { withoutElements } from '../../src/profile/path-steps.js';
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '../../src/time-units.js';

/** In ms. Source: MongoDB manual, "Set Granularity for Time Series Data". */
const GRANULARITIES = [
  { granularity: 'seconds', intervalBelow: MS_PER_MINUTE / 2, span: MS_PER_HOUR },
  { granularity: 'minutes', intervalBelow: MS_PER_HOUR / 2, span: MS_PER_DAY },
  { granularity: 'hours', intervalBelow: Infinity, span: 30 * MS_PER_DAY },
] as const;
/** Source: the server's timeseriesBucketMaxCount and timeseriesBucketMaxSize. */
const BUCKET_MEASUREMENTS = 1_000;
const BUCKET_BYTES = 125 * 1024;
/** A field's type byte and the end of its name; a document's length and end. Source: bsonspec.org. */
const NAME_BYTES = 2;
const DOCUMENT_BYTES = 5;

export interface TimeSeriesPlan {
  readonly granularity: (typeof GRANULARITIES)[number]['granularity'];
  readonly measurementsPerBucket: number;
  readonly buckets: number;
  /** Bytes on disk of all indexes: now, and with one entry per bucket and no index on `_id`. */
  readonly indexBytesNow: number;
  readonly indexBytesThen: number;
  /** Share of the BSON that each document repeats and a bucket stores once: field names, the source, headers. */
  readonly repeatedShare: number;
}

interface StoredWithIndexes extends Pick<KnownSizes, 'count' | 'averageDocumentSize'> {
  readonly totalIndexSize: number;
  readonly indexSizes: Readonly<Record<string, number>>;
}

/** By the rules of the server's buckets, without compression, which depends on the data. */
export function timeSeriesPlan(
  { interval, sourceField, sources }: Pick<MeasurementSeries, 'interval' | 'sourceField' | 'sources'>,
  { paths, bytes, documents }: Pick<DocumentProfile, 'paths' | 'bytes' | 'documents'>,
  { count, averageDocumentSize, totalIndexSize, indexSizes }: StoredWithIndexes,
): TimeSeriesPlan {
  const { granularity, span } = GRANULARITIES.find(({ intervalBelow }) => interval < intervalBelow) ?? GRANULARITIES[2];
  const fitting = Math.min(BUCKET_MEASUREMENTS, span / interval, BUCKET_BYTES / Math.max(1, averageDocumentSize));
  const measurementsPerBucket = Math.max(1, Math.floor(fitting));
  const names = paths
    .filter(({ path }) => path === withoutElements(path))
    .map((path) => path.occurrences * (NAME_BYTES + nameBytes(path.path)));
  const source = paths.find(({ path }) => path === sourceField);
  const sourceBytes =
    source === undefined ? 0 : source.bytes - source.occurrences * (NAME_BYTES + nameBytes(source.path));
  const repeated = names.reduce((sum, each) => sum + each, sourceBytes + documents * DOCUMENT_BYTES);
  const buckets = Math.max(sources, Math.ceil(count / measurementsPerBucket));
  return {
    granularity,
    measurementsPerBucket,
    buckets,
    indexBytesNow: totalIndexSize,
    indexBytesThen: Math.ceil(((totalIndexSize - (indexSizes['_id_'] ?? 0)) * buckets) / Math.max(1, count)),
    repeatedShare: bytes === 0 ? 0 : repeated / bytes,
  };
}

function nameBytes(path: string): number {
  return Buffer.byteLength(path.slice(path.lastIndexOf('.') + 1));
}
