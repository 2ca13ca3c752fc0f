import Table from 'cli-table3';
import type { FindingEvidence } from '../finding.js';
import { formatBytes, formatCount, formatShare } from '../format.js';
import type { Paint } from './paint.js';
import { padded, textWidth } from './text-layout.js';

/** Columns between two columns of a table. */
export const TABLE_GAP = 2;

const NO_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '─',
  'mid-mid': ' '.repeat(TABLE_GAP),
  right: '',
  'right-mid': '',
  middle: ' '.repeat(TABLE_GAP),
} as const;

/**
 * A table without borders, with a rule below its head. Columns are as wide as what stands in them.
 *
 * @param numbers the heads of columns that are aligned to the right
 */
export function plainTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Paint,
  numbers: readonly string[] = [],
): string[] {
  const table = new Table({
    head: heads.map((head) => paint('label', head)),
    colAligns: heads.map((head) => (numbers.includes(head) ? 'right' : 'left')),
    chars: NO_BORDERS,
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => [...row]));
  const [head = '', rule = '', ...body] = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  return [head, paint('aside', rule), ...body];
}

export function columnWidth(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, textWidth(text)), 0);
}

type Histogram = NonNullable<FindingEvidence['distribution']>;

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
  const largest = Math.max(...rows.map(({ count }) => count));
  const ranges = aligned([unit, ...rows.map((bucket) => bucketText(bucket, unit, ' – '))]);
  const counts = aligned(['count', ...rows.map(({ count }) => formatCount(count))]);
  const shares = aligned(['share', ...rows.map(({ count }) => (count === 0 ? '' : formatShare(count / total)))]);
  const room = width - textWidth([ranges[0], counts[0], shares[0], ''].join(GAP));
  const longest = Math.max(SHORTEST_BAR, Math.min(LONGEST_BAR, room));
  return ranges.map((range, index) => {
    const bar = barText((rows[index - 1]?.count ?? 0) / largest, longest).padEnd(longest);
    const cells = [range, index === 0 ? bar : paint('bar', bar), counts[index], shares[index]];
    return index === 0 ? paint('label', cells.join(GAP)) : cells.join(GAP).trimEnd();
  });
}

function aligned(texts: readonly string[]): string[] {
  const width = columnWidth(texts);
  return texts.map((text) => padded(text, width, 'left'));
}

/** The values of a bar: "1.5 KB to 2 MB". */
export function bucketText({ from, to }: Bucket, unit: Histogram['unit'], between: string): string {
  const [start, end] = [from, to].map(unit === 'bytes' ? formatBytes : formatCount) as [string, string];
  return start === end ? start : start + between + end;
}

function withEmptyMerged(buckets: readonly Bucket[]): Bucket[] {
  const rows: Bucket[] = [];
  for (const bucket of buckets) {
    const last = rows.at(-1);
    if (last?.count === 0 && bucket.count === 0) rows[rows.length - 1] = { ...last, to: bucket.to };
    else rows.push(bucket);
  }
  return rows;
}

function barText(share: number, width: number): string {
  if (share === 0) return '';
  const eighths = Math.max(1, Math.round(share * width * EIGHTHS));
  const rest = eighths % EIGHTHS;
  return '█'.repeat(Math.floor(eighths / EIGHTHS)) + (rest === 0 ? '' : BAR_EIGHTHS[rest - 1]);
}
