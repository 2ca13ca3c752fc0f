import { settingsOf } from '../findings/check-settings.js';
import { worstFirst } from '../findings/finding-order.js';
import { separated } from '../findings/further-reasons.js';
import { formatDay } from '../format.js';
import { namespaceFilter } from '../inventory/namespace-glob.js';
import { findingCounts } from '../report/build-report.js';
import type { ReportNotice } from '../report/report-notice.js';
import type { Report } from '../report/report.js';
import { namespacesOf } from '../report/skipped.js';
import { acceptanceNotices, hasEnded } from './acceptance.js';
import type { BaselineEntry } from './baseline-file.js';
import { comparedWithBaseline } from './baseline.js';
import { isOfPart, judgedIn, type ChecksInUse, type TargetRun } from './judged.js';
import { filteredByOwner, withOwners, type OwnerFilter, type OwnerRule } from './ownership.js';
import {
  suppressed,
  suppressedByConfidence,
  suppressionNotices,
  type MinConfidence,
  type Suppression,
} from './suppression.js';

/** A glob over `database.collection` that the configuration sets something for, other than a suppression's. */
export interface ConfiguredGlob {
  readonly glob: string;
  /** Where it stands: "mongolint.config.yaml:12". */
  readonly place: string;
  /** What it belongs to: "expect". */
  readonly key: string;
}

export interface Policy extends ChecksInUse {
  readonly suppressions: readonly Suppression[];
  /** Ids of checks in preview that do not count; absent, there are none. */
  readonly previews?: readonly string[];
  /** Null without a baseline. */
  readonly baseline: readonly BaselineEntry[] | null;
  /** Today's date in UTC, as YYYY-MM-DD. */
  readonly today: string;
  /** Findings of a lower confidence are suppressed; absent, all count. */
  readonly minConfidence?: MinConfidence;
  /** Absent, findings have no owners. */
  readonly owners?: readonly OwnerRule[];
  /** Absent, the reports are about everything. */
  readonly ownerFilter?: OwnerFilter;
  /** Globs of the configuration, each of which should match a collection. */
  readonly globs?: readonly ConfiguredGlob[];
  /** True if other runs lint the rest, which a suppression or a glob may be meant for. */
  readonly isOfPart?: boolean;
}

export function todayInUtc(): string {
  return formatDay(Date.now());
}

/** The reports of a run after suppressions, the baseline and the filter of owners, in this order. */
export function applyPolicy(runs: readonly TargetRun[], policy: Policy): Report[] {
  const notices = [
    ...suppressionNotices(policy.suppressions, runs, policy, policy.today),
    ...unmatchedGlobs(policy.globs ?? [], runs),
  ].filter(({ kind }) => kind === 'suppression-expired' || policy.isOfPart !== true);
  return runs.map((run) => {
    const findings = suppressedByConfidence(
      suppressed(run.report.findings, [...policy.suppressions, ...ofPreviews(policy)], policy.today),
      policy.minConfidence,
    );
    const report: Report = {
      ...run.report,
      summary: {
        ...run.report.summary,
        ...findingCounts(findings),
      },
      findings: worstFirst(findings),
      ...(notices.length > 0 && { notices: [...(run.report.notices ?? []), ...notices] }),
    };
    const before = policy.baseline;
    return ofOwners(before === null ? report : compared(report, before, run, policy), policy);
  });
}

function ofPreviews({ previews = [] }: Policy): Suppression[] {
  const reason = 'the check is new in this version: it counts from the next minor version on, or with `preview`';
  return previews.map((check) => ({ check, reason, by: 'preview' }));
}

/** The report with owners, and of those that are wanted. */
export function ofOwners(report: Report, { owners = [], ownerFilter }: Pick<Policy, 'owners' | 'ownerFilter'>): Report {
  const owned = withOwners(report, owners);
  return ownerFilter === undefined ? owned : filteredByOwner(owned, owners, ownerFilter);
}

function compared(report: Report, baseline: readonly BaselineEntry[], run: TargetRun, policy: Policy): Report {
  const known = baseline.filter(({ check, namespace }) => isOfPart(report, check, namespace));
  const counting = known.filter((entry) => !hasEnded(entry, policy.today));
  const found = new Set(report.findings.flatMap(separated).map(({ fingerprint }) => fingerprint));
  const ofTarget = known.filter(({ target }) => target === report.target);
  const ends = acceptanceNotices(ofTarget, ({ fingerprint }) => found.has(fingerprint), policy.today);
  const noticed = ends.length === 0 ? report : { ...report, notices: [...(report.notices ?? []), ...ends] };
  return comparedWithBaseline(noticed, counting, {
    wasJudged: judgedIn(run, policy),
    hasSetSeverity: (check, namespace) => settingsOf({ id: check }, namespace, policy.settings).severity !== undefined,
  });
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
