import { namespaceFilter } from '../inventory/inventory.js';
import type { ReportNotice } from '../report/report-notice.js';
import { namespacesOf } from '../report/skipped-groups.js';
import type { TargetRun } from './judged.js';

/** A glob over `database.collection` that the configuration sets something for, other than a suppression's. */
export interface ConfiguredGlob {
  readonly glob: string;
  /** Where it stands: "mongolint.config.yaml:12". */
  readonly place: string;
  /** What it belongs to: "expect". */
  readonly key: string;
}

/** Globs that match no collection of any target, though all were listed: what they set has no effect, so a typo is likely. */
export function unmatchedGlobs(globs: readonly ConfiguredGlob[], runs: readonly TargetRun[]): ReportNotice[] {
  if (!runs.every(hasListedAll)) return [];
  const listed = [...new Set(runs.flatMap(({ report }) => report.collections.map(({ namespace }) => namespace)))];
  return globs.flatMap(({ glob, place, key }): ReportNotice[] => {
    if (listed.some(namespaceFilter({ include: [glob], exclude: [] }))) return [];
    return [
      { kind: 'glob-unmatched', text: `${key} ${glob} (${place}) matches no collection: correct it, or remove it.` },
    ];
  });
}

/** False if there may be collections that the run did not list, or was not asked for. */
function hasListedAll({ report, isNarrowed }: TargetRun): boolean {
  const isUnlisted = report.skipped.some(
    (entry) => entry.check === '*' && (namespacesOf(entry).length === 0 || namespacesOf(entry).some(isDatabase)),
  );
  return !isNarrowed && report.collections.length > 0 && !isUnlisted;
}

function isDatabase(namespace: string): boolean {
  return namespace.endsWith('.*');
}
