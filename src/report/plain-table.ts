import type { Paint } from './paint.js';
import { padded, textWidth } from './text-layout.js';

/** Columns between two columns of a table. */
export const TABLE_GAP = 2;

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
  const widths = heads.map((head, index) => columnWidth([head, ...rows.map((row) => row[index] ?? '')]));
  const line = (cells: readonly string[]) =>
    heads
      .map((head, index) => padded(cells[index] ?? '', widths[index] ?? 0, numbers.includes(head) ? 'left' : 'right'))
      .join(' '.repeat(TABLE_GAP))
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width));
  return [line(heads.map((head) => paint('label', head))), paint('aside', line(rule)), ...rows.map(line)];
}

export function columnWidth(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, textWidth(text)), 0);
}
