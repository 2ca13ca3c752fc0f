import type { AnyCheck, Problem } from '../check.js';
import { settingFor, type CheckSettings } from './check-settings.js';
import type { Finding } from '../finding.js';
import { reportedRemedy } from './reported-remedy.js';
import { fingerprint } from './fingerprint.js';

/** Values of thresholds by check id and name, where the user sets them. */
export type ThresholdSettings = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The values of a check's thresholds: what the user set, or else the defaults. */
export function thresholdValues(check: AnyCheck, settings: ThresholdSettings): Record<string, number> {
  const set = settings[check.id];
  const defaults = defaultsOf(check);
  if (set === undefined) return defaults;
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, set[name] ?? value]));
}

/** Of each check once: they are asked for with every collection. */
const defaultsByCheck = new WeakMap<AnyCheck, Record<string, number>>();

function defaultsOf(check: AnyCheck): Record<string, number> {
  const known = defaultsByCheck.get(check);
  if (known !== undefined) return known;
  const thresholds = Object.entries(check.thresholds as Record<string, { default: number }>);
  const defaults = Object.freeze(Object.fromEntries(thresholds.map(([name, threshold]) => [name, threshold.default])));
  defaultsByCheck.set(check, defaults);
  return defaults;
}

/** The thresholds that the settings give these checks on a namespace. */
export function thresholdsOn(
  namespace: string,
  checks: readonly AnyCheck[],
  settings: CheckSettings,
): ThresholdSettings {
  const entries = checks.map(({ id }) => [id, settingFor(settings, id, namespace).thresholds] as const);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, Record<string, number>] => entry[1] !== undefined),
  );
}

/**
 * Turns a problem into a finding.
 *
 * @throws TypeError where a figure is not a number, which JSON cannot hold
 */
export function stamped(check: AnyCheck, namespace: string, problem: Problem): Finding {
  assertFinite(problem.evidence);
  return {
    check: check.id,
    severity: problem.severity,
    confidence: problem.confidence,
    namespace,
    path: problem.path,
    title: check.title,
    message: problem.message,
    evidence: problem.evidence,
    remedy: reportedRemedy(problem.remedy),
    docs: check.docs ?? `checks/${check.id}.md`,
    fingerprint: fingerprint(check.id, namespace, problem.path),
  };
}

function assertFinite(figures: unknown): void {
  if (typeof figures === 'number' && !Number.isFinite(figures))
    throw new TypeError(`A figure of the evidence is ${figures}.`);
  if (typeof figures === 'object' && figures !== null) Object.values(figures).forEach(assertFinite);
}
