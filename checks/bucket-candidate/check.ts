import {
  type Collection,
  defineCheck,
  type IndexDescription,
  type MeasurementSeries,
  type NotJudged,
  type RemedyStep,
} from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { formatBytes, formatCount, formatDuration, formatShare, plural } from '../../src/format.js';
import { knownSizes } from '../../src/inventory/storage.js';
import { judgedAt, judgedAtText, judgedSize, sizesUnknown, tooSmallToTell } from '../../src/judgement/judged-size.js';
import { onlyIf } from '../../src/judgement/only-if.js';
import { sampleWindow } from '../../src/judgement/sample-window.js';
import { timeSeriesPlan, type TimeSeriesPlan } from './time-series-plan.js';

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
      description: 'documents from which an info is given; fewer are too small to tell',
      source: 'judgement: fewer fit in ten full buckets',
    },
    warning: {
      default: 1_000_000,
      unit: 'documents',
      description: 'documents from which a warning is given',
      source:
        'judgement: indexes on _id and on source and time then have about 25 MB (measured on 6.0.5: 22 bytes per document)',
    },
    documentBytes: {
      default: 1024,
      unit: 'bytes',
      description: 'mean bytes of a document up to which it is one measurement',
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
