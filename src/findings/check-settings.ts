import type { AnyCheck, Thresholds } from '../check.js';
import type { Severity } from '../finding.js';
import { namespaceFilter } from '../inventory/namespace-filter.js';

/** What is set for a check: the severity of all its findings, or "off", and thresholds that differ from the defaults. */
export interface CheckOverride {
  readonly severity?: Severity | 'off';
  /** By the threshold's name, in its unit. */
  readonly thresholds?: Readonly<Record<string, number>>;
}

/** An override for the namespaces that a glob over `database.collection` matches. */
export interface NamespaceOverride extends CheckOverride {
  readonly glob: string;
}

/** What is set for a check; if several of `namespaces` match, the last one wins. */
export interface CheckSetting extends CheckOverride {
  readonly namespaces?: readonly NamespaceOverride[];
}

/** By check id. */
export type CheckSettings = Readonly<Record<string, CheckSetting>>;

/** A check without thresholds is asked for `off` and `severity` alone. */
interface SetCheck {
  readonly id: string;
  readonly thresholds?: Thresholds;
}

/** What holds for a check on one namespace, or in general. */
export interface ResolvedSettings {
  readonly off: boolean;
  /** The severity of every finding; the check's own if absent. */
  readonly severity?: Severity;
  /** The value of each of the check's thresholds: what is set, or the default. */
  readonly thresholds: Readonly<Record<string, number>>;
}

/** The general settings if the namespace is null. */
export function settingsOf(check: SetCheck, namespace: string | null, settings: CheckSettings): ResolvedSettings {
  const { namespaces = [], ...general } = settings[check.id] ?? {};
  const matching = namespace === null ? [] : namespaces.filter(({ glob }) => matches(glob, namespace));
  const overrides: readonly CheckOverride[] = [general, ...matching];
  const severity = overrides.findLast((override) => override.severity !== undefined)?.severity;
  const set: Readonly<Record<string, number>> = Object.assign({}, ...overrides.map(({ thresholds }) => thresholds));
  return {
    off: severity === 'off',
    ...(severity !== undefined && severity !== 'off' && { severity }),
    thresholds: Object.fromEntries(
      Object.entries(check.thresholds ?? {}).map(([name, threshold]) => [name, set[name] ?? threshold.default]),
    ),
  };
}

function matches(glob: string, namespace: string): boolean {
  return namespaceFilter({ include: [glob], exclude: [] })(namespace);
}

/** The checks that are not off everywhere. */
export function enabledChecks(checks: readonly AnyCheck[], settings: CheckSettings): readonly AnyCheck[] {
  return checks.filter(({ id }) => {
    const { severity, namespaces = [] } = settings[id] ?? {};
    return severity !== 'off' || namespaces.some((override) => (override.severity ?? 'off') !== 'off');
  });
}
