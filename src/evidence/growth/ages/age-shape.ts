import { mean, median, probit, quantileSorted, sampleRankCorrelation, sampleVariance } from 'simple-statistics';
import { atBirth, type AgedValue } from './age-rates.js';
import { SECOND_LOOK } from '../rates/estimate.js';
import { robustSlope } from '../rates/robust-slope.js';

/** The same for all parts between two steps together: a chance of 1 %. */
const STEP_STANDARD_ERRORS = probit(0.99);
/** The old documents' slope must be at least this share of the young ones'. */
const LEAST_CONTINUATION = 1 / 3;
/** Of the documents that gained, the older ones, and the standard errors below which they show no growth. */
const OLDER_PARTS = [
  { share: 2 / 3, standardErrors: 0 },
  { share: 1 / 2, standardErrors: -SECOND_LOOK },
] as const;
/** Share of the oldest third with the same largest value that makes it a cap, however few elements were gained. */
const CAP_SHARE = 0.3;
/** The same, if so many documents at one value are far more than growth through it would leave there. */
const LEAST_CAP_SHARE = 0.1;
const CAP_OVER_CHANCE = 3;
const FEWEST_AT_CAP = 5;
const OLDEST_SHARE = 0.2;
const MOST_PARTS = 4;
const FEWEST_IN_PART = 15;
export const LEAST_GAIN = 2;
const YOUNGEST_SHARE = 0.1;
const FEWEST_YOUNGEST = 10;
/** Of the old ones' length, from which the length at creation may explain what seems to be growth. */
const LEAST_INITIAL = 0.1;

/**
 * Growth adds chance to chance: the older, the more documents differ, and the less by what they were created with. If
 * they differ as much at any age, they were created larger and larger, or smaller and smaller. Not so if arrays begin empty.
 * With rates far apart, growing ones differ by the same ratio, too.
 */
export function isTrendAtCreation(
  sorted: readonly AgedValue[],
  perDay: number,
  differ: 'by-difference' | 'by-ratio-or-difference' = 'by-ratio-or-difference',
): boolean {
  const third = Math.floor(sorted.length / 3);
  // Of the very young, since those that ever gain less seem to have begun with more.
  const initial = atBirth(
    sorted.slice(0, Math.max(FEWEST_YOUNGEST, Math.ceil(YOUNGEST_SHARE * sorted.length))),
    perDay,
  );
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
  if (apart(false) < SECOND_LOOK) return true;
  return differ === 'by-ratio-or-difference' && Math.abs(apart(true)) < SECOND_LOOK;
}

// In standard errors (B. L. Welch, 1947).
function standardErrorsApart(one: readonly number[], other: readonly number[]): number {
  const error = Math.sqrt(sampleVariance([...one]) / one.length + sampleVariance([...other]) / other.length);
  return error === 0 ? 0 : (mean([...one]) - mean([...other])) / error;
}

export function continues(ages: readonly number[], values: readonly number[]): boolean {
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
    return later.estimate >= LEAST_CONTINUATION * young.estimate && standardErrors(oldAges, old) >= SECOND_LOOK;
  });
}

/** Those above a line that hardly any document is created above, in order of age; the others have `initial`. */
export interface ActiveDocuments {
  readonly documents: readonly AgedValue[];
  readonly line: number;
  readonly initial: number;
}

// If gains rise by less than a third of age's share, they have halted: surely so in the older half, or at all in the older two
// thirds. Only documents count that would be above the line at any age that is compared.
export function activeContinue({ documents, line, initial }: ActiveDocuments): boolean {
  return OLDER_PARTS.every(({ share, standardErrors: needed }) => {
    const part = documents.slice(Math.floor((1 - share) * documents.length));
    const least = (line - initial) / (part[0]?.age ?? 1) ** LEAST_CONTINUATION;
    const scaled = part
      .map(({ age, value }) => ({ age, value: (value - initial) / age ** LEAST_CONTINUATION }))
      .filter(({ value }) => value > least);
    const [ages, values] = [scaled.map(({ age }) => age), scaled.map(({ value }) => value)];
    return scaled.length < FEWEST_IN_PART || standardErrors(ages, values) >= needed;
  });
}

