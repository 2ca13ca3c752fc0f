import type { AnyCheck, Thresholds } from '../check.js';
import type { Severity } from '../finding.js';
import { inWords } from '../format.js';
import { namespaceFilter, type NamespaceFilter } from '../inventory/namespace-glob.js';

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
  /** As of a check: off unless something is set for it. */
  readonly optional?: true;
}

/** What holds for a check on one namespace, or in general. */
export interface ResolvedSettings {
  readonly off: boolean;
  /** The severity of every finding; the check's own if absent. */
  readonly severity?: Severity;
  /** The value of each of the check's thresholds: what is set, or the default. */
  readonly thresholds: Readonly<Record<string, number>>;
  /** The thresholds in one text: what is set alike has the same. */
  readonly values: string;
}

/** The settings of one run, resolved once for each check and namespace. */
export interface RunSettings {
  /** The general settings if the namespace is null. */
  of(check: SetCheck, namespace: string | null): ResolvedSettings;
}

/** Compiles each glob once, and remembers what holds for a check on a namespace: a run asks for it again and again. */
export function resolvedSettings(settings: CheckSettings): RunSettings {
  const filters = new Map<string, NamespaceFilter>();
  const matches: GlobMatches = (glob, namespace) => remembered(filters, glob, () => filterOf(glob))(namespace);
  const resolved = new Map<string, Map<string | null, ResolvedSettings>>();
  return {
    of(check, namespace) {
      const isGeneral = (settings[check.id]?.namespaces ?? []).length === 0;
      const setFor = isGeneral ? null : namespace;
      const ofCheck = remembered(resolved, check.id, () => new Map<string | null, ResolvedSettings>());
      return remembered(ofCheck, setFor, () => settingsOf(check, setFor, settings, matches));
    },
  };
}

function remembered<Key, Value>(known: Map<Key, Value>, key: Key, derive: () => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = derive();
  known.set(key, value);
  return value;
}

type GlobMatches = (glob: string, namespace: string) => boolean;

/** The general settings if the namespace is null. */
export function settingsOf(
  check: SetCheck,
  namespace: string | null,
  settings: CheckSettings,
  matches: GlobMatches = (glob, name) => filterOf(glob)(name),
): ResolvedSettings {
  const { namespaces = [], ...general } = settings[check.id] ?? {};
  const isAskedFor = check.optional !== true || check.id in settings;
  const matching = namespace === null ? [] : namespaces.filter(({ glob }) => matches(glob, namespace));
  const overrides: readonly CheckOverride[] = [general, ...matching];
  const severity = overrides.findLast((override) => override.severity !== undefined)?.severity;
  const set: Readonly<Record<string, number>> = Object.assign({}, ...overrides.map(({ thresholds }) => thresholds));
  const thresholds = Object.fromEntries(
    Object.entries(check.thresholds ?? {}).map(([name, threshold]) => [name, set[name] ?? threshold.default]),
  );
  return {
    off: severity === 'off' || !isAskedFor,
    ...(severity !== undefined && severity !== 'off' && { severity }),
    thresholds,
    values: JSON.stringify(thresholds),
  };
}

/** A line for each setting that a check no longer has, wherever it is set. */
export function retiredSettings(
  checks: readonly Pick<AnyCheck, 'id' | 'thresholds' | 'retiredThresholds'>[],
  settings: CheckSettings,
): readonly string[] {
  return checks.flatMap(({ id, thresholds, retiredThresholds = [] }) => {
    const { namespaces = [], ...general } = settings[id] ?? {};
    const set = new Set([general, ...namespaces].flatMap((override) => Object.keys(override.thresholds ?? {})));
    const names = Object.keys(thresholds);
    const instead = names.length === 0 ? 'the check has none left' : `what can be set is ${inWords(names)}`;
    return retiredThresholds
      .filter((name) => set.has(name))
      .map((name) => `checks.${id}.${name} is no longer a setting and is ignored: ${instead}.`);
  });
}

function filterOf(glob: string): NamespaceFilter {
  return namespaceFilter({ include: [glob], exclude: [] });
}

/** The checks that are not off everywhere. */
export function enabledChecks(checks: readonly AnyCheck[], settings: CheckSettings): readonly AnyCheck[] {
  return checks.filter(({ id, optional }) => {
    if (optional === true && !(id in settings)) return false;
    const { severity, namespaces = [] } = settings[id] ?? {};
    return severity !== 'off' || namespaces.some((override) => (override.severity ?? 'off') !== 'off');
  });
}
