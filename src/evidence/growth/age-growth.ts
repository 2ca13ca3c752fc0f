import { median, probit, quantileSorted, sampleRankCorrelation } from 'simple-statistics';
import { quantileWithInterval, type Estimate } from './estimate.js';
import { rateOfLargest, typicalRates, type Gain, type GrowthRates } from './growth-rates.js';
import { FALSE_FINDING_RATE } from './limits.js';
import { robustSlope } from './robust-slope.js';

export interface AgedValue {
  readonly age: number;
  readonly value: number;
}

/** What a sample says of growth with the documents' age. */
export type AgeGrowth =
  | {
      readonly shape: 'growing';
      readonly documents: number;
      /** Between the 5th and the 95th percentile of the ages. */
      readonly spanDays: number;
      /** Spearman's rank correlation of age and value. */
      readonly correlation: number;
      readonly rates: GrowthRates;
    }
  /** Why older documents do not grow, even if they are larger. */
  | { readonly shape: AgeShape; readonly documents: number; readonly spanDays: number };

/**
 * `plateau`: only young documents grow. `step`: older ones differ as a whole. `survivors`: older ones are larger on
 * average, but not at the top. `import`: the ages are those of an import. `level`: age explains little.
 */
export type AgeShape = 'level' | 'plateau' | 'step' | 'survivors' | 'import';

export const FEWEST_AGED_DOCUMENTS = 40;
/** In days: one hour. */
export const SHORTEST_AGE_SPAN = 1 / 24;
/** Below it, age explains less than a tenth of the differences. */
const LEAST_CORRELATION = 0.3;
/** Standard errors that a part's correlation must reach: a chance of 5 %, as it is a second look. */
const PART_STANDARD_ERRORS = probit(0.95);
/** The same for all parts between two steps together: a chance of 1 %. */
const STEP_STANDARD_ERRORS = probit(0.99);
/** The old documents' slope must be at least this share of the young ones'. */
const LEAST_CONTINUATION = 1 / 3;
/** Share of the oldest third with the same largest value that makes it a cap, however few elements were gained. */
const CAP_SHARE = 0.3;
/** The same, if so many documents at one value are far more than growth through it would leave there. */
const LEAST_CAP_SHARE = 0.1;
const CAP_OVER_CHANCE = 3;
const FEWEST_AT_CAP = 5;
/** Share of the documents, the oldest ones, that must not plainly have stopped growing. */
const OLDEST_SHARE = 0.2;
/** Share of the oldest third above the youngest third's 90th percentile; without growth it would be 10 %. */
const LEAST_SHARE_ABOVE_YOUNG = 0.4;
const MOST_PARTS = 4;
const FEWEST_IN_PART = 15;
/** The youngest documents, which show the value at creation: a tenth, and at least so many. */
const YOUNG_SHARE = 0.1;
const FEWEST_YOUNG = 10;
const LEAST_GAIN = 2;

/** @param tests how many quantities of the collection are judged; the more, the more one of them must show */
export function ageGrowth(
  documents: readonly AgedValue[],
  unit: 'elements' | 'bytes',
  tests: number,
): AgeGrowth | null {
  const count = documents.length;
  if (count < FEWEST_AGED_DOCUMENTS) return null;
  const sorted = [...documents].sort((a, b) => a.age - b.age);
  const ages = sorted.map(({ age }) => age);
  const values = sorted.map(({ value }) => value);
  const spanDays = quantileSorted(ages, 0.95) - quantileSorted(ages, 0.05);
  if (spanDays < SHORTEST_AGE_SPAN) return null;

  const not = (shape: AgeShape): AgeGrowth => ({ shape, documents: count, spanDays });
  const correlation = sampleRankCorrelation(ages, values);
  const needed = Math.max(LEAST_CORRELATION, probit(1 - FALSE_FINDING_RATE / tests) / Math.sqrt(count - 1));
  if (!(correlation >= needed)) return not('level');
  const perDay = robustSlope(ages, values);
  if (perDay === null || perDay.low <= 0 || perDay.estimate * spanDays < LEAST_GAIN) return not('level');
  if (-atBirth(sorted, perDay.estimate) / perDay.estimate > spanDays) return not('import');
  if (isCapped(ages, values, perDay.estimate) || !continues(ages, values) || isHalted(ages, values, perDay.estimate))
    return not('plateau');
  if (!growsBetweenSteps(ages, values)) return not('step');
  if (shareAboveYoung(values) < LEAST_SHARE_ABOVE_YOUNG) return not('survivors');
  return { shape: 'growing', documents: count, spanDays, correlation, rates: ratesByAge(sorted, perDay, unit) };
}

// The typical rate combines two views: the slope over all documents, and the median of what the older half gained per
// day of age. If some documents grow much faster than others the two differ, and the interval holds both.
function ratesByAge(sorted: readonly AgedValue[], slope: Estimate, unit: 'elements' | 'bytes'): GrowthRates {
  const young = sorted.slice(0, Math.max(FEWEST_YOUNG, Math.ceil(sorted.length * YOUNG_SHARE)));
  const [initial, initialOfYoung] = [sorted, young].map((documents) =>
    Math.max(0, atBirth(documents, slope.estimate)),
  ) as [number, number];
  const gains = (from: number): Gain[] =>
    sorted
      .slice(Math.floor(sorted.length / 2))
      .map(({ age, value }) => ({ value, gained: Math.max(0, value - from), days: age }));
  const rateOfOld = (from: number) =>
    quantileWithInterval(
      gains(from).map(({ gained, days }) => gained / days),
      0.5,
    );
  const typical = typicalRates(
    sorted.map(({ value }) => value),
    [slope, rateOfOld(initial), rateOfOld(initialOfYoung)],
  );
  const old = gains(initialOfYoung);
  const largest = sorted.reduce((a, b) => (b.value > a.value ? b : a));
  const gain = { value: largest.value, gained: Math.max(0, largest.value - initialOfYoung), days: largest.age };
  const perDay = rateOfLargest(gain, old, typical.perDay);
  // Chance may explain any part of the largest document's own growth in bytes: it may be a typical one.
  const low = unit === 'bytes' ? Math.min(perDay.low, typical.perDay.low) : perDay.low;
  return { typical, largest: { value: largest.value, perDay: { ...perDay, low } } };
}

