import type { Collection, MeasurementSeries, Remedy } from '../../src/check.js';
import { formatBytes, formatCount } from '../../src/format.js';
import type { TimeSeriesPlan } from './time-series-plan.js';

/** No command to run: only moving documents and code to a new collection ends the finding. */
export function remedyFor(
  { database, name }: Collection,
  { timeField, sourceField }: MeasurementSeries,
  plan: TimeSeriesPlan,
): Remedy {
  const [metaField = sourceField, ...rest] = sourceField.split('.');
  const topField = timeField.slice(timeField.lastIndexOf('.') + 1);
  const options = `{ timeField: ${JSON.stringify(topField)}, metaField: ${JSON.stringify(metaField)}, granularity: "${plan.granularity}" }`;
  return {
    steps: [
      ...(timeField.includes('.')
        ? [{ text: `Move \`${timeField}\` to the top level, as \`${topField}\`: a timeField cannot be nested.` }]
        : []),
      ...(rest.length > 0
        ? [
            {
              text: `Keep in \`${metaField}\` only what identifies the source, and no measured value: it becomes the metaField.`,
            },
          ]
        : []),
      {
        text: 'Create a time-series collection (MongoDB 5.0+). On older servers, or if documents are updated later, use the bucket pattern.',
        code: `db.getSiblingDB(${JSON.stringify(database)}).createCollection(${JSON.stringify(`${name}_series`)}, { timeseries: ${options} })`,
      },
      {
        text:
          `Copy the documents once, in the order of \`${topField}\`. Nothing is unique there, not even \`_id\`: what is copied twice is ` +
          `stored twice. Documents without a date in \`${topField}\` are refused.`,
      },
      {
        text: 'Switch writers and readers to the new collection. Keep the old one until the counts agree and nothing reads it.',
      },
      {
        text:
          `Expect about ${formatCount(plan.buckets)} buckets of up to ${formatCount(plan.measurementsPerBucket)} measurements. Indexes shrink from ` +
          `${formatBytes(plan.indexBytesNow)} to about ${formatBytes(plan.indexBytesThen)}: one entry per bucket, and no index on _id. Column ` +
          'compression saves more.',
      },
    ],
  };
}
