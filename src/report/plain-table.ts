import Table from 'cli-table3';
import type { Paint } from './paint.js';
import { textWidth } from './text-layout.js';

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
