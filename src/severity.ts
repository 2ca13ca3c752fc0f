/** The worst first. */
export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

export function isWorse(severity: Severity, than: Severity): boolean {
  return SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(than);
}

/** What fails a run: findings of this severity or a worse one, none, or differences of what is declared. */
export type FailOn = Severity | 'never' | 'drift';

/** True if a run fails by findings of this severity. */
export function failsBy(severity: Severity, failOn: FailOn): boolean {
  return failOn !== 'never' && failOn !== 'drift' && !isWorse(failOn, severity);
}

/** How sure a finding is, the surest first. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof CONFIDENCES)[number];
