import {
  type Buckets,
  type Collection,
  defineCheck,
  type IndexDescription,
  type RemedyStep,
  type Verdict,
} from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatCount, formatDuration, plural } from '../src/format.js';
import { indexName } from '../src/judgement/indexes/index-proposal.js';
import { shellCommand, shellStatement } from '../src/judgement/shell-statement.js';
import { isWithin } from '../src/profile/path-steps.js';
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_SECOND } from '../src/time-units.js';

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
      description: 'buckets opened since the server started, to judge how full they are',
      source: 'judgement: fewer may be those of one import or one outage',
    },
    indexed: {
      default: 1_000,
      unit: 'documents',
      description: 'stored buckets that need an index on the meta field',
      source: 'judgement: fewer are scanned in milliseconds',
    },
    warning: {
      default: 10_000,
      unit: 'documents',
      description: 'stored buckets, if they hold few measurements',
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

/** What a bucket spans at most, in ms. Source: MongoDB manual, "Set Granularity for Time Series Data". */
const SPANS: Readonly<Record<string, number>> = { seconds: MS_PER_HOUR, minutes: MS_PER_DAY, hours: 30 * MS_PER_DAY };

const NEXT: Readonly<Record<string, string>> = { seconds: 'minutes', minutes: 'hours' };

/** In ms, of one bucket at most; infinite for a granularity that is not known. */
function spanOf({ timeseries }: Collection): number {
  const { granularity = 'seconds', bucketMaxSpanSeconds } = timeseries ?? {};
  if (bucketMaxSpanSeconds !== undefined) return bucketMaxSpanSeconds * MS_PER_SECOND;
  return SPANS[granularity] ?? Infinity;
}

interface Cause {
  readonly path: string | null;
  readonly why: string;
  readonly steps: readonly RemedyStep[];
  /** What a bucket spans at most, in ms, if that is why. */
  readonly bucketSpanMs?: number;
}

/** What ends most buckets before they are full; null if they are full. */
function causeOf(collection: Collection, { opened, openedForMetadata, finished }: Buckets): Cause | null {
  const { timeField = '', metaField = null } = collection.timeseries ?? {};
  if (metaField !== null && openedForMetadata >= opened / 2) {
    return {
      path: metaField,
      why: `${formatCount(openedForMetadata)} of ${plural(opened, 'bucket')} were opened for a value of \`${metaField}\` that had none: it has too many values, or they change.`,
      steps: stepsOf(
        `Keep in \`${metaField}\` only what names the source and stays the same, such as the id of a sensor. Counters, sessions, readings and versions are measurements: move them out of it.`,
        ...rewriting(collection),
      ),
    };
  }
  const reasons = Object.entries(finished) as [keyof typeof finished, number][];
  const [[reason, times] = [null, 0]] = reasons.toSorted((one, other) => other[1] - one[1]);
  const ended = `${plural(times, 'bucket')} ended`;
  switch (reason) {
    case 'TimeForward': {
      const span = spanOf(collection);
      const isKnown = Number.isFinite(span);
      return {
        path: timeField,
        why: `${ended} because the next measurement was beyond its span${isKnown ? ` of ${formatDuration(span)}` : ''}: that is too short for the interval between measurements.`,
        steps: [...widening(collection), ...rewriting(collection)],
        ...(isKnown && { bucketSpanMs: span }),
      };
    }
    case 'TimeBackward':
      return {
        path: timeField,
        why: `${ended} because an earlier measurement arrived after it.`,
        steps: stepsOf(
          'Write the measurements of each source in the order of their times. Sort each batch by source and time before inserting it.',
        ),
      };
    case 'SchemaChange':
      return {
        path: null,
        why: `${ended} because a field changed its type between two measurements.`,
        steps: stepsOf(
          'Write each field with one type: numbers not as text, and a whole number as the same type as a fraction.',
        ),
      };
    case 'MemoryThreshold':
    case 'CachePressure':
      return {
        path: metaField,
        why: `${ended} because too many were open for the memory that they may take.`,
        steps: stepsOf(
          `Write in fewer sources at a time, with the measurements of a source together, or divide the collection by groups of sources.`,
        ),
      };
    default:
      return null;
  }
}

function widening({ database, name, timeseries }: Collection): RemedyStep[] {
  const next = timeseries?.bucketMaxSpanSeconds === undefined ? NEXT[timeseries?.granularity ?? 'seconds'] : undefined;
  return next === undefined
    ? stepsOf(
        'Give the collection a longer span: since 6.3, bucketMaxSpanSeconds and bucketRoundingSeconds can be set, up to a year. With measurements that are rarer still, an ordinary collection serves better.',
      )
    : [
        {
          text: `Raise the granularity to "${next}". It holds for new buckets, scans nothing, and can't be lowered again. Queries of short ranges then unpack larger buckets.`,
          code: shellCommand(database, { collMod: name, timeseries: { granularity: next } }),
        },
      ];
}

/** The counters are kept until the server restarts, so a rewritten collection begins with its own. */
function rewriting({ namespace, name }: Collection): RemedyStep[] {
  return stepsOf(
    'Stored buckets stay as they are. If they are read often, copy the measurements into a new collection with the right options, sorted by source and time, and rename it.',
    {
      text: `Check after some days that the measurements per bucket have risen. The counters of ${name} start again with the server.`,
      code: `${shellStatement(namespace, 'stats')}.timeseries`,
    },
  );
}
