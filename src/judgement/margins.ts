import { isWorse, type Severity } from '../finding/severity.js';
import type { StorageStatistics } from '../inventory/storage.js';
import type { Distribution, DocumentEvidence, QuantileName } from '../profile/document-profile.js';
import {
  correlationInterval,
  type Interval,
  LEAST_SEEN,
  LINE_DEVIATIONS,
  shareInterval,
} from '../profile/sampling/confidence.js';

/** The values from which something is an info, a warning, an error. */
export interface SeverityLines {
  readonly info: number;
  readonly warning: number;
  readonly error: number;
}

/** How much of a collection a sample shows. A figure crosses a line only if its confidence interval does. */
export interface SeenPart {
  /** The share of the documents, 0 to 1; 1 if the collection was read whole. */
  readonly share: number;
  /** Whether other documents are seen each time, so that one or two extremes are seen by chance. */
  readonly byChance: boolean;
}

/** On each side of an interval that is printed: it holds in 95 % of all cases. */
export const STATED_RISK = 0.025;

export const WHOLE: SeenPart = { share: 1, byChance: false };

/** The part of a collection that its sample shows; hardly any if the collection's size is not known. */
export function seenPart({ sample, profile }: DocumentEvidence, storage: StorageStatistics | undefined): SeenPart {
  if (sample.complete) return WHOLE;
  const count = storage?.count ?? Infinity;
  const share = Math.min(1, profile.documents / Math.max(1, count));
  return { share, byChance: sample.method === 'random-cursor' || sample.method === 'random-sort' };
}

/** What a quantile of the whole collection surely reaches. */
export function quantileAtLeast(
  distribution: Pick<Distribution, QuantileName | 'intervals'>,
  quantile: QuantileName,
  { share }: SeenPart,
): number {
  return narrowed(distribution[quantile], distribution.intervals[quantile][0], share);
}

/** What a quantile of the whole collection surely does not exceed. */
export function quantileAtMost(
  distribution: Pick<Distribution, QuantileName | 'intervals'>,
  quantile: QuantileName,
  { share }: SeenPart,
): number {
  return narrowed(distribution[quantile], distribution.intervals[quantile][1], share);
}

export function largestAtLeast(
  { max, fifthLargest }: Pick<Distribution, 'max' | 'fifthLargest'>,
  { byChance }: SeenPart,
) {
  return byChance ? fifthLargest : max;
}

export function isSeenAgain(hits: number, { byChance }: SeenPart): boolean {
  return !byChance || hits >= LEAST_SEEN;
}

/** Within which a share of the whole collection lies, 0 to 1, if `hits` of `trials` have the property. */
export function shareWithin(hits: number, trials: number, { share }: SeenPart, risk?: number): Interval {
  const seen = trials === 0 ? 0 : hits / trials;
  if (share >= 1) return [seen, seen];
  const [low, high] = shareInterval(hits, trials, risk);
  return [narrowed(seen, low, share), narrowed(seen, high, share)];
}

/** Within which a rank correlation of the whole collection lies, -1 to 1. */
export function correlationWithin(correlation: number, pairs: number, { share }: SeenPart): Interval {
  const [low, high] = correlationInterval(correlation, pairs);
  return [narrowed(correlation, low, share), narrowed(correlation, high, share)];
}

/** How many different ones such a sample surely shows: their variance is at most their mean (Efron and Stein, 1981). */
export function countAtLeast(count: number, { share }: SeenPart): number {
  return narrowed(count, count - LINE_DEVIATIONS * Math.sqrt(count), share);
}

/** How many different ones there surely are at most in such samples: their variance is at most the number seen once (as above). */
export function countAtMost(count: number, seenOnce: number, { share }: SeenPart): number {
  return narrowed(count, count + LINE_DEVIATIONS * Math.sqrt(Math.max(1, seenOnce)), share);
}

/** The mean of shares that do not exceed `max`: their variance is at most mean × (max − mean) (Bhatia and Davis, 2000). */
export function meanShareAtLeast(
  { mean, max }: { readonly mean: number; readonly max: number },
  count: number,
  { share }: SeenPart,
): number {
  const error = Math.sqrt(Math.max(0, mean * (max - mean)) / Math.max(1, count));
  return narrowed(mean, mean - LINE_DEVIATIONS * error, share);
}

