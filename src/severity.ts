/** The worst first. */
export const SEVERITIES = ['error', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

export function isWorse(severity: Severity, than: Severity): boolean {
  return SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(than);
}

/** How sure a finding is, the surest first. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof CONFIDENCES)[number];