/** The value at creation that a steady rate implies; negative if documents were empty at first. */
function atBirth(documents: readonly AgedValue[], perDay: number): number {
  return median(documents.map(({ age, value }) => value - perDay * age));
}

function continues(ages: readonly number[], values: readonly number[]): boolean {
  const middle = Math.floor(ages.length / 2);
  const half = (ages[0] as number) + ((ages.at(-1) as number) - (ages[0] as number)) / 2;
  const splits = [middle, ages.findIndex((age) => age > half)];
  return splits.every((split) => {
    if (split < FEWEST_IN_PART || ages.length - split < FEWEST_IN_PART) return true;
    const oldAges = ages.slice(split);
    const old = values.slice(split);
    const young = robustSlope(ages.slice(0, split), values.slice(0, split));
    const later = robustSlope(oldAges, old);
    if (young === null || later === null) return true;
    return (
      later.estimate >= LEAST_CONTINUATION * young.estimate && standardErrors(oldAges, old) >= PART_STANDARD_ERRORS
    );
  });
}

/** Whether many of the oldest third share one largest value although their ages differ enough. */
function isCapped(ages: readonly number[], values: readonly number[], perDay: number): boolean {
  const third = Math.floor(values.length / 3);
  const gain = perDay * ((ages.at(-1) as number) - (ages.at(-third) as number));
  if (gain < LEAST_GAIN) return false;
  const old = values.slice(-third);
  const highest = Math.max(...old);
  const atCap = old.filter((value) => value === highest).length;
  if (atCap < FEWEST_AT_CAP) return false;
  return atCap / third >= Math.min(CAP_SHARE, Math.max(LEAST_CAP_SHARE, CAP_OVER_CHANCE / gain));
}

function isHalted(ages: readonly number[], values: readonly number[], perDay: number): boolean {
  const from = ages.length - Math.floor(OLDEST_SHARE * ages.length);
  const latest = robustSlope(ages.slice(from), values.slice(from));
  return latest !== null && latest.high < LEAST_CONTINUATION * perDay;
}

function growsBetweenSteps(ages: readonly number[], values: readonly number[]): boolean {
  const ranks = midranks(values);
  const parts = [{ from: 0, to: ages.length }];
  while (parts.length < MOST_PARTS) {
    const best = parts
      .map((part, index) => ({ index, ...bestSplit(ranks, part.from, part.to) }))
      .reduce((a, b) => (b.gain > a.gain ? b : a));
    if (best.gain <= 0) break;
    const { from, to } = parts[best.index] as { from: number; to: number };
    parts.splice(best.index, 1, { from, to: best.at }, { from: best.at, to });
    const scores = parts
      .filter((part) => part.to - part.from >= FEWEST_IN_PART)
      .map((part) => standardErrors(ages.slice(part.from, part.to), values.slice(part.from, part.to)));
    const together = scores.reduce((sum, score) => sum + score, 0) / Math.sqrt(scores.length);
    if (!(together >= STEP_STANDARD_ERRORS)) return false;
  }
  return true;
}

function bestSplit(ranks: readonly number[], from: number, to: number): { at: number; gain: number } {
  const count = to - from;
  let best = { at: from, gain: 0 };
  const total = ranks.slice(from, to).reduce((sum, rank) => sum + rank, 0);
  let below = 0;
  for (let index = from; index < to; index += 1) {
    const left = index - from;
    if (left >= FEWEST_IN_PART && count - left >= FEWEST_IN_PART) {
      const difference = below / left - (total - below) / (count - left);
      const gain = ((difference * difference * left) / count) * (count - left);
      if (gain > best.gain) best = { at: index, gain };
    }
    below += ranks[index] as number;
  }
  return best;
}

function midranks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] as number) - (values[b] as number));
  const ranks = [...values];
  for (let start = 0; start < order.length;) {
    let end = start;
    while (end < order.length && values[order[end] as number] === values[order[start] as number]) end += 1;
    for (let index = start; index < end; index += 1) ranks[order[index] as number] = (start + end - 1) / 2;
    start = end;
  }
  return ranks;
}

/** Spearman's rank correlation in standard errors of its distribution without any; 0 if nothing varies. */
function standardErrors(xs: readonly number[], ys: readonly number[]): number {
  const correlation = sampleRankCorrelation([...xs], [...ys]);
  return Number.isNaN(correlation) ? 0 : correlation * Math.sqrt(xs.length - 1);
}

function shareAboveYoung(values: readonly number[]): number {
  const third = Math.floor(values.length / 3);
  const line = quantileSorted(
    values.slice(0, third).sort((a, b) => a - b),
    0.9,
  );
  return values.slice(-third).filter((value) => value > line).length / third;
}
