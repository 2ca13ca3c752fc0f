import type { Finding } from '../finding.js';
import { formatBytes, formatCount, formatDuration, formatShare, plural } from '../format.js';

const SIGNIFICANT_DIGITS = 2;
/** Clients that a line names; the JSON report has all that are known. */
const MOST_NAMED = 4;

/**
 * What a finding costs, the most telling first: "wastes 41 % of what is examined", "about 12,000,000 documents a day
 * examined and not returned". Empty if no operation of it was recorded.
 */
export function impactTexts(finding: Pick<Finding, 'impact' | 'ranBy'>): string[] {
  const { impact = {} } = finding;
  const ranBy = ranByText(finding);
  const { source, window, share, documents, documentsPerDay, bytesPerDay, msPerDay, milliseconds, shareOfTime } =
    impact;
  if (source === undefined) return [];
  const time = shareOfTime === undefined ? '' : ` (${formatShare(shareOfTime)} of all time)`;
  return [
    ...(share === undefined || share === 0 ? [] : [`wastes ${formatShare(share)} of what is examined`]),
    ...wasteTexts(documents, documentsPerDay, bytesPerDay),
    ...(msPerDay === undefined
      ? milliseconds === undefined || milliseconds === 0
        ? []
        : [`${formatDuration(milliseconds)} recorded${time}`]
      : [`${formatDuration(msPerDay)} a day${time}`]),
    `${source}: ${window ?? 'window unknown'}`,
    ...(ranBy === null ? [] : [ranBy]),
  ];
}

/** Figures of a day are extrapolated, so they have two digits. */
/** "run by checkout (62 %), reports (38 %)"; null if no source tells. */
export function ranByText({ ranBy = [] }: Pick<Finding, 'ranBy'>): string | null {
  if (ranBy.length === 0) return null;
  const named = ranBy.slice(0, MOST_NAMED).map(({ appName, user, driver, addresses = [], share }) => {
    const further = [...(user === undefined ? [] : [user]), ...(driver === undefined ? [] : [driver]), ...addresses];
    return `${appName ?? 'no appName'} (${[formatShare(share), ...further].join(', ')})`;
  });
  const more = ranBy.length - named.length;
  return `run by ${[...named, ...(more === 0 ? [] : [`${formatCount(more)} more`])].join(', ')}`;
}

function wasteTexts(documents: number | undefined, perDay: number | undefined, bytesPerDay: number | undefined) {
  if (documents === undefined || documents === 0) return [];
  if (perDay === undefined) return [`${plural(documents, 'document')} examined and not returned`];
  const bytes = bytesPerDay === undefined ? '' : ` (${formatBytes(bytesPerDay)})`;
  return [`about ${formatCount(rounded(perDay))} documents a day examined and not returned${bytes}`];
}

function rounded(value: number): number {
  return Number(value.toPrecision(SIGNIFICANT_DIGITS));
}
