import { mean, median, probit, quantileSorted, sampleRankCorrelation, sampleVariance } from 'simple-statistics';
import { quantileWithInterval, STANDARD_ERRORS, union, type Estimate } from './estimate.js';
import { rateOfLargest, typicalRates, type Gain, type GrowthRates } from './growth-rates.js';
import { FALSE_FINDING_RATE } from './limits.js';
import { robustSlope } from './robust-slope.js';

export interface AgedValue {
  readonly age: number;
  readonly value: number;
}

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
 * average, but not at the top. `import`: the ages are those of an import. `level`: age explains little. `trend`: older ones
 * differ no more among each other than young ones, as if they had been created larger.
 */
export type AgeShape = 'level' | 'plateau' | 'step' | 'survivors' | 'import' | 'trend';

export const FEWEST_AGED_DOCUMENTS = 40;
/** In days: one hour. */
export const SHORTEST_AGE_SPAN = 1 / 24;
/** Below it, age explains less than a tenth of the differences. */
const LEAST_CORRELATION = 0.3;
/** Standard errors that a second look must reach: a chance of 5 %. */
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
const OLDEST_SHARE = 0.2;
/** Share of the oldest third above the youngest third's 90th percentile; without growth it would be 10 %. */
const LEAST_SHARE_ABOVE_YOUNG = 0.4;
const MOST_PARTS = 4;
const FEWEST_IN_PART = 15;
/** The youngest documents, which show the value at creation: a tenth, and at least so many. */
const YOUNG_SHARE = 0.1;
const FEWEST_YOUNG = 10;
const LEAST_GAIN = 2;
/** Shares of the documents that may be active, if not all are; looked for among so many of about the same age. */
const ACTIVE_SHARES = [0.5, 0.2] as const;
const OF_AN_AGE = 20;
/** Of the old ones' length, from which the length at creation may explain what seems to be growth. */
const LEAST_INITIAL = 0.2;

/** @param tests how many quantities of the collection are judged; the more, the more one of them must show */
export function ageGrowth(
  documents: readonly AgedValue[],
  unit: 'elements' | 'bytes',
  tests: number,
): AgeGrowth | null {
  const sorted = [...documents].sort((a, b) => a.age - b.age);
  const whole = growthOf(sorted, unit, tests);
  if (whole === null || whole.shape !== 'level') return whole;
  // Idle documents hide those that are written to, which are the longest ones of their age.
  for (const share of ACTIVE_SHARES) {
    const active = longestOfEachAge(sorted, share);
    const growth = growthOf(active, unit, tests * (1 + ACTIVE_SHARES.length), sorted);
    if (growth?.shape === 'growing') return growth;
  }
  return whole;
}

function growthOf(
  sorted: readonly AgedValue[],
  unit: 'elements' | 'bytes',
  tests: number,
  among: readonly AgedValue[] = sorted,
): AgeGrowth | null {
  const count = sorted.length;
  if (count < FEWEST_AGED_DOCUMENTS) return null;
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
  if (isTrendAtCreation(sorted, perDay.estimate)) return not('trend');
  const rates = among === sorted ? ratesByAge(sorted, perDay, unit) : ratesOfActive(sorted, among, perDay, unit);
  return { shape: 'growing', documents: count, spanDays, correlation, rates: withCurvature(rates, ages, values) };
}

function longestOfEachAge(sorted: readonly AgedValue[], share: number): AgedValue[] {
  return Array.from({ length: Math.floor(sorted.length / OF_AN_AGE) }, (_, part) =>
    sorted
      .slice(part * OF_AN_AGE, (part + 1) * OF_AN_AGE)
      .sort((a, b) => b.value - a.value)
      .slice(0, share * OF_AN_AGE),
  )
    .flat()
    .sort((a, b) => a.age - b.age);
}

/**
 * Growth adds chance to chance: the older, the more documents differ, and the less by what they were created with. If
 * they differ as much at any age, they were created larger and larger, or smaller and smaller. Not so if arrays begin empty.
 */
