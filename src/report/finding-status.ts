import type { Finding } from '../finding.js';
import { formatCount, plural } from '../format.js';
import type { Report } from './report.js';

/** New means not in the baseline, or less severe in it; `found`, that the run has no baseline. */
export type FindingStatus = 'new' | 'known' | 'suppressed' | 'found';

export function statusOf({ suppressed, baseline }: Finding): FindingStatus {
  return suppressed === undefined ? (baseline?.status ?? 'found') : 'suppressed';
}

/** True for a finding that counts against the run: neither suppressed nor known to the baseline. */
export function isActive(finding: Finding): boolean {
  const status = statusOf(finding);
  return status === 'found' || status === 'new';
}

/** True for a finding that was known as less severe. */
export function isWorseThanBefore({ baseline }: Finding): boolean {
  return baseline?.status === 'new' && baseline.severityBefore !== null;
}

/** True for a finding that was known as more severe. */
export function isBetterThanBefore({ suppressed, baseline }: Finding): boolean {
  return suppressed === undefined && baseline?.better === true;
}

/** Why a finding is suppressed, or what the baseline says about it; null without either. */
export function statusText(finding: Finding): string | null {
  const { suppressed, baseline } = finding;
  if (suppressed !== undefined) {
    const { by, reason, expires, owner } = suppressed;
    const until = expires === null ? 'indefinitely' : `until ${expires}`;
    return `Suppressed ${until} in ${by}${owner === undefined ? '' : ` by ${owner}`}: ${reason}`;
  }
  if (baseline === undefined) return null;
  if (baseline.status === 'known') {
    const { severityBefore, better, accepted } = baseline;
    if (accepted !== undefined)
      return `Accepted since ${accepted.since} until ${accepted.until} by ${accepted.owner}: ${accepted.reason}`;
    if (severityBefore === null) return 'Not known, but earlier samples may have missed it.';
    if (better === true) return `Better: was ${severityBefore}.`;
    const isOther = severityBefore !== finding.severity;
    return isOther ? `Known: was ${severityBefore}.` : 'Known.';
  }
  return baseline.severityBefore === null ? 'New.' : `Worse: was ${baseline.severityBefore}.`;
}

/** How the findings compare with the baseline; null without a baseline. */
export function baselineText({ summary, findings }: Report): string | null {
  if (summary.baseline === undefined) return null;
  const { new: all, known, accepted = 0, fixed, gone = 0, stillThere = 0, notSeen = 0, notJudged } = summary.baseline;
  const worse = findings.filter(isWorseThanBefore).length;
  const better = findings.filter(isBetterThanBefore).length;
  const counts = [
    `${formatCount(all - worse)} new`,
    ...(worse === 0 ? [] : [`${formatCount(worse)} worse`]),
    `${formatCount(known)} known`,
    ...(accepted === 0 ? [] : [`${formatCount(accepted)} of them accepted`]),
    ...(better === 0 ? [] : [`${formatCount(better)} of them better`]),
    `${formatCount(fixed)} fixed`,
    ...(gone === 0 ? [] : [`${formatCount(gone)} gone`]),
    ...(stillThere === 0 ? [] : [`${formatCount(stillThere)} still there, found directly`]),
    ...(notSeen === 0 ? [] : [`${formatCount(notSeen)} not seen this time`]),
  ];
  const unclear = notJudged === 0 ? '' : ` ${plural(notJudged, 'known finding')} could not be checked again.`;
  return `Compared with before: ${counts.join(', ')}.${unclear}`;
}
