import type { AnyCheck, Problem } from '../check.js';
import { settingFor, type CheckSettings } from '../policy/check-settings.js';
import { findingSchema, type Finding } from './finding.js';
import { fingerprint } from './fingerprint.js';

/** Values of thresholds by check id and name, where the user sets them. */
export type ThresholdSettings = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The values of a check's thresholds: what the user set, or else the defaults. */
export function thresholdValues(check: AnyCheck, settings: ThresholdSettings): Record<string, number> {
  const set = settings[check.id] ?? {};
  const defaults = Object.entries(check.thresholds as Record<string, { default: number }>);
  return Object.fromEntries(defaults.map(([name, threshold]) => [name, set[name] ?? threshold.default]));
}

/** The thresholds that the settings give these checks on a namespace. */
export function thresholdsOn(namespace: string, checks: readonly AnyCheck[], settings: CheckSettings): ThresholdSettings {
  return Object.fromEntries(checks.map(({ id }) => [id, settingFor(settings, id, namespace).thresholds ?? {}]));
}

/** Turns a problem into a finding. It is parsed, so that what a plugin's check returns cannot break the report. */
export function stamped(check: AnyCheck, namespace: string, problem: Problem): Finding {
  return findingSchema.parse({
    check: check.id,
    severity: problem.severity,
    confidence: problem.confidence,
    namespace,
    path: problem.path,
    title: check.title,
    message: problem.message,
    evidence: problem.evidence,
    remedy: problem.remedy,
    docs: check.docs ?? `checks/${check.id}.md`,
    fingerprint: fingerprint(check.id, namespace, problem.path),
  });
}
