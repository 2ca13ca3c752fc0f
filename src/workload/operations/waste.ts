import { bySource, type FigureSource, type Operation, type OperationFigures } from '../workload.js';

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

/** Documents and index keys that were examined; null if the source reports neither. */
export function examinedBy({
  documentsExamined,
  keysExamined,
}: Pick<OperationFigures, 'documentsExamined' | 'keysExamined'>): number | null {
  return documentsExamined === null && keysExamined === null ? null : (documentsExamined ?? 0) + (keysExamined ?? 0);
}

/**
 * Documents and index keys that were examined beyond those returned or written, all executions together; null if the source
 * reports neither. A walk through thousands of keys for ten documents wastes as much as a scan does.
 *
 * Source: MongoDB Atlas, alerts "Scanned Objects / Returned" (documents) and "Scanned / Returned" (keys).
 */
export function examinedInVain(figures: OperationFigures): number | null {
  const { documentsReturned, documentsWritten, keysExamined } = figures;
  const needed = Math.max(documentsReturned ?? 0, documentsWritten ?? 0);
  const documents = documentsWasted(figures);
  if (documents === null && keysExamined === null) return null;
  return (documents ?? 0) + Math.max(0, (keysExamined ?? 0) - needed);
}

export type TotalsBySource = Readonly<Record<FigureSource, number | null>>;

/** A figure of all operations together, by who recorded them. Null of a source that has it of none. */
export function totalsBySource(
  operations: readonly Operation[],
  figureOf: (figures: OperationFigures) => number | null,
): TotalsBySource {
  return bySource((source) => {
    const recorded = operations.flatMap(({ figures }) => figures[source] ?? []);
    const figures = recorded.flatMap((each) => figureOf(each) ?? []);
    return figures.length === 0 ? null : figures.reduce((sum, figure) => sum + figure);
  });
}
