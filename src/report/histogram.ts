import type { z } from 'zod';
import { formatBytes, formatCount, formatShare } from '../format.js';
import type { histogramSchema } from '../finding.js';
import type { Paint } from './paint.js';
import { padded, textWidth } from './text-layout.js';

type Histogram = z.infer<typeof histogramSchema>;
type Bucket = Histogram['buckets'][number];

/** From an eighth of a column to a whole one. */
const BAR_EIGHTHS = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'] as const;
const EIGHTHS = BAR_EIGHTHS.length;
/** A longer bar shows nothing more. Columns. */
const LONGEST_BAR = 32;
const SHORTEST_BAR = 4;
const GAP = '  ';

/** Horizontal bars to scale; a bar that counts something is never invisible. Empty ranges in a row share one line. */
export function histogramLines({ unit, buckets }: Histogram, width: number, paint: Paint): string[] {
  const rows = withEmptyMerged(buckets);
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return [];
  const ranges = [unit, ...rows.map((bucket) => rangeText(bucket, unit))];
  const counts = ['count', ...rows.map(({ count }) => formatCount(count))];
  const shares = ['share', ...rows.map(({ count }) => (count === 0 ? '' : formatShare(count / total)))];
  const [rangeWidth, countWidth, shareWidth] = [ranges, counts, shares].map(widest) as [number, number, number];
  const room = width - rangeWidth - countWidth - shareWidth - 3 * GAP.length;
  const barWidth = Math.max(SHORTEST_BAR, Math.min(LONGEST_BAR, room));
  const largest = Math.max(...rows.map(({ count }) => count));
  return ranges.map((range, index) => {
    const bucket = rows[index - 1];
    const bar = (bucket === undefined ? '' : barText(bucket.count / largest, barWidth)).padEnd(barWidth);
    const start = padded(range, rangeWidth, 'left');
    const figures = `${padded(counts[index] ?? '', countWidth, 'left')}${GAP}${padded(shares[index] ?? '', shareWidth, 'left')}`;
    return bucket === undefined
      ? paint('label', `${start}${GAP}${bar}${GAP}${figures}`)
      : `${start}${GAP}${paint('bar', bar)}${GAP}${figures}`.trimEnd();
  });
}

function withEmptyMerged(buckets: readonly Bucket[]): Bucket[] {
  const rows: Bucket[] = [];
  for (const bucket of buckets) {
    const last = rows.at(-1);
    if (last !== undefined && last.count === 0 && bucket.count === 0)
      rows[rows.length - 1] = { ...last, to: bucket.to };
    else rows.push(bucket);
  }
  return rows;
}

function rangeText({ from, to }: Bucket, unit: Histogram['unit']): string {
  const format = unit === 'bytes' ? formatBytes : formatCount;
  const [start, end] = [format(from), format(to)];
  return start === end ? start : `${start} – ${end}`;
}

function barText(share: number, width: number): string {
  if (share === 0) return '';
  const eighths = Math.max(1, Math.round(share * width * EIGHTHS));
  const rest = eighths % EIGHTHS;
  return '█'.repeat(Math.floor(eighths / EIGHTHS)) + (rest === 0 ? '' : BAR_EIGHTHS[rest - 1]);
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(textWidth));
}
