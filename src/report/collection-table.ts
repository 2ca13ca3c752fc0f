import { formatBytes, formatCount } from '../format.js';
import type { Paint } from './paint.js';
import { columnWidth, plainTable, TABLE_GAP } from './plain-table.js';
import type { ReportedCollection } from './reported-collection.js';
import { clipped } from './text-layout.js';

const NOT_KNOWN = '–';
const HEADS = ['Documents', 'Average', 'Size', 'On disk', 'Indexes', 'Sampled'] as const;

export function collectionLines(collections: readonly ReportedCollection[], width: number, paint: Paint): string[] {
  if (collections.length === 0) return [];
  const figures = collections.map(figuresOf);
  const widths = HEADS.map((head, index) => columnWidth([head, ...figures.map((row) => row[index] ?? '')]));
  const rest = width - widths.reduce((sum, column) => sum + column + TABLE_GAP, 0);
  return plainTable(
    [{ head: 'Namespace' }, ...HEADS.map((head) => ({ head, align: 'right' as const }))],
    collections.map(({ namespace }, index) => [clipped(namespace, rest, 'middle'), ...(figures[index] ?? [])]),
    paint,
  );
}

function figuresOf({
  documents,
  averageDocumentSize,
  size,
  storageSize,
  indexes,
  sampled,
}: ReportedCollection): string[] {
  return [
    known(documents, formatCount),
    known(averageDocumentSize, formatBytes),
    known(size, formatBytes),
    known(storageSize, formatBytes),
    known(indexes, formatCount),
    known(sampled?.documents ?? null, formatCount),
  ];
}

function known(value: number | null, format: (value: number) => string): string {
  return value === null ? NOT_KNOWN : format(value);
}
