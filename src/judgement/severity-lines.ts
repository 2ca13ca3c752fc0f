import { isWorse, type Severity } from '../finding/severity.js';
import type { Distribution, QuantileName } from '../profile/document-profile.js';
import { largestAtLeast, quantileAtLeast, WHOLE, type SeenPart } from './margins.js';

/** The values from which something is an info, a warning, an error. */
export interface SeverityLines {
  readonly info: number;
  readonly warning: number;
  readonly error: number;
}

export function severityOf(value: number, lines: SeverityLines): Severity | null {
  if (value >= lines.error) return 'error';
  if (value >= lines.warning) return 'warning';
  return value >= lines.info ? 'info' : null;
}

export interface DistributionSeverity {
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
export type BySample<G> = G & { readonly severityIfSure?: Severity };

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
