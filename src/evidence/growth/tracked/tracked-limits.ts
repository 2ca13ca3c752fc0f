import { median, probit } from 'simple-statistics';
import { areBeingFilled, type EarlierVerdict, type SomeArrays } from '../rates/filled-arrays.js';
import type { TrackedDocument, TrackedValues } from './tracked-documents.js';
import { gainsOf, hasChanged } from './tracked-intervals.js';
import { trendOf } from './tracked-trend.js';

/** Of the length of those that did not gain: growing arrays are about as long, or longer. Of the lengths, so many did not gain. */
const LEAST_OF_OTHERS = { growing: 2 / 3, nothing: 2 / 3, filling: 1 } as const;
const LEAST_OTHERS = 0.2;
const FEWEST_COMPARED = 5;
/** Of the gain of shorter arrays: what longer ones gain by chance, while they lose as much, is less. */
const LEAST_OF_LOWER_HALF = 1 / 3;
const CAP_SHARE = 0.1;
const LEAST_TREND = probit(0.99);

export function isCapped({ documents }: TrackedValues, least = CAP_SHARE): boolean {
  const now = documents.map(lastOf);
  const greatest = Math.max(...now);
  const at = documents.filter((document) => lastOf(document) === greatest);
  const before = documents.map(({ values }) => values.findLast((value, run) => run < values.length - 1 && value >= 0));
  const stayed = before.filter((value, index) => value === greatest && now[index] === greatest).length;
  return at.length >= Math.max(FEWEST_COMPARED, least * documents.length) && stayed >= at.length / 2;
}

function lastOf({ values }: TrackedDocument): number {
  return values.at(-1) as number;
}

// Those that are being filled are shorter than those that are full.
export function areOthersLonger({ documents }: TrackedValues, verdict: EarlierVerdict): boolean {
  const gaining: number[] = [];
  const others: number[] = [];
  const neverGaining: number[] = [];
  let seen = 0;
  for (const { values } of documents.filter(({ isEven }) => isEven)) {
    const gainsAtAll = gainsOf(values).some((gain) => gain > 0);
    if (gainsAtAll) seen += 1;
    for (let run = 1; run < values.length; run += 1) {
      const [before, after] = [values[run - 1] as number, values[run] as number];
      if (Number.isNaN(before) || Number.isNaN(after)) continue;
      (after > before ? gaining : others).push((before + after) / 2);
      if (!gainsAtAll) neverGaining.push(after);
    }
  }
  const least = Math.max(FEWEST_COMPARED, LEAST_OTHERS * (gaining.length + others.length));
  if (gaining.length < FEWEST_COMPARED || others.length < least) return false;
  if (median(gaining) < LEAST_OF_OTHERS[verdict] * median(others)) return true;
  const all = [...gaining, ...neverGaining];
  return areBeingFilled(
    { arrays: gaining.length, lengths: gaining },
    { arrays: all.length, lengths: all },
    seen,
    verdict,
  );
}

// For few that gain: of the longest, the sketch of the run before holds all.
export function areLongestFull({ documents }: TrackedValues, verdict: EarlierVerdict): boolean {
  const kept = documents.filter(({ isEven }) => !isEven).map(lengthBefore);
  const shortest = Math.min(...kept.filter((length) => !Number.isNaN(length)));
  const longest = documents.filter((document) => lengthBefore(document) >= shortest);
  const gaining = longest.filter(({ values }) => gainsOf(values).some((gain) => gain > 0));
  return areBeingFilled(lengthsOf(gaining), lengthsOf(longest), gaining.length, verdict);
}

function lengthBefore({ values }: TrackedDocument): number {
  return values.at(-2) as number;
}

function lengthsOf(documents: readonly TrackedDocument[]): SomeArrays {
  const lengths = documents.flatMap(({ values }) => [...values].filter((length) => !Number.isNaN(length)));
  return { arrays: lengths.length, lengths };
}

// By the mean over the runs, which neither a gain by chance nor a loss moves to one side.
export function isUpperHalfGaining(tracked: TrackedValues): boolean {
  const changing = tracked.documents.filter(hasChanged);
  if (changing.length < 2 * FEWEST_COMPARED) return true;
  const means = changing.map(({ values }) => meanOf(values));
  const middle = median(means);
  const upper = changing.filter((_, index) => (means[index] as number) >= middle);
  const lower = changing.filter((_, index) => (means[index] as number) < middle);
  if (gainPerDay(upper, tracked) < LEAST_OF_LOWER_HALF * gainPerDay(lower, tracked)) return false;
  return trendOf({ ...tracked, documents: upper }) >= LEAST_TREND;
}

function gainPerDay(documents: readonly TrackedDocument[], { daysAgo }: TrackedValues): number {
  let [gained, days] = [0, 0];
  for (const { values } of documents) {
    const first = values.findIndex((value) => !Number.isNaN(value));
    gained += (values.at(-1) as number) - (values[first] as number);
    days += daysAgo[first] as number;
  }
  return days === 0 ? 0 : gained / days;
}

function meanOf(values: Float64Array): number {
  const seen = values.filter((value) => !Number.isNaN(value));
  return seen.reduce((sum, value) => sum + value, 0) / seen.length;
}
