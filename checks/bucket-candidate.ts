import { defineCheck, type Collection, type MeasurementSeries } from '../src/check.js';
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatShare,
  sampleWindow,
  timeSeriesPlan,
  type TimeSeriesPlan,
} from '../src/helpers.js';

/** Spread of the intervals, and share of the documents in order, from which the finding is sure. */
const SURELY_REGULAR = 0.1;
const SURELY_RISING = 0.99;

export const bucketCandidate = defineCheck({
  id: 'bucket-candidate',
  title: 'One document per measurement',
  summary: 'regular measurements of many sources as small documents of their own, outside a time-series collection',
  appliesTo: ['collection'],
  needs: ['measurements', 'documents', 'storage'],
  thresholds: {
    documents: {
      default: 10_000,
      unit: 'documents',
      description: 'documents from which an info is given',
      source: 'judgement: fewer fit into ten full buckets',
    },
    warning: {
      default: 1_000_000,
      unit: 'documents',
      description: 'documents from which a warning is given',
      source:
        'judgement: indexes on _id and on source and time then have some 25 MB (measured on 6.0.5: 22 bytes for each document)',
    },
    documentBytes: {
      default: 1024,
      unit: 'bytes',
      description: 'mean bytes of a document up to which it is one measurement',
      source: 'judgement: a hundred of them fit into a bucket of 125 KB',
    },
    spread: {
      default: 0.5,
      unit: 'ratio',
      description:
        "distance of the quartiles of a source's intervals, over their median, up to which its times are regular",
      source: 'judgement: orders and other events that come by chance have 1.6, that of an exponential distribution',
    },
    risingShare: {
      default: 0.9,
      unit: 'share',
      description: 'share of the documents that must have been inserted in the order of their times, by source',
      source: 'judgement: late arrivals are few, and what is written in no order is no log of measurements',
    },
    perBucket: {
      default: 10,
      unit: 'documents',
      description: 'documents of one source that a bucket must take for it to be worth while',
      source: 'judgement: an index becomes ten times smaller',
    },
  },
  judge({ collection, measurements, documents, storage }, limits) {
    if (measurements === null || storage.count < limits.documents || storage.averageDocumentSize > limits.documentBytes)
      return [];
    const { intervalSpread, risingShare, interval, sourceField, timeField } = measurements;
    const plan = timeSeriesPlan(measurements, documents.profile, storage);
    if (
      intervalSpread > limits.spread ||
      risingShare < limits.risingShare ||
      plan.measurementsPerBucket < limits.perBucket
    )
      return [];
    return [
      {
        severity: storage.count >= limits.warning ? 'warning' : 'info',
        confidence: intervalSpread <= SURELY_REGULAR && risingShare >= SURELY_RISING ? 'high' : 'medium',
        path: timeField,
        message:
          `Each measurement is a document of its own: ${formatCount(storage.count)} documents of ${formatBytes(storage.averageDocumentSize)}, one of each ` +
          `\`${sourceField}\` about every ${formatDuration(interval)} by \`${timeField}\`. ${formatShare(plan.repeatedShare)} of their bytes repeat ` +
          `what the one before says, and each has its entry in every index, ${formatBytes(plan.indexBytesNow)} in all.`,
        evidence: {
          source: 'sample, the newest documents and collStats',
          window: `${sampleWindow(documents, storage)}; the order of ${formatCount(measurements.documents)}`,
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
        remedy: { text: remedyText(collection, measurements, plan) },
      },
    ];
  },
});

/** No command to run: it makes a new collection, and only moving documents and code over to it ends the finding. */
function remedyText(
  { database, name }: Collection,
  { timeField, sourceField }: MeasurementSeries,
  plan: TimeSeriesPlan,
): string {
  const isNested = timeField.includes('.');
  const [metaField = sourceField, ...rest] = sourceField.split('.');
  const options = `{ timeField: ${JSON.stringify(timeField)}, metaField: ${JSON.stringify(metaField)}, granularity: "${plan.granularity}" }`;
  const top = isNested ? `\`${timeField}\` has to become a field at the top first. ` : '';
  const meta =
    rest.length > 0 ? `Everything in \`${metaField}\` then has to name the source, and nothing to be measured. ` : '';
  return (
    `${top}Make a time-series collection, \`db.getSiblingDB(${JSON.stringify(database)}).createCollection(${JSON.stringify(`${name}_series`)}, ` +
    `{ timeseries: ${options} })\`, copy the documents in the order of \`${timeField}\`, and let readers and writers change over. ` +
    `Copy them once: it keeps no \`_id\` and no other field unique, so what is copied twice is there twice; what has no date in \`${timeField}\` it refuses. ` +
    `${meta}Its buckets take up to ` +
    `${formatCount(plan.measurementsPerBucket)} measurements of a source at this interval and size: about ${formatCount(plan.buckets)} of them in place of the ` +
    `documents, and indexes of about ${formatBytes(plan.indexBytesThen)} in place of ${formatBytes(plan.indexBytesNow)}, since they have an entry for each bucket ` +
    'and there is none on _id. Compression by column comes on top. Where the server is older than 5.0, or documents are changed ' +
    'later, buckets of your own do the same (bucket pattern).'
  );
}
