import type { Finding, FixedFinding } from '../finding.js';
import { SEVERITIES, type Severity } from '../severity.js';
import type { Report } from '../report/report.js';

/** A finding that is known and accepted. */
export interface BaselineEntry extends FixedFinding {
  /** Alias of the target that it was found in; absent if the run had no named targets. */
  readonly target?: string | undefined;
}

export type WasJudged = (check: string, namespace: string) => boolean;

/** Compares by fingerprint, never by counts. A known finding that got more severe is new; an entry that was judged and not found is fixed. */
export function comparedWithBaseline(report: Report, baseline: readonly BaselineEntry[], wasJudged: WasJudged): Report {
  const entries = worstByFingerprint(ofTarget(baseline, report.target));
  const findings = report.findings.map((finding): Finding => {
    if (finding.suppressed !== undefined) return finding;
    const severityBefore = entries.get(finding.fingerprint)?.severity ?? null;
    const known = severityBefore !== null && !isWorse(finding.severity, severityBefore);
    return { ...finding, baseline: { status: known ? 'known' : 'new', severityBefore } };
  });
  const found = new Set(report.findings.map(({ fingerprint }) => fingerprint));
  const gone = [...entries.values()].filter(({ fingerprint }) => !found.has(fingerprint));
  const fixed = gone.filter(({ check, namespace }) => wasJudged(check, namespace));
  const count = (status: 'new' | 'known') =>
    findings.filter(({ baseline: { status: its } = {} }) => its === status).length;
  return {
    ...report,
    summary: {
      ...report.summary,
      baseline: {
        new: count('new'),
        known: count('known'),
        fixed: fixed.length,
        notJudged: gone.length - fixed.length,
      },
    },
    findings,
    fixed: fixed.map((entry) => entryOf(entry)),
  };
}

/**
 * The baseline that accepts what these reports found. Entries that could not be judged stay, and those of targets that were
 * not linted. Suppressed findings are left out: they count again when the suppression ends.
 */
export function updatedBaseline(before: readonly BaselineEntry[], reports: readonly Report[]): BaselineEntry[] {
  const linted = new Set(reports.map(({ target }) => target));
  return [
    ...before.filter(({ target }) => !linted.has(target)),
    ...reports.flatMap((report) => {
      const present = new Set([...report.findings, ...(report.fixed ?? [])].map(({ fingerprint }) => fingerprint));
      const notJudged = ofTarget(before, report.target).filter(({ fingerprint }) => !present.has(fingerprint));
      const accepted = report.findings
        .filter(({ suppressed }) => suppressed === undefined)
        .map((finding) => entryOf(finding, report.target));
      return [...worstByFingerprint([...notJudged, ...accepted]).values()];
    }),
  ];
}

function entryOf({ check, severity, namespace, path, fingerprint }: FixedFinding, target?: string): BaselineEntry {
  return { ...(target !== undefined && { target }), check, severity, namespace, path, fingerprint };
}

function ofTarget(baseline: readonly BaselineEntry[], target: string | undefined): BaselineEntry[] {
  return baseline.filter((entry) => entry.target === target);
}

/** A merge of two branches may hold a finding twice: someone accepted the worse of them. */
function worstByFingerprint(entries: readonly BaselineEntry[]): Map<string, BaselineEntry> {
  const worst = new Map<string, BaselineEntry>();
  for (const entry of entries) {
    const other = worst.get(entry.fingerprint);
    if (other === undefined || isWorse(entry.severity, other.severity)) worst.set(entry.fingerprint, entry);
  }
  return worst;
}

function isWorse(severity: Severity, than: Severity): boolean {
  return SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(than);
}
