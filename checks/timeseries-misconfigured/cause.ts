import type { Buckets, Collection, RemedyStep } from '../../src/check.js';
import { stepsOf } from '../../src/finding/remedy.js';
import { formatCount, formatDuration, plural } from '../../src/format.js';
import { shellCommand, shellStatement } from '../../src/judgement/shell-statement.js';
import { MS_PER_DAY, MS_PER_HOUR, MS_PER_SECOND } from '../../src/time-units.js';

/** What a bucket spans at most, in ms. Source: MongoDB manual, "Set Granularity for Time Series Data". */
const SPANS: Readonly<Record<string, number>> = { seconds: MS_PER_HOUR, minutes: MS_PER_DAY, hours: 30 * MS_PER_DAY };
const NEXT: Readonly<Record<string, string>> = { seconds: 'minutes', minutes: 'hours' };
/** In ms, of one bucket at most; infinite for a granularity that is not known. */
export function spanOf({ timeseries }: Collection): number {
  const { granularity = 'seconds', bucketMaxSpanSeconds } = timeseries ?? {};
  if (bucketMaxSpanSeconds !== undefined) return bucketMaxSpanSeconds * MS_PER_SECOND;
  return SPANS[granularity] ?? Infinity;
}

export interface Cause {
  readonly path: string | null;
  readonly why: string;
  readonly steps: readonly RemedyStep[];
  /** What a bucket spans at most, in ms, if that is why. */
  readonly bucketSpanMs?: number;
}

/** What ends most buckets before they are full; null if they are full. */
export function causeOf(collection: Collection, { opened, openedForMetadata, finished }: Buckets): Cause | null {
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
