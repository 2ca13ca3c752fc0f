/** The worst first. */
export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

export function isWorse(severity: Severity, than: Severity): boolean {
  return SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(than);
}

/** What fails a run: findings of this severity or a worse one, none, or schema differences. */
export type FailOn = Severity | 'never' | 'drift';

/**
 * The severities whose findings fail a run.
 *
 * @param maxWarnings more warnings fail; null for no limit
 * @param warnings how many count
 */
export function failingSeverities(failOn: FailOn, maxWarnings: number | null, warnings: number): ReadonlySet<Severity> {
  const failing = SEVERITIES.filter(
    (severity) => failOn !== 'never' && failOn !== 'drift' && !isWorse(failOn, severity),
  );
  return new Set(maxWarnings !== null && warnings > maxWarnings ? [...failing, 'warning'] : failing);
}

/** How sure a finding is, the surest first. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof CONFIDENCES)[number];
