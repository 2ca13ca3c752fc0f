import { quantileWithInterval, STANDARD_ERRORS, type Estimate } from '../rates/estimate.js';
import { rateOfLargest, type Gain, type GrowthRates } from '../rates/growth-rates.js';
import { RateMixture, type CountedGain } from '../rates/rate-mixture.js';
import { trendBy, unknownTrend } from '../writes/rate-trend.js';
import type { LineOfPace } from './tracked-pace.js';
import type { TrackedDocument, TrackedValues } from './tracked-documents.js';

/** Days in which an array counts as active if it gained once. */
const ACTIVE_DAYS = 7;
const FEWEST_ACTIVE = 5;
/** Few scatter more or less by chance: so many more count as if they scattered by chance alone. */
const INTERVALS_OF_CHANCE = 3;
/** What a line takes of the degrees of freedom. */
const DEGREES_OF_LINE = 2;

type MeasuredLine = Omit<LineOfPace, 'change'> & { readonly change: number | null };

/**
 * How fast the typical active document and the largest one gain.
 *
 * @param steps of the intervals between runs, those that hold a backfill
 * @param line of the whole collection's gain, whose change over time is null if it is unknown
 */
export function trackedRates(
  tracked: TrackedValues,
  steps: readonly boolean[],
  line: MeasuredLine,
): GrowthRates | null {
  const { documents, daysAgo } = tracked;
  const even = documents.filter(({ isEven }) => isEven);
  const gainsOf = (some: readonly TrackedDocument[]) => some.map((document) => gainOf(document, daysAgo, steps));
  const isEnough = gainsOf(even).filter(({ gained }) => gained > 0).length >= FEWEST_ACTIVE;
  const gains = gainsOf(isEnough ? even : documents);
  const active = gains.filter(({ gained }) => gained > 0);
  if (active.length === 0) return null;
  const perDay = typicalRate(gains, burstOf(documents, steps), line);
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

/** Elements that come together: the variance of gains over their mean. */
export function burstOf(documents: readonly TrackedDocument[], steps: readonly boolean[]): number {
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
function typicalRate(gains: readonly Gain[], burst: number, line: MeasuredLine): Estimate {
  const counted = gains
    .filter(({ gained, days }) => gained > 0 && days > 0)
    .map(({ gained, days }): CountedGain => ({ gained, days }));
  const window = Math.max(...counted.map(({ days }) => days));
  // Of few runs, bursts and slow arrays look alike but for this: if many are slow, many more gain nothing.
  const nothing = gains.filter(({ gained, days }) => gained === 0 && days > 0);
  const mixture = new RateMixture(counted, window, burst, (rate) => -Math.expm1((-rate / burst) * ACTIVE_DAYS), {
    arrays: nothing.length,
    chance: (rate) =>
      nothing.reduce((sum, { days }) => sum + Math.exp((-rate / burst) * days), 0) / Math.max(1, nothing.length),
  });
  const fitted = mixture.fit();
  const byChance = burst / counted.reduce((sum, { gained }) => sum + gained, 0);
  const { change, spread, days, daysAgo, gained } = line;
  const scatterByChance = (burst * days) / gained;
  const overChance = overChanceOf(line, scatterByChance);
  const trend =
    change === null ? unknownTrend(daysAgo) : trendBy(change, (overChance * scatterByChance) / spread, daysAgo);
  // Of few arrays, none can be left out: then the elements that they gained say it.
  const byArrays = Math.max(Math.sqrt(byChance), counted.length < FEWEST_ACTIVE ? 0 : mixture.errorOf(fitted));
  const variance = byArrays ** 2 + (overChance - 1) * byChance + trend.error ** 2;
  const factor = Math.exp(STANDARD_ERRORS * Math.sqrt(variance));
  const rate = fitted.median * Math.exp(trend.sinceAverage);
  return { low: rate / factor, estimate: rate, high: rate * factor };
}

function overChanceOf({ intervals, left }: MeasuredLine, byChance: number): number {
  const seen = (intervals - DEGREES_OF_LINE) * (left / byChance);
  return (seen + INTERVALS_OF_CHANCE) / (intervals - DEGREES_OF_LINE + INTERVALS_OF_CHANCE);
}
