import { fieldPath } from './field-path.js';

/** A plan summary names stages and index keys: `IXSCAN { a: 1, b: -1 }`. Names in it that are data become `*`. */
export function planSummaryShape(summary: string): string {
  return summary.replace(/(?<=[{,] )([^{},:]+)(?=: )/g, (path) => fieldPath(path));
}

/** True where every document of the collection was read. */
export function isCollectionScan(summary: string): boolean {
  return summary === 'COLLSCAN' || summary.startsWith('COLLSCAN,') || summary.includes(', COLLSCAN');
}
