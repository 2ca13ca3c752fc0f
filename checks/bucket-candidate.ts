import {
  type Collection,
  defineCheck,
  type DocumentProfile,
  type IndexDescription,
  type MeasurementSeries,
  type NotJudged,
  type RemedyStep,
} from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatBytes, formatCount, formatDuration, formatShare, plural } from '../src/format.js';
import { knownSizes, type KnownSizes } from '../src/inventory/storage.js';
import { judgedAt, judgedAtText, judgedSize, sizesUnknown, tooSmallToTell } from '../src/judgement/judged-size.js';
import { onlyIf } from '../src/judgement/only-if.js';
import { sampleWindow } from '../src/judgement/sample-window.js';
import { withoutElements } from '../src/profile/path-steps.js';
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_MINUTE } from '../src/time-units.js';

/** Spread of the intervals, and share of the documents in order, for high confidence. */
const SURELY_REGULAR = 0.1;

const SURELY_RISING = 0.99;

/**
 * Documents whose times must have been compared. Judgement: whoever makes forty fixtures dates them evenly, and nobody makes a
 * thousand by hand.
 */
const FEWEST_COMPARED = 1_000;

/**
 * Interquartile range of a source's intervals, divided by their median, up to which its times are regular. Judgement: random
 * events have 1.6.
 */
const REGULAR = 0.5;

/**
 * Share of the documents that must have been inserted in the order of their times, per source. Judgement: few measurements
 * arrive late.
 */
const RISING_SHARE = 0.9;

/** Documents of one source per bucket from which buckets are worthwhile. Judgement: indexes become ten times smaller. */
const PER_BUCKET = 10;

export const bucketCandidate = defineCheck({
  id: 'bucket-candidate',
  title: 'One document per measurement',
  summary: 'regular measurements stored as one small document each, outside a time-series collection',
  appliesTo: ['collection'],
  needs: ['measurements', 'documents', 'storage', 'indexes'],
  thresholds: {
    documents: {
      default: 10_000,
      unit: 'documents',
      description: 'documents for an info; fewer are not judged',
      source: 'judgement: fewer fit in ten full buckets',
    },
    warning: {
      default: 1_000_000,
      unit: 'documents',
      description: 'documents of the collection',
      source:
        'judgement: indexes on _id and on source and time then have about 25 MB (measured on 6.0.5: 22 bytes per document)',
    },
    documentBytes: {
      default: 1024,
      unit: 'bytes',
      description: 'bytes of a measurement, on average, at most',
      source: 'judgement: a hundred of them fit in a bucket of 125 KB',
    },
  },
  retiredThresholds: ['compared', 'spread', 'risingShare', 'perBucket'],
  judge({ collection, measurements, documents, storage, indexes }, limits) {
    if (measurements === null || indexes.some((index) => isOfThings(index, measurements.timeField))) return [];
    const sizes = knownSizes(storage);
    const { totalIndexSize, indexSizes } = storage;
    if (sizes === null || totalIndexSize === null || indexSizes === null) return [sizesUnknown(collection.namespace)];
    const size = judgedSize(collection, sizes.count);
    if (sizes.averageDocumentSize > limits.documentBytes) return [];
    const { intervalSpread, risingShare, interval, sourceField, timeField } = measurements;
    const plan = timeSeriesPlan(measurements, documents.profile, { ...sizes, totalIndexSize, indexSizes });
    if (intervalSpread > REGULAR || risingShare < RISING_SHARE || plan.measurementsPerBucket < PER_BUCKET) return [];
    if (size.documents < limits.documents)
      return [tooSmallToTell(size, `a document per measurement, by \`${timeField}\``)];
    if (measurements.documents < FEWEST_COMPARED) return [likeFixtures(measurements)];
    return [
      {
        severity: size.documents >= limits.warning ? 'warning' : 'info',
        confidence: intervalSpread <= SURELY_REGULAR && risingShare >= SURELY_RISING ? 'high' : 'medium',
        path: timeField,
        message:
          `Each measurement is a document: ${formatCount(sizes.count)} documents of ${formatBytes(sizes.averageDocumentSize)}, one per ` +
          `\`${sourceField}\` about every ${formatDuration(interval)} by \`${timeField}\`. ${formatShare(plan.repeatedShare)} of their bytes ` +
          `repeat the document before. Each has an entry in every index, ${formatBytes(plan.indexBytesNow)} in total.${judgedAtText(size)}`,
        ...judgedAt(size),
        restsOn: ['sample'],
        evidence: {
          source: 'sample, the newest documents and collStats',
          window: `${sampleWindow(documents, storage)}; the order of ${formatCount(measurements.documents)}`,
          averageDocumentSize: sizes.averageDocumentSize,
          timeField,
          sourceField,
          valueFields: [...measurements.valueFields],
          sources: measurements.sources,
          intervalMs: interval,
          intervalSpread,
          risingShare,
          measurementsPerBucket: plan.measurementsPerBucket,
          buckets: plan.buckets,
          repeatedShare: plan.repeatedShare,
          indexBytesNow: plan.indexBytesNow,
          indexBytesThen: plan.indexBytesThen,
        },
        remedy: { steps: remedySteps(collection, measurements, plan) },
      },
    ];
  },
});

