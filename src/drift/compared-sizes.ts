import { formatBytes, formatCount } from '../format.js';
import type { SizeFacts } from './collection-facts.js';
import type { Change } from './drift-schema.js';

/** How many times as many documents are another order of size … */
const DOCUMENTS_FACTOR = 10;
/** … if there are so many more. */
const FEWEST_MORE = 1_000;
/** How many times as large an average document is another shape. */
const AVERAGE_FACTOR = 2;
/** Documents from which an average says something. */
const FEWEST_OF_AVERAGE = 100;

/** Counts and averages of `$collStats` that differ by a factor, or are 0 on one side only. What is unknown is left out. */
export function comparedSizes(older: SizeFacts, newer: SizeFacts): Change[] {
  return [...comparedCounts(older.count, newer.count), ...comparedAverages(older, newer)];
}

function comparedCounts(before: number | null, after: number | null): Change[] {
  if (before === null || after === null) return [];
  const [fewer, more] = [Math.min(before, after), Math.max(before, after)];
  const isEmptied = fewer === 0 && more > 0;
  if (!isEmptied && (more < fewer * DOCUMENTS_FACTOR || more - fewer < FEWEST_MORE)) return [];
  return [{ what: 'documents', old: formatCount(before), new: formatCount(after) }];
}

function comparedAverages(older: SizeFacts, newer: SizeFacts): Change[] {
  const [before, after] = [older.averageDocumentSize, newer.averageDocumentSize];
  if (before === null || after === null) return [];
  if (Math.min(older.count ?? 0, newer.count ?? 0) < FEWEST_OF_AVERAGE) return [];
  if (Math.max(before, after) < Math.min(before, after) * AVERAGE_FACTOR) return [];
  return [{ what: 'average document', old: formatBytes(before), new: formatBytes(after) }];
}