// Whether a few steps fit the ranks better than a line or a curve (G. Schwarz, "Estimating the dimension of a model", 1978).
export function areSteps(ages: readonly number[], values: readonly number[]): boolean {
  const ranks = midranks(values);
  const count = ages.length;
  const criterion = (left: number, parameters: number) => count * Math.log(left) + parameters * Math.log(count);
  const curve = Math.min(
    criterion(leftByLine(ages, ranks), 2),
    criterion(leftByLine(logarithms(ages), ranks), 2),
    criterion(leftByCurve(ages, ranks), 3),
  );
  const parts = [{ from: 0, to: count }];
  while (parts.length < MOST_PARTS) {
    if (!splitBest(parts, ranks)) return false;
    const left = parts.reduce((sum, { from, to }) => sum + squaresOf(ranks.slice(from, to)), 0);
    if (criterion(left, 2 * parts.length - 1) < curve) return true;
  }
  return false;
}

function logarithms(values: readonly number[]): number[] {
  return values.map((value) => Math.log(value));
}

// By least squares.
function leftByLine(xs: readonly number[], ranks: readonly number[]): number {
  const [x, rank] = [centered(xs), centered(ranks)];
  return dot(rank, rank) - dot(rank, x) ** 2 / dot(x, x);
}

function squaresOf(values: readonly number[]): number {
  const apart = centered(values);
  return dot(apart, apart);
}

function centered(values: readonly number[]): number[] {
  const average = mean([...values]);
  return values.map((value) => value - average);
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] as number), 0);
}

// By least squares, over age and its logarithm, made orthogonal to it.
function leftByCurve(ages: readonly number[], ranks: readonly number[]): number {
  const age = centered(ages);
  const log = centered(logarithms(ages));
  const shared = dot(log, age) / dot(age, age);
  const rest = log.map((value, index) => value - shared * (age[index] as number));
  const rank = centered(ranks);
  return dot(rank, rank) - dot(rank, age) ** 2 / dot(age, age) - dot(rank, rest) ** 2 / dot(rest, rest);
}

export function isCapped(ages: readonly number[], values: readonly number[], perDay: number): boolean {
  const third = Math.floor(values.length / 3);
  const gain = perDay * ((ages.at(-1) as number) - (ages.at(-third) as number));
  if (gain < LEAST_GAIN) return false;
  const old = values.slice(-third);
  const highest = Math.max(...old);
  const atCap = old.filter((value) => value === highest).length;
  if (atCap < FEWEST_AT_CAP) return false;
  return atCap / third >= Math.min(CAP_SHARE, Math.max(LEAST_CAP_SHARE, CAP_OVER_CHANCE / gain));
}

export function isHalted(ages: readonly number[], values: readonly number[], perDay: number): boolean {
  const from = ages.length - Math.floor(OLDEST_SHARE * ages.length);
  const latest = robustSlope(ages.slice(from), values.slice(from));
  return latest !== null && latest.high < LEAST_CONTINUATION * perDay;
}

export function growsBetweenSteps(ages: readonly number[], values: readonly number[]): boolean {
  const ranks = midranks(values);
  const parts = [{ from: 0, to: ages.length }];
  while (parts.length < MOST_PARTS) {
    if (!splitBest(parts, ranks)) break;
    const scores = parts
      .filter((part) => part.to - part.from >= FEWEST_IN_PART)
      .map((part) => standardErrors(ages.slice(part.from, part.to), values.slice(part.from, part.to)));
    const together = scores.reduce((sum, score) => sum + score, 0) / Math.sqrt(scores.length);
    if (!(together >= STEP_STANDARD_ERRORS)) return false;
  }
  return true;
}

function splitBest(parts: { from: number; to: number }[], ranks: readonly number[]): boolean {
  const best = parts
    .map((part, index) => ({ index, ...bestSplit(ranks, part.from, part.to) }))
    .reduce((a, b) => (b.gain > a.gain ? b : a));
  if (best.gain <= 0) return false;
  const { from, to } = parts[best.index] as { from: number; to: number };
  parts.splice(best.index, 1, { from, to: best.at }, { from: best.at, to });
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

export function shareAboveYoung(values: readonly number[]): number {
  const third = Math.floor(values.length / 3);
  const line = quantileSorted(
    values.slice(0, third).sort((a, b) => a - b),
    0.9,
  );
  return values.slice(-third).filter((value) => value > line).length / third;
}
