import type { Skipped } from '../finding.js';
import { settingsOf, type CheckSettings } from '../findings/check-settings.js';
import { groupedBy } from '../grouped-by.js';
import { namespaceFilter } from '../inventory/namespace-glob.js';
import { databaseOf } from '../namespace.js';
import { isInPart } from '../report/names-of-part.js';
import type { Report } from '../report/report.js';
import { isCut, namespacesOf } from '../report/skipped.js';

/** A finished run of one target, and what it was asked to look at. */
export interface TargetRun {
  readonly report: Report;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** True if `--include` or `--exclude` left out something that the project lints as a rule. */
  readonly isNarrowed: boolean;
}

export interface ChecksInUse {
  readonly checks: readonly string[];
  readonly settings: CheckSettings;
}

/**
 * Tells whether a run judged a namespace by a check, so that a finding missing from the report is gone. A namespace that no
 * longer exists counts as judged, unless the run could not see it.
 */
export function judgedIn(
  { report, include, exclude }: TargetRun,
  { checks, settings }: ChecksInUse,
): (check: string, namespace: string) => boolean {
  const isAsked = namespaceFilter({ include, exclude });
  const byCheck = skippedByCheck(report.skipped);
  const isAnyUnlisted = (byCheck.get('*')?.beyond ?? []).length > 0;
  const listed = new Set(isAnyUnlisted ? report.collections.map(({ namespace }) => namespace) : []);
  return (check, namespace) => {
    if (!checks.includes(check) || settingsOf({ id: check }, namespace, settings).off) return false;
    if (!isAsked(namespace)) return false;
    return ![check, '*'].some((id) => {
      const { named, beyond } = byCheck.get(id) ?? NOTHING_SKIPPED;
      return named.has(namespace) || beyond.some((entry) => concerns(entry, namespace, listed.has(namespace)));
    });
  };
}

/** What a check did not judge: namespaces by their names, and entries about more than they name. */
interface SkippedOfCheck {
  readonly named: ReadonlySet<string>;
  readonly beyond: readonly Skipped[];
}

const NOTHING_SKIPPED: SkippedOfCheck = { named: new Set(), beyond: [] };

function skippedByCheck(skipped: readonly Skipped[]): ReadonlyMap<string, SkippedOfCheck> {
  const groups = [...groupedBy(skipped, ({ check }) => check)];
  return new Map(
    groups.map(([id, entries]) => [
      id,
      { named: new Set(entries.flatMap(namespacesOf)), beyond: entries.filter(isBeyondNames) },
    ]),
  );
}

/** Whether an entry may hold for collections that it does not name: it names none, too few, or "database.*". */
export function isBeyondNames(entry: Skipped): boolean {
  const named = namespacesOf(entry);
  return named.length === 0 || isCut(entry) || named.some((name) => name.endsWith('.*'));
}

function concerns(entry: Skipped, namespace: string, listed: boolean): boolean {
  const named = namespacesOf(entry);
  // "*" beyond one collection says that not everything could be listed; what was listed is judged for itself.
  if (entry.check === '*' && listed && named.every((name) => name.endsWith('.*'))) return false;
  return named.length === 0 || isCut(entry) || named.includes(`${databaseOf(namespace)}.*`);
}

/** True if a report is about what a check finds on a namespace: other parts of a run are about the rest. */
export function isOfPart({ part }: Report, check: string, namespace: string): boolean {
  if (part === undefined) return true;
  return part.clusterChecks.includes(check) ? part.number === 1 : isInPart(namespace, part);
}
