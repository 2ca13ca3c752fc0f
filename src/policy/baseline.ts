import type { Finding, FixedFinding } from '../finding.js';
import type { KnownFinding, LookFor } from '../finding/look-for.js';
import { isWorse } from '../finding/severity.js';
import { markedEach, separated } from '../findings/further-reasons.js';
import { groupedBy } from '../grouped-by.js';
import { picked } from '../plain.js';
import { findingCounts } from '../report/build-report.js';
import { ReportIndex } from '../report/report-index.js';
import type { Report } from '../report/report.js';
import { hasEnded } from './acceptance.js';
import type { BaselineEntry } from './baseline-file.js';
import {
  isChosenAlike,
  isLikeSample,
  missingState,
  type MissingState,
  recordOf,
  sampleOf,
} from './missing-findings.js';

/** What a run says of a check on a namespace. */
export interface JudgedScope {
  wasJudged(check: string, namespace: string): boolean;
  /** True if the configuration sets its severity, which then says nothing of the evidence. */
  hasSetSeverity(check: string, namespace: string): boolean;
}

/**
 * Compares by fingerprint, never by counts. A known finding that got more severe, by more than the error of the sample that
 * it was last seen in, is new. An info that other samples may have missed is not. An entry that was judged and not found is
 * fixed, gone, still there, or not seen this time.
 */
export function comparedWithBaseline(report: Report, baseline: readonly BaselineEntry[], scope: JudgedScope): Report {
  const entries = worstByFingerprint(ofTarget(baseline, report.target));
  const index = new ReportIndex(report);
  const found = new Set<BaselineEntry>();
  const findings = report.findings.flatMap((finding) =>
    markedEach(finding, (one) => {
      const entry = entries.get(one.fingerprint);
      if (entry !== undefined) found.add(entry);
      if (one.suppressed !== undefined) return one;
      const isSet = scope.hasSetSeverity(one.check, one.namespace);
      const isKnownByChance = entries.size > 0 && !isSet && isByChance(one, index);
      return comparedWith(entry, one, { isSet, isKnownByChance });
    }),
  );
  const missing = [...entries.values()].filter((entry) => !found.has(entry));
  const judged = missing.filter(({ check, namespace }) => scope.wasJudged(check, namespace));
  const states = groupedBy(judged, (entry) =>
    missingState(entry, index, scope.hasSetSeverity(entry.check, entry.namespace)),
  );
  const inState = (state: MissingState) => (states.get(state) ?? []).map((entry) => missingOf(entry));
  const [fixed, gone, notSeen] = [inState('fixed'), inState('gone'), inState('notSeen')];
  const stillThere = inState('stillThere');
  return {
    ...report,
    summary: {
      ...report.summary,
      ...findingCounts(findings),
      baseline: {
        ...baselineCounts(findings),
        fixed: fixed.length,
        gone: gone.length,
        notSeen: notSeen.length,
        ...(stillThere.length > 0 && { stillThere: stillThere.length }),
        notJudged: missing.length - judged.length,
      },
    },
    findings,
    fixed,
    gone,
    notSeen,
    ...(stillThere.length > 0 && { stillThere }),
  };
}

/** Counts the findings that were compared with a baseline. */
export function baselineCounts(
  findings: readonly Finding[],
): Pick<NonNullable<Report['summary']['baseline']>, 'new' | 'known' | 'accepted'> {
  const count = (status: 'new' | 'known') => findings.filter(({ baseline }) => baseline?.status === status).length;
  const accepted = findings.filter(({ baseline }) => baseline?.accepted !== undefined).length;
  return { new: count('new'), known: count('known'), ...(accepted > 0 && { accepted }) };
}

function comparedWith(
  entry: BaselineEntry | undefined,
  finding: Finding,
  { isSet, isKnownByChance }: { readonly isSet: boolean; readonly isKnownByChance: boolean },
): Finding {
  const known = entry === undefined ? isKnownByChance : isKnown(finding, entry);
  const better = entry !== undefined && !isSet && isBetter(finding, entry);
  const severityBefore = entry?.severity ?? null;
  const accepted = known ? entry?.accepted : undefined;
  return {
    ...finding,
    baseline: {
      status: known ? 'known' : 'new',
      severityBefore,
      ...(better && { better }),
      ...(accepted !== undefined && { accepted }),
    },
  };
}

function isKnown({ severity }: Finding, before: BaselineEntry): boolean {
  return !isWorse(severity, before.severityIfSure ?? before.severity);
}

/** True if not even the error of this run's sample allows the severity that it had. */
function isBetter({ severity, severityIfSure = severity }: Finding, before: BaselineEntry): boolean {
  return isWorse(before.severity, severityIfSure);
}

/** True for an info from documents that are others each time: the runs before may have missed it, so it is no news. */
function isByChance(finding: Finding, report: ReportIndex): boolean {
  if (finding.severity !== 'info') return false;
  const sample = sampleOf(finding, report);
  return sample !== undefined && !isChosenAlike(sample.method);
}

