import type { Drift } from '../drift/drift.js';
import type { Finding, FixedFinding } from '../finding.js';
import { markedEach, separated } from '../findings/further-reasons.js';
import { namespaceFilter } from '../inventory/namespace-glob.js';
import { collectionCounts, findingCounts } from '../report/build-report.js';
import type { Report } from '../report/report.js';
import { compareTexts } from '../text/compare-texts.js';
import { globMatcher } from '../text/glob.js';
import { baselineCounts } from './baseline.js';
import type { MissingState } from './missing-findings.js';

/** Who answers for the namespaces that a glob matches. As in a CODEOWNERS file, the last rule that matches wins. */
export interface OwnerRule {
  /** Glob over `database.collection`. */
  readonly glob?: string | undefined;
  /** Glob over the name of the application that runs most of a finding's operations. With both, both have to match. */
  readonly appName?: string | undefined;
  /** Null for nobody: what an earlier rule gave is taken back. */
  readonly owner: string | null;
}

/** Whose findings a report is about. */
export interface OwnerFilter {
  readonly owners: readonly string[];
  /** Whether findings without an owner stay: somebody has to see them. True if absent. */
  readonly withUnowned?: boolean;
}

type OwnerOf = (namespace: string, appName?: string | null) => string | null;

/** The owner of a namespace, or of a whole database; null for none. What concerns the whole cluster is "*". */
export function ownerOf(rules: readonly OwnerRule[]): OwnerOf {
  const matchers = rules.map(({ glob, appName, owner }) => ({
    owner,
    matchesNamespace: namespaceFilter({ include: glob === undefined ? [] : [glob], exclude: [] }),
    matchesApplication: appName === undefined ? null : globMatcher([appName]),
  }));
  return (namespace, appName = null) => {
    const subject = namespace.includes('.') ? namespace : `${namespace}.*`;
    const rule = matchers.findLast(
      ({ matchesNamespace, matchesApplication }) =>
        matchesNamespace(subject) && (matchesApplication === null || (appName !== null && matchesApplication(appName))),
    );
    return rule?.owner ?? null;
  };
}

/** The report with the owner of each finding; as it is if there are no rules. */
export function withOwners(report: Report, rules: readonly OwnerRule[]): Report {
  if (rules.length === 0) return report;
  const of = ownerOf(rules);
  const owned = <One extends { readonly namespace: string; readonly ranBy?: Finding['ranBy'] }>(ones: readonly One[]) =>
    ones.map((one) => ({ ...one, owner: of(one.namespace, one.ranBy?.[0]?.appName) }));
  const all: Report = {
    ...report,
    // The places of a finding may have several owners.
    findings: report.findings.flatMap((finding) => markedEach(finding, (one) => owned([one])[0] as Finding)),
    ...ofEachState(report, owned),
  };
  return { ...all, summary: withCounts(all) };
}

/** Names of owners that the findings of a report have. */
export function ownersIn({ findings }: Report): string[] {
  return [...new Set(findings.flatMap(({ owner }) => owner ?? []))].sort(compareTexts);
}

/** The report without what belongs to others, and with how much that is. */
export function filteredByOwner(
  report: Report,
  rules: readonly OwnerRule[],
  { owners, withUnowned = true }: OwnerFilter,
): Report {
  const isWanted = (owner: string | null = null) => (owner === null ? withUnowned : owners.includes(owner));
  const wanted = <One extends { readonly owner?: string | null | undefined }>(ones: readonly One[]) =>
    ones.filter(({ owner }) => isWanted(owner));
  const of = ownerOf(rules);
  const { drift, siblingDrift } = report;
  const differencesOf = (all: Drift): Drift => ({
    ...all,
    differences: all.differences.filter(({ namespace }) => isWanted(of(namespace ?? '*'))),
  });
  const findings = wanted(report.findings);
  const collections = report.collections.filter(({ namespace }) => isWanted(of(namespace)));
  const others = report.findings.filter(({ owner }) => !isWanted(owner));
  const kept: Report = {
    ...report,
    findings,
    ...ofEachState(report, wanted),
    ...(drift !== undefined && { drift: differencesOf(drift) }),
    ...(siblingDrift !== undefined && { siblingDrift: differencesOf(siblingDrift) }),
    leftOut: {
      owners: [...owners],
      findings: others.length,
      checks: [...new Set(others.flatMap(separated).map(({ check }) => check))].sort(compareTexts),
      collections: report.collections.length - collections.length,
    },
    collections,
  };
  return { ...kept, summary: summaryOf(kept) };
}

/** Counted again, over what is left. */
function summaryOf(report: Report): Report['summary'] {
  return { ...withCounts(report), ...collectionCounts(report.collections) };
}

function withCounts(report: Report): Report['summary'] {
  const { summary, findings } = report;
  if (summary.baseline === undefined) return { ...summary, ...findingCounts(findings) };
  const { accepted: _, ...baseline } = summary.baseline;
  return {
    ...summary,
    ...findingCounts(findings),
    baseline: {
      ...baseline,
      ...baselineCounts(findings),
      ...ofEachState(report, ({ length }) => length),
    },
  };
}

const STATES = ['fixed', 'gone', 'notSeen', 'stillThere'] as const satisfies readonly MissingState[];

/** The known findings that were not found again, by what became of them; absent if the report has none. */
function ofEachState<Value>(
  report: Report,
  of: (missing: FixedFinding[]) => Value,
): { [State in MissingState]?: Value } {
  const states = STATES.flatMap((state) => {
    const missing = report[state];
    return missing === undefined ? [] : [[state, of(missing)] as const];
  });
  return Object.fromEntries(states);
}
