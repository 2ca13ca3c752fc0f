import type { MeasurementSeries } from '../../evidence/measurements/measurement-series.js';
import type { DocumentProfile } from '../../evidence/documents/document-profile.js';
import type { StorageStatistics } from '../../evidence/storage.js';
import { withoutElements } from '../../evidence/documents/path-steps.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * What a bucket of a time-series collection may span, by granularity, and the intervals that are nearest to each. In ms.
 * Source: MongoDB manual, "Set Granularity for Time Series Data".
 */
const GRANULARITIES = [
  { granularity: 'seconds', intervalBelow: MINUTE / 2, span: HOUR },
  { granularity: 'minutes', intervalBelow: HOUR / 2, span: DAY },
  { granularity: 'hours', intervalBelow: Infinity, span: 30 * DAY },
] as const;
/** Measurements, and bytes of them, that a bucket may have. Source: the server's timeseriesBucketMaxCount and timeseriesBucketMaxSize. */
const BUCKET_MEASUREMENTS = 1_000;
const BUCKET_BYTES = 125 * 1024;
/** Type byte and end of a field's name; length and end of a document. Source: bsonspec.org. */
const NAME_BYTES = 2;
const DOCUMENT_BYTES = 5;

/** A time-series collection for measurements that are documents of their own now, and what it would save. */
export interface TimeSeriesPlan {
  readonly granularity: (typeof GRANULARITIES)[number]['granularity'];
  /** Measurements of one source that a bucket takes, at their present interval and size. */
  readonly measurementsPerBucket: number;
  /** Buckets for all documents, one for each known source at least; further sources that have few make more. */
  readonly buckets: number;
  /** Bytes on disk of all indexes now; and then: one entry for each bucket, and no index on `_id`. */
  readonly indexBytesNow: number;
  readonly indexBytesThen: number;
  /** Share of the BSON that every document repeats and a bucket holds once: field names, the source, headers. */
  readonly repeatedShare: number;
}

/** Reckons by the rules of the server's buckets. Compression is left out: it differs from data to data. */
export function timeSeriesPlan(
  { interval, sourceField, sources }: Pick<MeasurementSeries, 'interval' | 'sourceField' | 'sources'>,
  { paths, bytes, documents }: Pick<DocumentProfile, 'paths' | 'bytes' | 'documents'>,
  { count, averageDocumentSize, totalIndexSize, indexSizes }: StorageStatistics,
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