function isTrendAtCreation(sorted: readonly AgedValue[], perDay: number): boolean {
  const third = Math.floor(sorted.length / 3);
  const initial = atBirth(sorted.slice(0, third), perDay);
  const old = median(sorted.slice(-third).map(({ value }) => value));
  if (initial < LEAST_INITIAL * old) return false;
  const spread = (part: readonly AgedValue[], isRelative: boolean) => {
    const center = atBirth(part, perDay);
    return part.map(({ age, value }) => {
      const expected = center + perDay * age;
      return Math.abs(value - expected) / (isRelative ? Math.max(1, expected) : 1);
    });
  };
  const [young, later] = [sorted.slice(0, third), sorted.slice(-third)];
  const apart = (isRelative: boolean) => standardErrorsApart(spread(later, isRelative), spread(young, isRelative));
  return apart(false) < PART_STANDARD_ERRORS || Math.abs(apart(true)) < PART_STANDARD_ERRORS;
}

// In standard errors (B. L. Welch, 1947).
function standardErrorsApart(one: readonly number[], other: readonly number[]): number {
  const error = Math.sqrt(sampleVariance([...one]) / one.length + sampleVariance([...other]) / other.length);
  return error === 0 ? 0 : (mean([...one]) - mean([...other])) / error;
}

// Seen at one time, a curve over ages has two causes: the rate depends on the age, or it has changed for all. So the rate
// may be that of the young, or of the old, and may go on to change either way.
function withCurvature(rates: GrowthRates, ages: readonly number[], values: readonly number[]): GrowthRates {
  const middle = Math.floor(ages.length / 2);
  const young = robustSlope(ages.slice(0, middle), values.slice(0, middle));
  const old = robustSlope(ages.slice(middle), values.slice(middle));
  if (young === null || old === null || young.estimate <= 0 || old.estimate <= 0) return rates;
  const error = Math.hypot(relativeError(young), relativeError(old));
  const ratio = Math.log(old.estimate / young.estimate);
  const apart = median(ages.slice(middle)) - median(ages.slice(0, middle));
  if (Math.abs(ratio) < STANDARD_ERRORS * error) return { ...rates, changePerDay: 0 };
  const changePerDay = (Math.abs(ratio) + PART_STANDARD_ERRORS * error) / apart;
  const { perDay, value } = rates.typical;
  const atAge = (age: number) => young.estimate * Math.exp((ratio / apart) * (age - median(ages.slice(0, middle))));
  const possible = [atAge(0), atAge(quantileSorted([...ages], 0.9))];
  const low = Math.min(perDay.low, ...possible);
  return {
    ...rates,
    changePerDay,
    typical: { value, perDay: { low, estimate: perDay.estimate, high: Math.max(perDay.high, ...possible) } },
  };
}

function relativeError({ low, estimate, high }: Estimate): number {
  return (high - low) / (2 * STANDARD_ERRORS) / estimate;
}

// Of the older half, those are active that are longer than nearly all young ones: what they gained since, by their age.
function ratesOfActive(
  active: readonly AgedValue[],
  among: readonly AgedValue[],
  slope: Estimate,
  unit: 'elements' | 'bytes',
): GrowthRates {
  const young = among
    .slice(0, Math.max(FEWEST_YOUNG, Math.ceil(among.length * YOUNG_SHARE)))
    .map(({ value }) => value)
    .sort((a, b) => a - b);
  const initial = quantileSorted(young, 0.5);
  const older = among.slice(Math.floor(among.length / 2));
  const rateAbove = (share: number) => {
    const least = quantileSorted(young, share);
    const rates = older.filter(({ value }) => value > least).map(({ age, value }) => (value - initial) / age);
    return rates.length === 0 ? slope : quantileWithInterval(rates, 0.5);
  };
  const { typical, largest } = ratesByAge(active, slope, unit);
  return {
    typical: { value: typical.value, perDay: union([rateAbove(0.9), rateAbove(0.8), rateAbove(0.95)]) },
    largest,
  };
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

// Negative if documents were empty at first.
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
