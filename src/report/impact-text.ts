import type { Finding } from '../finding.js';
import { formatBytes, formatCount, formatDuration, formatShare, plural } from '../format.js';

const SIGNIFICANT_DIGITS = 2;

/**
 * What a finding costs, the most telling first: "wastes 41 % of what is examined", "about 12,000,000 documents a day
 * examined and not returned". Empty if no operation of it was recorded.
 */
export function impactTexts({ impact = {} }: Pick<Finding, 'impact'>): string[] {
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
  ];
}

/** Figures of a day are extrapolated, so they have two digits. */
function wasteTexts(documents: number | undefined, perDay: number | undefined, bytesPerDay: number | undefined) {
  if (documents === undefined || documents === 0) return [];
  if (perDay === undefined) return [`${plural(documents, 'document')} examined and not returned`];
  const bytes = bytesPerDay === undefined ? '' : ` (${formatBytes(bytesPerDay)})`;
  return [`about ${formatCount(rounded(perDay))} documents a day examined and not returned${bytes}`];
}

function rounded(value: number): number {
  return Number(value.toPrecision(SIGNIFICANT_DIGITS));
}
