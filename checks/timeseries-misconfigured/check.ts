import { type Buckets, type Collection, defineCheck, type IndexDescription, type Verdict } from '../../src/check.js';
import { formatCount, formatDuration, plural } from '../../src/format.js';
import { indexName } from '../../src/judgement/indexes/index-proposal.js';
import { isWithin } from '../../src/profile/path-steps.js';
import { causeOf, spanOf } from './cause.js';

/** Spans after which most buckets of a steady stream have been finished, and new ones begun. */
const SETTLED_SPANS = 3;

/**
 * Measurements per bucket below which buckets are too small to be worthwhile: the server's parameter timeseriesBucketMinCount.
 */
const PER_BUCKET = 10;

export const timeseriesMisconfigured = defineCheck({
  id: 'timeseries-misconfigured',
  title: 'Misconfigured time-series collection',
  summary: 'a time-series collection whose buckets hold few measurements, or that has no index on its meta field',
  appliesTo: ['timeseries'],
  needs: ['buckets', 'indexes'],
  thresholds: {
    opened: {
      default: 1_000,
      unit: 'documents',
      description: 'buckets opened since the server started, from which it is judged how they are filled',
      source: 'judgement: fewer may be those of one import or one outage',
    },
    indexed: {
      default: 1_000,
      unit: 'documents',
      description: 'stored buckets from which an index on the meta field is missed',
      source: 'judgement: fewer are scanned in milliseconds',
    },
    warning: {
      default: 10_000,
      unit: 'documents',
      description: 'stored buckets from which those that hold few measurements are a warning',
      source: 'judgement: each query of a source reads one bucket for each of its measurements, and so many are felt',
    },
  },
  retiredThresholds: ['perBucket'],
  judge({ collection, buckets, indexes }, limits) {
    return [...judgeFilling(collection, buckets, limits), ...judgeIndex(collection, buckets, indexes, limits.indexed)];
  },
});

function judgeFilling(
  collection: Collection,
  buckets: Buckets,
  limits: { readonly opened: number; readonly warning: number },
): readonly Verdict[] {
  const { stored, measurements, opened, openedForMetadata, countedFor } = buckets;
  if (stored < limits.opened) return [];
  const finished = Math.min(
    opened,
    Object.values(buckets.finished).reduce((sum, each) => sum + each, 0),
  );
  const isSettled = countedFor !== null && countedFor >= SETTLED_SPANS * spanOf(collection);
  const full = isSettled ? opened : finished;
  if (full < limits.opened) {
    const detail = `how the buckets of ${collection.namespace} are filled: since the primary started, ${plural(opened, 'bucket')} were opened and ${formatCount(finished)} finished. Run again when the application has written more.`;
    return [{ notJudged: 'insufficient', detail }];
  }
  const perBucket = measurements / full;
  const cause = causeOf(collection, buckets);
  if (perBucket >= PER_BUCKET || cause === null) return [];
  return [
    {
      severity: stored >= limits.warning ? 'warning' : 'info',
      confidence: 'high',
      path: cause.path,
      message: `Measurements per bucket: ${Number(perBucket.toPrecision(2))} on average, ${formatCount(measurements)} in ${formatCount(full)} buckets. ${cause.why}`,
      evidence: {
        source: '$collStats of the primary',
        window:
          countedFor === null
            ? 'since each primary started'
            : `the ${formatDuration(countedFor)} since the primary started`,
        measurementsPerBucket: perBucket,
        measurements,
        buckets: stored,
        bucketsOpened: opened,
        bucketsOpenedForMetadata: openedForMetadata,
        bucketsFinished: { ...buckets.finished },
        ...(cause.bucketSpanMs !== undefined && { bucketSpanMs: cause.bucketSpanMs }),
      },
      remedy: { steps: cause.steps },
    },
  ];
}

/** From 6.3 on, the server creates it with the collection; older ones and upgraded collections lack it. */
function judgeIndex(
  collection: Collection,
  { stored }: Buckets,
  indexes: readonly IndexDescription[],
  least: number,
): readonly Verdict[] {
  const { timeField, metaField } = collection.timeseries ?? {};
  if (metaField === undefined || timeField === undefined || stored < least) return [];
  const isOnSource = ({ key, hidden, partialFilterExpression }: IndexDescription) =>
    !hidden && partialFilterExpression === undefined && isWithin(Object.keys(key)[0] ?? '', metaField);
  if (indexes.some(isOnSource)) return [];
  const key = { [metaField]: 1, [timeField]: 1 };
  return [
    {
      severity: 'info',
      confidence: 'medium',
      path: metaField,
      message: `No index begins with \`${metaField}\`: a query for one source scans all ${plural(stored, 'bucket')}, or all of a time range.`,
      evidence: { source: 'listIndexes and $collStats', window: 'as of now', buckets: stored, indexes: indexes.length },
      remedy: {
        steps: [
          {
            text: `Create an index on \`${metaField}\` and \`${timeField}\`, as MongoDB does for new collections since 6.3. It has an entry for each bucket, and building it scans them. If queries name a field of \`${metaField}\`, index that field in its place.`,
            command: {
              db: collection.database,
              command: { createIndexes: collection.name, indexes: [{ key, name: indexName(key) }] },
            },
          },
        ],
      },
    },
  ];
}
