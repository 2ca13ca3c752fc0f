import type { FigureSource, Operation, OperationFigures } from '../workload.js';
import { totalsBySource } from './totals-by-source.js';

/**
 * The waste of operations: documents examined beyond those returned or written, all executions together. Null if the
 * source does not count what they examined.
 *
 * Source: MongoDB Atlas, metric "Query Targeting", which compares documents scanned with documents returned. A `count` or
 * `distinct` returns no document, so it needs none by this measure.
 */
export function documentsWasted({
  documentsExamined,
  documentsReturned,
  documentsWritten,
}: OperationFigures): number | null {
  if (documentsExamined === null) return null;
  return Math.max(0, documentsExamined - Math.max(documentsReturned ?? 0, documentsWritten ?? 0));
}

export type ExaminedBySource = Readonly<Record<FigureSource, number | null>>;

export function examinedBySource(operations: readonly Operation[]): ExaminedBySource {
  return totalsBySource(operations, ({ documentsExamined }) => documentsExamined);
}
