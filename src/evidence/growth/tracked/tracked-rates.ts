import { quantileWithInterval, STANDARD_ERRORS, type Estimate } from '../rates/estimate.js';
import { rateOfLargest, type Gain, type GrowthRates } from '../rates/growth-rates.js';
import { RateMixture, type CountedGain } from '../rates/rate-mixture.js';
import { trendBy } from '../writes/rate-trend.js';
import type { TrackedDocument, TrackedValues } from './tracked-documents.js';

/** Days in which an array counts as active if it gained once. */
const ACTIVE_DAYS = 7;
const FEWEST_ACTIVE = 5;

/** How the whole collection's gain a day changes over the intervals between runs. */
export interface Pace {
  /** Standard error of its average. */
  readonly relativeError: number;
  readonly days: number;
  /** From their middle to now. */
  readonly daysAgo: number;
  /** By what share it rises or falls each day, and the squared days that this rests on. */
  readonly change: number;
  readonly spread: number;
}

/**
 * How fast the typical active document and the largest one gain.
 *
 * @param steps of the intervals between runs, those that hold a backfill
 * @param pace of the whole collection's gain: its changes over time
 */
export function trackedRates(tracked: TrackedValues, steps: readonly boolean[], pace: Pace): GrowthRates | null {
  const { documents, daysAgo } = tracked;
  const even = documents.filter(({ isEven }) => isEven);
  const gainsOf = (some: readonly TrackedDocument[]) => some.map((document) => gainOf(document, daysAgo, steps));
  const isEnough = gainsOf(even).filter(({ gained }) => gained > 0).length >= FEWEST_ACTIVE;
  const gains = gainsOf(isEnough ? even : documents);
  const active = gains.filter(({ gained }) => gained > 0);
  if (active.length === 0) return null;
  const perDay = typicalRate(gains, burstOf(documents, steps), pace);
  const lengths = active.map(({ value }) => value);
  const largest = gainsOf(documents).reduce((a, b) => (b.value > a.value ? b : a));
  return {
    typical: { value: quantileWithInterval(lengths, 0.5), perDay },
    largest: { value: largest.value, perDay: rateOfLargest(largest, active, perDay) },
  };
}

function gainOf({ values }: TrackedDocument, daysAgo: readonly number[], steps: readonly boolean[]): Gain {
  let [gained, days, last] = [0, 0, -1];
  for (let run = 0; run < values.length; run += 1) {
    if (Number.isNaN(values[run])) continue;
    if (last >= 0 && !steps.slice(last, run).some(Boolean)) {
      gained += (values[run] as number) - (values[last] as number);
      days += (daysAgo[last] as number) - (daysAgo[run] as number);
    }
    last = run;
  }
  return { value: values.at(-1) as number, gained: Math.max(0, gained), days };
}

// Elements that come together: the variance of gains over their mean.
function burstOf(documents: readonly TrackedDocument[], steps: readonly boolean[]): number {
  let squares = 0;
  let expected = 0;
  for (const { values } of documents) {
    const gains = Array.from(values.subarray(1), (value, run) => value - (values[run] as number)).filter(
      (gain, run) => !Number.isNaN(gain) && !(steps[run] ?? false),
    );
    const average = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
    if (gains.length < 2 || !(average > 0)) continue;
    squares += gains.reduce((sum, gain) => sum + (gain - average) ** 2, 0);
    expected += (gains.length - 1) * average;
  }
  return expected === 0 ? 1 : Math.max(1, squares / expected);
}

/** The median over documents that are active in a week, from a mixture of the rates of those that gained. */
function typicalRate(gains: readonly Gain[], burst: number, pace: Pace): Estimate {
  const counted = gains
    .filter(({ gained, days }) => gained > 0 && days > 0)
    .map(({ gained, days }): CountedGain => ({ gained, days }));
  const window = Math.max(...counted.map(({ days }) => days));
  const isSeen = (rate: number, days: number) => -Math.expm1((-rate / burst) * days);
  // Idle documents are left out, since few runs don't tell them from slow ones; some of the slow ones are left out, too.
  const mixture = new RateMixture(
    counted,
    window,
    burst,
    (rate) => isSeen(rate, ACTIVE_DAYS) / isSeen(rate, window),
    isSeen,
  );
  const fitted = mixture.fit();
  // Of its changes over time, chance explains what it also explains of the documents' differences.
  const byChance = burst / counted.reduce((sum, { gained }) => sum + gained, 0);
  const overTime = Math.sqrt(Math.max(0, Math.min(1, pace.relativeError) ** 2 - byChance));
  const { change, spread, days, daysAgo } = pace;
  const trend = trendBy(change, (Math.max(byChance, pace.relativeError ** 2) * days) / spread, daysAgo);
  // Of few arrays, none can be left out: then the elements that they gained say it.
  const byArrays = counted.length < FEWEST_ACTIVE ? Math.sqrt(byChance) : mixture.errorOf(fitted);
  const factor = Math.exp(STANDARD_ERRORS * Math.hypot(byArrays, overTime, trend.error));
  const rate = fitted.median * Math.exp(trend.sinceAverage);
  return { low: rate / factor, estimate: rate, high: rate * factor };
}
