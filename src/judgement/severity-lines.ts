import type { Distribution } from '../evidence/documents/document-profile.js';
import type { Severity } from '../finding.js';

/** The values from which something is worth an info, a warning, an error. */
export interface SeverityLines {
  readonly info: number;
  readonly warning: number;
  readonly error: number;
}

/** The severity of one value, or null below every line. */
export function severityOf(value: number, lines: SeverityLines): Severity | null {
  if (value >= lines.error) return 'error';
  if (value >= lines.warning) return 'warning';
  return value >= lines.info ? 'info' : null;
}

/** A severity, and whether only the largest values reach it. */
export interface DistributionSeverity {
  readonly severity: Severity;
  /** True where less than one value in a hundred passes the line. */
  readonly byExtremesOnly: boolean;
}

/**
 * The severity of a distribution: its 99th percentile counts in full, its maximum one step less, so that a single
 * document among a thousand does not speak for all of them. Null below every line.
 */
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

function rank(severity: Severity | null): number {
  return severity === null ? 0 : { info: 1, warning: 2, error: 3 }[severity];
}