/** The standard deviation over the mean; its error is that of normally distributed values. */
export function spreadAtLeast(
  { count, mean, standardDeviation }: Pick<Distribution, 'count' | 'mean' | 'standardDeviation'>,
  { share }: SeenPart,
): number {
  const spread = standardDeviation / Math.max(Number.MIN_VALUE, mean);
  const error = spread * Math.sqrt((0.5 + spread ** 2) / Math.max(1, count));
  return narrowed(spread, spread - LINE_DEVIATIONS * error, share);
}

/** A bound holds for what was not seen; what was seen is known. */
function narrowed(figure: number, bound: number, share: number): number {
  return figure + (bound - figure) * (1 - share);
}

export function severityOf(value: number, lines: SeverityLines): Severity | null {
  if (value >= lines.error) return 'error';
  if (value >= lines.warning) return 'warning';
  return value >= lines.info ? 'info' : null;
}

interface DistributionSeverity {
  readonly severity: Severity;
  /** True if fewer than one value in a hundred reaches the line. */
  readonly byExtremesOnly: boolean;
}

/**
 * The severity of a distribution. The maximum counts one step less than the 99th percentile: a single document does not speak
 * for all. Of a sample, each counts as far as it is sure; the rest is an info.
 */
export function distributionSeverity(
  distribution: Pick<Distribution, QuantileName | 'intervals' | 'max' | 'fifthLargest'>,
  lines: SeverityLines,
  seen: SeenPart,
): DistributionSeverity | null {
  const common = severityOf(quantileAtLeast(distribution, 'p99', seen), lines);
  const extreme = lowered(severityOf(largestAtLeast(distribution, seen), lines));
  if (common !== null && severityRank(common) >= severityRank(extreme))
    return { severity: common, byExtremesOnly: false };
  if (extreme !== null) return { severity: extreme, byExtremesOnly: true };
  if (severityOf(distribution.p99, lines) !== null) return { severity: 'info', byExtremesOnly: false };
  return lowered(severityOf(distribution.max, lines)) === null ? null : { severity: 'info', byExtremesOnly: true };
}

/** What was judged by a sample, and its severity if the sample were the whole collection, should that be worse. */
type BySample<G> = G & { readonly severityIfSure?: Severity };

/**
 * Judges what a sample surely shows, and then its figures by themselves: between the two, runs over unchanged data may differ.
 *
 * @param gradeOf gives a severity, and what belongs to it, by the part of the collection that is seen; null if it is no problem
 */
export function bySample<G extends { readonly severity: Severity }>(
  seen: SeenPart,
  gradeOf: (seen: SeenPart) => G,
): BySample<G>;

export function bySample<G extends { readonly severity: Severity }>(
  seen: SeenPart,
  gradeOf: (seen: SeenPart) => G | null,
): BySample<G> | null;

export function bySample<G extends { readonly severity: Severity }>(
  seen: SeenPart,
  gradeOf: (seen: SeenPart) => G | null,
): BySample<G> | null {
  const grade = gradeOf(seen);
  if (grade === null || (seen.share >= 1 && !seen.byChance)) return grade;
  const ifSure = gradeOf(WHOLE);
  return ifSure !== null && isWorse(ifSure.severity, grade.severity)
    ? { ...grade, severityIfSure: ifSure.severity }
    : grade;
}

/** One step less: an error becomes a warning, a warning an info, an info nothing. */
export function lowered(severity: Severity | null): Severity | null {
  if (severity === 'error') return 'warning';
  return severity === 'warning' ? 'info' : null;
}

/**
 * One step less for what runs rarely, but never nothing.
 *
 * @param executionsPerDay null if unknown, which is not rare
 * @param perDay executions per day below which it is rare
 */
export function loweredIfRare(severity: Severity, executionsPerDay: number | null, perDay: number): Severity {
  return executionsPerDay !== null && executionsPerDay < perDay ? (lowered(severity) ?? 'info') : severity;
}

export function worst(severities: readonly (Severity | null)[]): Severity | null {
  return severities.reduce<Severity | null>(
    (most, each) => (severityRank(each) > severityRank(most) ? each : most),
    null,
  );
}

/** 0 for none, and more for what is worse. */
export function severityRank(severity: Severity | null): number {
  return severity === null ? 0 : { info: 1, warning: 2, error: 3 }[severity];
}
