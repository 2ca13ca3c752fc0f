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

/** Why a finding is suppressed, or what the baseline says about it; null without either. */
export function statusText(finding: Finding): string | null {
  const { suppressed, baseline } = finding;
  if (suppressed !== undefined) {
    const { by, reason, expires, owner } = suppressed;
    const until = expires === null ? 'indefinitely' : `until ${expires}`;
    return `Suppressed ${until} in ${by}${owner === undefined ? '' : ` by ${owner}`}: ${reason}`;
  }
  if (baseline === undefined) return null;
  if (baseline.status === 'known') return 'Known: it is in the baseline.';
  return baseline.severityBefore === null
    ? 'New: it is not in the baseline.'
    : `Worse: its severity in the baseline is ${baseline.severityBefore}.`;
}

/** How the findings compare with the baseline; null without a baseline. */
export function baselineText({ summary }: Report): string | null {
  if (summary.baseline === undefined) return null;
  const { new: added, known, fixed, notJudged } = summary.baseline;
  const counts = [`${formatCount(added)} new`, `${formatCount(known)} known`, `${formatCount(fixed)} fixed`];
  const unclear = notJudged === 0 ? '' : ` ${plural(notJudged, 'finding')} of the baseline could not be checked again.`;
  return `Against the baseline: ${counts.join(', ')}.${unclear}`;
}