/** What is unique at whatever time is no measurement, and a time-series collection could not keep it unique. */
function isOfThings({ key, unique }: IndexDescription, timeField: string): boolean {
  return unique && !(timeField in key);
}

function likeFixtures({ documents, timeField }: MeasurementSeries): NotJudged {
  return {
    notJudged: 'too-small',
    detail: `too small to tell whether these are measurements (${plural(documents, 'document')}, evenly dated by \`${timeField}\`): fixtures are often evenly dated. Give evidence of production.`,
  };
}

interface TimeSeriesPlan {
  readonly granularity: (typeof GRANULARITIES)[number]['granularity'];
  readonly measurementsPerBucket: number;
  readonly buckets: number;
  /** Bytes on disk of all indexes: now, and with one entry per bucket and no index on `_id`. */
  readonly indexBytesNow: number;
  readonly indexBytesThen: number;
  /** Share of the BSON that each document repeats and a bucket stores once: field names, the source, headers. */
  readonly repeatedShare: number;
}

/** No command to run: only moving documents and code to a new collection ends the finding. */
function remedySteps(
  { database, name }: Collection,
  { timeField, sourceField }: MeasurementSeries,
  plan: TimeSeriesPlan,
): RemedyStep[] {
  const [metaField = sourceField, ...rest] = sourceField.split('.');
  const topField = timeField.slice(timeField.lastIndexOf('.') + 1);
  const options = `{ timeField: ${JSON.stringify(topField)}, metaField: ${JSON.stringify(metaField)}, granularity: "${plan.granularity}" }`;
  return stepsOf(
    ...onlyIf(
      timeField.includes('.'),
      `Move \`${timeField}\` to the top level, as \`${topField}\`: a timeField cannot be nested.`,
    ),
    ...onlyIf(
      rest.length > 0,
      `Keep in \`${metaField}\` only what identifies the source, and no measured value: it becomes the metaField.`,
    ),
    {
      text: 'Create a time-series collection (MongoDB 5.0+). On older servers, or if documents are updated later, use the bucket pattern.',
      code: `db.getSiblingDB(${JSON.stringify(database)}).createCollection(${JSON.stringify(`${name}_series`)}, { timeseries: ${options} })`,
    },
    `Copy the documents once, in the order of \`${topField}\`. Nothing is unique there, not even \`_id\`: what is copied twice is ` +
      `stored twice. Documents without a date in \`${topField}\` are refused.`,
    'Switch writers and readers to the new collection. Keep the old one until the counts agree and nothing reads it.',
    `Expect about ${formatCount(plan.buckets)} buckets of up to ${formatCount(plan.measurementsPerBucket)} measurements. Indexes shrink from ` +
      `${formatBytes(plan.indexBytesNow)} to about ${formatBytes(plan.indexBytesThen)}: one entry per bucket, and no index on _id. Column ` +
      'compression saves more.',
  );
}

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

interface StoredWithIndexes extends Pick<KnownSizes, 'count' | 'averageDocumentSize'> {
  readonly totalIndexSize: number;
  readonly indexSizes: Readonly<Record<string, number>>;
}

/** By the rules of the server's buckets, without compression, which depends on the data. */
function timeSeriesPlan(
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
