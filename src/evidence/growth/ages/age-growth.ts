import { median, probit, quantile, quantileSorted, sampleRankCorrelation } from 'simple-statistics';
import { withCurve } from './age-curve.js';
import { atBirth, ratesByAge, ratesOfActive, type AgedSample, type AgedValue } from './age-rates.js';
import {
  activeContinue,
  areSteps,
  continues,
  growsBetweenSteps,
  isCapped,
  isHalted,
  isTrendAtCreation,
  LEAST_GAIN,
  shareAboveYoung,
} from './age-shape.js';
import type { Estimate } from '../rates/estimate.js';
import type { GrowthRates } from '../rates/growth-rates.js';
import { FALSE_FINDING_RATE } from '../rates/limits.js';
import { robustSlope } from '../rates/robust-slope.js';

export type { AgedSample, AgedValue } from './age-rates.js';

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
/** Share of the oldest third above the youngest third's 90th percentile; without growth it would be 10 %. */
const LEAST_SHARE_ABOVE_YOUNG = 0.4;
/** Shares of the documents that may be active, if not all are; looked for among so many of about the same age. */
const ACTIVE_SHARES = [0.5, 0.2] as const;
const OF_AN_AGE = 20;
/** The youngest tenth, of which most are hardly longer than when they were created, if most are idle. */
const YOUNG_SHARE = 0.1;
const CREATED_SHARES = [0.5, 0.7, 0.8, 0.9] as const;
/** Of the oldest third, those no longer than that: else none are idle. */
const LEAST_IDLE = 0.3;
/** Of the oldest third, those shorter than nine tenths of the young: idle ones lose nothing. */
const SHORTEST_SHARE = 0.1;
const MOST_SHORTENED = 0.25;

/** @param tests how many quantities of the collection are judged; the more, the more one of them must show */
export function ageGrowth(documents: readonly AgedValue[], sample: AgedSample, tests: number): AgeGrowth | null {
  const sorted = [...documents].sort((a, b) => a.age - b.age);
  const whole = growthOf(sorted, sample, tests);
  if (whole === null || whole.shape !== 'level') return whole;
  // Idle documents hide those that are written to, which are the longest ones of their age.
  if (!areSomeUnchanged(sorted)) return whole;
  const guesses = ACTIVE_SHARES.length + CREATED_SHARES.length;
  const active = growthOfActive(sorted, sample, tests * (1 + guesses));
  if (active !== null) return active.shape === 'growing' ? active : whole;
  for (const share of ACTIVE_SHARES) {
    const growth = growthOf(longestOfEachAge(sorted, share), sample, tests * (1 + guesses), sorted);
    if (growth?.shape === 'growing') return growth;
  }
  return whole;
}

// They may be few, and their rates far apart: what else they could be needs evidence of its own.
function growthOfActive(sorted: readonly AgedValue[], sample: AgedSample, tests: number): AgeGrowth | null {
  const young = youngestOf(sorted);
  const candidates = CREATED_SHARES.map((share) => activeAbove(sorted, young, share, tests)).filter(
    (one) => one !== null,
  );
  const [best] = candidates.sort((a, b) => b.standardErrors - a.standardErrors);
  if (best === undefined) return null;
  const { active, ages, values, perDay, correlation, spanDays } = best;
  const documents = active.documents.length;
  const not = (shape: AgeShape): AgeGrowth => ({ shape, documents, spanDays });
  if (isCapped(ages, values, perDay.estimate) || isHalted(ages, values, perDay.estimate)) return not('plateau');
  if (!activeContinue(active)) return not('plateau');
  if (areSteps(ages, values)) return not('step');
  if (isTrendAtCreation(active.documents, perDay.estimate, 'by-difference')) return not('trend');
  const ofActive = ratesOfActive(active.documents, sorted, perDay, sample);
  const rates = withCurve(ofActive, active.documents, perDay.estimate, active.initial);
  return { shape: 'growing', documents, spanDays, correlation, rates };
}

function youngestOf(sorted: readonly AgedValue[]): number[] {
  return sorted.slice(0, Math.ceil(YOUNG_SHARE * sorted.length)).map(({ value }) => value);
}

/** Idle documents lose nothing: few old ones are shorter than nearly all young ones. */
function areSomeUnchanged(sorted: readonly AgedValue[]): boolean {
  const oldest = sorted.slice(-Math.floor(sorted.length / 3));
  const shortest = quantile(youngestOf(sorted), SHORTEST_SHARE);
  return oldest.filter(({ value }) => value < shortest).length <= MOST_SHORTENED * oldest.length;
}

function activeAbove(sorted: readonly AgedValue[], young: number[], share: number, tests: number) {
  const line = quantile(young, share);
  const documents = sorted.filter(({ value }) => value > line);
  const oldest = sorted.slice(-Math.floor(sorted.length / 3));
  const idle = oldest.filter(({ value }) => value <= line).length;
  if (idle < LEAST_IDLE * oldest.length || documents.length < FEWEST_AGED_DOCUMENTS) return null;
  const ages = documents.map(({ age }) => age);
  const values = documents.map(({ value }) => value);
  const spanDays = quantileSorted(ages, 0.95) - quantileSorted(ages, 0.05);
  const correlation = sampleRankCorrelation(ages, values);
  const perDay = robustSlope(ages, values);
  if (!isExplained(correlation, documents.length, tests) || !isGain(perDay, spanDays)) return null;
  const active = { documents, line, initial: median(young) };
  const standardErrors = correlation * Math.sqrt(documents.length);
  return { active, ages, values, perDay, correlation, spanDays, standardErrors };
}

function isExplained(correlation: number, count: number, tests: number): boolean {
  return correlation >= Math.max(LEAST_CORRELATION, probit(1 - FALSE_FINDING_RATE / tests) / Math.sqrt(count - 1));
}

function isGain(perDay: Estimate | null, spanDays: number): perDay is Estimate {
  return perDay !== null && perDay.low > 0 && perDay.estimate * spanDays >= LEAST_GAIN;
}

function growthOf(
  sorted: readonly AgedValue[],
  sample: AgedSample,
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
  const perDay = robustSlope(ages, values);
  if (!isExplained(correlation, count, tests) || !isGain(perDay, spanDays)) return not('level');
  if (-atBirth(sorted, perDay.estimate) / perDay.estimate > spanDays) return not('import');
  if (isCapped(ages, values, perDay.estimate) || !continues(ages, values) || isHalted(ages, values, perDay.estimate))
    return not('plateau');
  if (!growsBetweenSteps(ages, values)) return not('step');
  if (shareAboveYoung(values) < LEAST_SHARE_ABOVE_YOUNG) return not('survivors');
  if (isTrendAtCreation(sorted, perDay.estimate)) return not('trend');
  const rates = among === sorted ? ratesByAge(sorted, perDay, sample) : ratesOfActive(sorted, among, perDay, sample);
  const initial = among === sorted ? null : median(youngestOf(among));
  const curved = withCurve(rates, sorted, perDay.estimate, initial);
  return { shape: 'growing', documents: count, spanDays, correlation, rates: curved };
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
