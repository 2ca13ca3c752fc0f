import type { Distribution } from '../evidence/documents/document-profile.js';
import type { Severity } from '../finding.js';

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

/** The severity of a distribution. The maximum counts one step less than the 99th percentile: a single document does not speak for all. */
export function distributionSeverity(
  { p99, max }: Pick<Distribution, 'p99' | 'max'>,
  lines: SeverityLines,
): DistributionSeverity | null {
  const common = severityOf(p99, lines);
  const extreme = lowered(severityOf(max, lines));
  if (common !== null && rank(common) >= rank(extreme)) return { severity: common, byExtremesOnly: false };
  return extreme === null ? null : { severity: extreme, byExtremesOnly: true };
}

/** One step less: an error becomes a warning, a warning an info, an info nothing. */
export function lowered(severity: Severity | null): Severity | null {
  if (severity === 'error') return 'warning';
  return severity === 'warning' ? 'info' : null;
}

export function worst(severities: readonly (Severity | null)[]): Severity | null {
  return severities.reduce<Severity | null>((most, each) => (rank(each) > rank(most) ? each : most), null);
}

function rank(severity: Severity | null): number {
  return severity === null ? 0 : { info: 1, warning: 2, error: 3 }[severity];
}
