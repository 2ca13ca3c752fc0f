import type { AnyCheck } from '../check.js';
import type { Severity } from '../finding.js';
import { namespaceFilter } from '../inventory/namespace-filter.js';

/** What is set for a check: the severity of all that it finds, or "off", and thresholds that differ from the defaults. */
export interface CheckOverride {
  readonly severity?: Severity | 'off';
  /** By the threshold's name, in its unit. */
  readonly thresholds?: Readonly<Record<string, number>>;
}

/** An override for the namespaces that a glob over `database.collection` matches. */
export interface NamespaceOverride extends CheckOverride {
  readonly glob: string;
}

/** What is set for a check; of several `namespaces` that match, a later one wins over an earlier one. */
export interface CheckSetting extends CheckOverride {
  readonly namespaces?: readonly NamespaceOverride[];
}

/** Settings by check id. */
export type CheckSettings = Readonly<Record<string, CheckSetting>>;

const NOTHING_SET: CheckOverride = {};

/** What holds for a check on one namespace. */
export function settingFor(settings: CheckSettings, check: string, namespace: string): CheckOverride {
  const setting = settings[check];
  if (setting === undefined) return NOTHING_SET;
  const { namespaces = [], ...general } = setting;
  const matching = namespaces.filter(({ glob }) => namespaceFilter({ include: [glob], exclude: [] })(namespace));
  return matching.reduce<CheckOverride>(
    (merged, { severity = merged.severity, thresholds }) => ({
      ...(severity !== undefined && { severity }),
      thresholds: { ...merged.thresholds, ...thresholds },
    }),
    general,
  );
}

/** True where the check is not off on this namespace. */
export function isEnabled(settings: CheckSettings, check: string, namespace: string): boolean {
  return settingFor(settings, check, namespace).severity !== 'off';
}

/** The checks that are not off everywhere. */
export function enabledChecks(checks: readonly AnyCheck[], settings: CheckSettings): readonly AnyCheck[] {
  return checks.filter(({ id }) => {
    const { severity, namespaces = [] } = settings[id] ?? {};
    return severity !== 'off' || namespaces.some((override) => (override.severity ?? 'off') !== 'off');
  });
}