/**
 * The baseline that accepts what these reports found. Entries that could not be judged or were not seen stay, and those of
 * targets that were not linted. An entry stays as it is while the evidence is within the error of its sample. Suppressed findings are left out: they count again when the suppression ends.
 */
export function updatedBaseline(baseline: readonly BaselineEntry[], reports: readonly Report[]): BaselineEntry[] {
  const linted = new Set(reports.map(({ target }) => target));
  return [
    ...baseline.filter(({ target }) => !linted.has(target)),
    ...reports.flatMap((report) => {
      const entries = worstByFingerprint(ofTarget(baseline, report.target));
      const index = new ReportIndex(report);
      const accepted = new Map<string, BaselineEntry>();
      const settled = [...(report.fixed ?? []), ...(report.gone ?? [])].map(({ fingerprint }) => fingerprint);
      for (const finding of report.findings)
        for (const one of separated(finding)) {
          if (one.suppressed !== undefined) settled.push(one.fingerprint);
          else keepWorse(accepted, acceptedEntry(one, entries.get(one.fingerprint), index));
        }
      for (const fingerprint of settled) entries.delete(fingerprint);
      for (const [fingerprint, entry] of accepted) entries.set(fingerprint, entry);
      return [...entries.values()];
    }),
  ];
}

function acceptedEntry(finding: Finding, before: BaselineEntry | undefined, report: ReportIndex): BaselineEntry {
  const lookFor = lookForEither(before?.lookFor, finding.lookFor);
  const found = lookFor === undefined ? {} : { lookFor };
  if (before !== undefined && isUnchanged(finding, before, report)) {
    if (lookFor === before.lookFor) return before;
    const { lookFor: _before, ...entry } = before;
    return { ...entry, ...found };
  }
  const [sample, record] = [sampleOf(finding, report), recordOf(finding, report)];
  return {
    ...picked(report, ['target']),
    ...missingOf(finding),
    ...picked(finding, ['severityIfSure']),
    ...(sample !== undefined && { sample }),
    ...(record !== undefined && { record }),
    ...found,
    ...(before?.accepted !== undefined && { accepted: before.accepted }),
  };
}

/** The baseline without what these reports say is fixed or gone, and without acceptances that have ended: nothing is added. */
export function prunedBaseline(
  baseline: readonly BaselineEntry[],
  reports: readonly Report[],
  today: string,
): BaselineEntry[] {
  return baseline.filter((entry) => {
    const { fixed = [], gone = [] } = reports.find(({ target }) => target === entry.target) ?? {};
    return !hasEnded(entry, today) && ![...fixed, ...gone].some(({ fingerprint }) => fingerprint === entry.fingerprint);
  });
}

/** True if the entry says of the finding what this run does, within the error of the samples. */
function isUnchanged(finding: Finding, before: BaselineEntry, report: ReportIndex): boolean {
  const { severity, severityIfSure = severity } = finding;
  // The verdict of a sample that another one does not contradict.
  if (severity !== before.severity)
    return isWorse(severity, before.severity)
      ? !isWorse(severity, before.severityIfSure ?? before.severity)
      : !isWorse(before.severity, severityIfSure);
  const collection = report.collection(finding.namespace);
  if (before.sample === undefined || collection === undefined) return sampleOf(finding, report) === undefined;
  return isLikeSample(before.sample, collection);
}

/** The identity of a finding, and how bad it was. */
function missingOf({ check, severity, namespace, path, fingerprint }: FixedFinding): FixedFinding {
  return { check, severity, namespace, path, fingerprint };
}

function ofTarget(baseline: readonly BaselineEntry[], target: string | undefined): BaselineEntry[] {
  return baseline.filter((entry) => entry.target === target);
}

/** A merge of two branches may hold a finding twice: someone accepted the worse of them. */
function worstByFingerprint(entries: readonly BaselineEntry[]): Map<string, BaselineEntry> {
  const worst = new Map<string, BaselineEntry>();
  for (const entry of entries) keepWorse(worst, entry);
  return worst;
}

function keepWorse(entries: Map<string, BaselineEntry>, entry: BaselineEntry): void {
  const other = entries.get(entry.fingerprint);
  if (other === undefined || isWorse(entry.severity, other.severity)) entries.set(entry.fingerprint, entry);
}

/** The findings of a baseline that a run with these checks on a target can search for, each once. */
export function searchableFindings(
  baseline: readonly BaselineEntry[] | null,
  target: string | undefined,
  checks: readonly string[],
): readonly KnownFinding[] {
  const searchable = (baseline ?? []).flatMap(({ check, namespace, fingerprint, lookFor, target: of }) =>
    of === target && lookFor !== undefined && checks.includes(check) ? [{ namespace, fingerprint, lookFor }] : [],
  );
  return [...new Map(searchable.map((known) => [known.fingerprint, known])).values()];
}

/** What shows a finding that two runs saw: a sample may show only some of the stray types. */
export function lookForEither(before: LookFor | undefined, now: LookFor | undefined): LookFor | undefined {
  if (before === undefined || now === undefined || 'bytes' in before || 'bytes' in now) return now;
  if (before.path !== now.path) return now;
  return { path: now.path, types: [...new Set([...before.types, ...now.types])].sort() };
}
