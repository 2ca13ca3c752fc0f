import type { Skipped } from '../finding.js';
import { groupedBy } from '../grouped-by.js';
import { namespaceFilter } from '../inventory/namespace-filter.js';
import { databaseOf } from '../namespace.js';
import type { Report } from '../report/report.js';
import { isInPart } from '../run-part.js';
import { collectionIn } from '../report/listed-collections.js';
import { isCut, namespacesOf } from '../report/grouped-skipped.js';
import { settingsOf, type CheckSettings } from '../findings/check-settings.js';

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
 * True if the run judged this namespace by this check, so that a finding missing from the report is gone. A namespace that
 * no longer exists counts as judged, unless the run could not see it.
 */
export function wasJudged(
  { report, include, exclude }: TargetRun,
  { checks, settings }: ChecksInUse,
  check: string,
  namespace: string,
): boolean {
  if (!checks.includes(check) || settingsOf({ id: check }, namespace, settings).off) return false;
  if (!namespaceFilter({ include, exclude })(namespace)) return false;
  const listed = collectionIn(report.collections, namespace) !== undefined;
  const byCheck = skippedByCheck(report.skipped);
  return ![check, '*'].some((id) => {
    const { named, beyond } = byCheck.get(id) ?? NOTHING_SKIPPED;
    return named.has(namespace) || beyond.some((entry) => concerns(entry, namespace, listed));
  });
}

/** What a check did not judge: namespaces by their names, and entries about more than they name. */
interface SkippedOfCheck {
  readonly named: ReadonlySet<string>;
  readonly beyond: readonly Skipped[];
}

const NOTHING_SKIPPED: SkippedOfCheck = { named: new Set(), beyond: [] };
const known = new WeakMap<readonly Skipped[], ReadonlyMap<string, SkippedOfCheck>>();

function skippedByCheck(skipped: readonly Skipped[]): ReadonlyMap<string, SkippedOfCheck> {
  const byCheck =
    known.get(skipped) ??
    new Map(
      [...groupedBy(skipped, ({ check }) => check)].map(([id, entries]) => [
        id,
        { named: new Set(entries.flatMap(namespacesOf)), beyond: entries.filter(isBeyondNames) },
      ]),
    );
  known.set(skipped, byCheck);
  return byCheck;
}

function isBeyondNames(entry: Skipped): boolean {
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
