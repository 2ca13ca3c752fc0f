import type { Distribution, QuantileName } from '../profile/document-profile.js';
import type { Severity } from '../finding.js';
import { largestAtLeast, quantileAtLeast, type SeenPart } from './margins.js';

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
  if (common !== null && rank(common) >= rank(extreme)) return { severity: common, byExtremesOnly: false };
  if (extreme !== null) return { severity: extreme, byExtremesOnly: true };
  if (severityOf(distribution.p99, lines) !== null) return { severity: 'info', byExtremesOnly: false };
  return lowered(severityOf(distribution.max, lines)) === null ? null : { severity: 'info', byExtremesOnly: true };
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
  return severities.reduce<Severity | null>((most, each) => (rank(each) > rank(most) ? each : most), null);
}

function rank(severity: Severity | null): number {
  return severity === null ? 0 : { info: 1, warning: 2, error: 3 }[severity];
}
