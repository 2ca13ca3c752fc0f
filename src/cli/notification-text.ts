import type { Finding, FixedFinding } from '../finding.js';
import { SEVERITIES } from '../finding/severity.js';
import { isMain, worstFirst } from '../findings/finding-order.js';
import { plural } from '../format.js';
import { clusterTexts } from '../report/coverage.js';
import { driftsOf } from '../report/drift-text.js';
import { shortFingerprint } from '../report/finding-list.js';
import { isActive, isBetterThanBefore, isWorseThanBefore } from '../report/finding-status.js';
import { ownerText, placeOf, type Place } from '../report/finding-view.js';
import type { Report } from '../report/report.js';
import { failureSentences } from '../report/run-failure.js';
import { listed } from '../report/text-layout.js';

export interface RunOutcome {
  readonly reports: readonly Report[];
  /** What failed beside the reports, such as a target that could not be reached: a line each. */
  readonly faults: readonly string[];
  /** Address of the report, for people; null if there is none. */
  readonly reportUrl: string | null;
  /** Targets of the run, and those of them that could not be linted, or not to the end; absent if it is about one alone. */
  readonly targets?: { readonly total: number; readonly failed: number };
}

/** How the line begins that links the report. */
export const REPORT_LINE = 'Report: ';

/** Lines on failures, and then on findings; Slack shortens longer texts. */
const MOST_NAMED = 20;
const MOST_FAILURES = 5;
const MOST_CLUSTERS = 5;

type Named = Pick<Finding, 'check' | 'owner'> & Place;

/**
 * What is new, worse, better, fixed, gone or failed, as plain text; if nothing is, a line or null. Without a baseline, all
 * findings are new.
 */
export function notificationText(outcome: RunOutcome, always = false): string | null {
  const { reports, faults, reportUrl } = outcome;
  const found = worstFirst(reports.flatMap((report) => report.findings.filter(isActive)));
  const targets = new Map(reports.flatMap((report) => report.findings.map((finding) => [finding, report.target])));
  const [worse, fresh] = [found.filter(isWorseThanBefore), found.filter((finding) => !isWorseThanBefore(finding))];
  const [added, apart] = [fresh.filter(isMain), fresh.filter((finding) => !isMain(finding))];
  const failures = [...faults, ...reports.flatMap(failureTexts)];
  const fixed = settledLines(reports, 'fixed', ({ fixed: own }) => own);
  const better = worstFirst(reports.flatMap((report) => report.findings.filter(isBetterThanBefore)));
  const gone = settledLines(reports, 'gone', ({ gone: own }) => own);
  const drifts = reports.flatMap(driftTexts);
  if (found.length + better.length + failures.length + fixed.length + gone.length + drifts.length === 0)
    return always ? `mongolint${clustersText(reports)}: ${quietText(reports)}` : null;
  const counts = [
    ...(failures.length === 0 ? [] : [failedText(outcome)]),
    ...(added.length === 0 ? [] : [`${plural(added.length, 'new finding')} (${bySeverity(added)})`]),
    ...(apart.length === 0 ? [] : [`${plural(apart.length, 'new safety finding')} (${bySeverity(apart)})`]),
    ...(worse.length === 0 ? [] : [`${worse.length} worse (${bySeverity(worse)})`]),
    ...(better.length === 0 ? [] : [`${better.length} better`]),
    ...(fixed.length === 0 ? [] : [`${fixed.length} fixed`]),
    ...(gone.length === 0 ? [] : [`${gone.length} gone with their collections`]),
    ...(drifts.length === 0 ? [] : [plural(drifts.length, 'schema difference')]),
  ];
  const shown = [...found, ...better];
  const short = shortFingerprint(shown);
  const lines = [
    ...shown.map((finding) => `${statusWord(finding)}: ${nameOf(finding, targets.get(finding))} (${short(finding)})`),
    ...fixed,
    ...gone,
    ...drifts,
  ];
  const text = [
    `mongolint${clustersText(reports)}: ${counts.join(', ')}`,
    ...cut(failures, MOST_FAILURES),
    ...cut(lines, MOST_NAMED),
    ...(reportUrl === null ? [] : [`${REPORT_LINE}${reportUrl}`]),
  ];
  return text.join('\n');
}

/** One cluster that is down is no failure of the others. */
function failedText({ targets: { total, failed } = { total: 1, failed: 1 } }: RunOutcome): string {
  return total > 1 && failed > 0 && failed < total ? `${failed} of ${total} targets failed` : 'the run failed';
}

/** "nothing new; 12 known, 3 of them accepted". */
function quietText(reports: readonly Report[]): string {
  const sum = (of: 'known' | 'accepted') =>
    reports.reduce((all, { summary }) => all + (summary.baseline?.[of] ?? 0), 0);
  const [known, accepted] = [sum('known'), sum('accepted')];
  const ending = reports
    .flatMap(({ notices = [] }) => notices)
    .filter(({ kind }) => kind === 'acceptance-ending').length;
  const ends = ending === 0 ? '' : `, ${ending} of them expiring within a week`;
  return known === 0
    ? 'nothing new'
    : `nothing new; ${known} known${accepted === 0 ? '' : `, ${accepted} of them accepted`}${ends}`;
}

function cut(lines: readonly string[], most: number): string[] {
  const more = lines.length - most;
  return [...lines.slice(0, most).map((line) => `• ${line}`), ...(more > 0 ? [`and ${more} more`] : [])];
}

function clustersText(reports: readonly Report[]): string {
  if (reports.length === 0) return '';
  const names = reports.map(({ target, cluster }) => target ?? clusterTexts(cluster)[0] ?? '');
  return ` on ${listed(names, MOST_CLUSTERS)}`;
}

function failureTexts(report: Report): string[] {
  const of = report.target === undefined ? '' : `${report.target}: `;
  return failureSentences(report).map((sentence) => `${of}${sentence}`);
}

/** What differs from the last run; from a sibling, what did not differ then. */
function driftTexts(report: Report): string[] {
  const news = driftsOf(report).flatMap(({ differences }) => differences.filter(({ known }) => known !== true));
  return news.map(({ namespace, message }) => {
    const where = [report.target, namespace].filter((part) => part !== undefined && part !== null);
    return `drift: ${where.length === 0 ? '' : `${where.join(' ')}: `}${message}`;
  });
}

function settledLines(
  reports: readonly Report[],
  word: string,
  of: (report: Report) => readonly FixedFinding[] | undefined,
): string[] {
  return reports.flatMap((report) => (of(report) ?? []).map((one) => `${word}: ${nameOf(one, report.target)}`));
}

function statusWord(finding: Finding): string {
  const before = finding.baseline?.severityBefore;
  return isWorseThanBefore(finding) || isBetterThanBefore(finding)
    ? `${finding.severity}, was ${before}`
    : finding.severity;
}

function bySeverity(findings: readonly Finding[]): string {
  return SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [severity === 'info' ? `${count} info` : plural(count, severity)];
  }).join(', ');
}

function nameOf({ check, owner, ...place }: Named, target: string | undefined): string {
  const where = [target, placeOf(place)].filter((part) => part !== undefined).join(' ');
  const whose = ownerText({ owner });
  return `${check} in ${where}${whose === null ? '' : ` (${whose})`}`;
}
