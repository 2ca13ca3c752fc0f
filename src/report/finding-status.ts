import type { Finding } from '../finding.js';
import { formatCount, plural } from '../format.js';
import type { Report } from './report.js';

/**
 * What a finding means for the run.
 *
 * - `new`: the baseline does not hold it, or holds it as less severe.
 * - `known`: the baseline holds it; it does not fail the run.
 * - `suppressed`: it is suppressed; it does not fail the run.
 * - `found`: none of these: the run has no baseline.
 */
export type FindingStatus = 'new' | 'known' | 'suppressed' | 'found';

/** What the finding means for the run; a suppression goes before the baseline. */
export function statusOf({ suppressed, baseline }: Finding): FindingStatus {
  return suppressed === undefined ? (baseline?.status ?? 'found') : 'suppressed';
}

/** True for a finding that counts against the run: neither suppressed nor known to the baseline. */
export function isActive(finding: Finding): boolean {
  const status = statusOf(finding);
  return status === 'found' || status === 'new';
}

/**
 * What the status of a finding means, as a sentence: why and until when it is suppressed, or what the baseline says of
 * it. Null where there is nothing to say.
 */
export function statusText(finding: Finding): string | null {
  const { suppressed, baseline } = finding;
  if (suppressed !== undefined) {
    const { by, reason, expires, owner } = suppressed;
    const until = expires === null ? 'without an end' : `until ${expires}`;
    return `Suppressed ${until} in ${by}${owner === undefined ? '' : ` by ${owner}`}: ${reason}`;
  }
  if (baseline === undefined) return null;
  if (baseline.status === 'known') return 'Known: the baseline holds it.';
  return baseline.severityBefore === null
    ? 'New: the baseline does not hold it.'
    : `Worse: the baseline holds it as ${baseline.severityBefore}.`;
}

/** How the findings compare with the baseline, as a sentence; null where the run has none. */
export function baselineText({ summary }: Report): string | null {
  if (summary.baseline === undefined) return null;
  const { new: added, known, fixed, notJudged } = summary.baseline;
  const counts = [`${formatCount(added)} new`, `${formatCount(known)} known`, `${formatCount(fixed)} fixed`];
  const unclear =
    notJudged === 0
      ? ''
      : ` Of ${plural(notJudged, 'finding')} of the baseline it is not known whether ${notJudged === 1 ? 'it is' : 'they are'} gone.`;
  return `Against the baseline: ${counts.join(', ')}.${unclear}`;
}
