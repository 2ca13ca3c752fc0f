import { fieldPath } from '../shapes/field-path.js';

const KEY_FIELD = /^([^,:{}]+): ([^\s,:{}]+)$/;

/**
 * A plan summary names stages and index keys: `IXSCAN { a: 1, b: -1 }`. Names that are data become `*`, and so does a
 * key whose names cannot be told apart.
 */
export function planSummaryShape(summary: string): string {
  if (!summary.includes('{')) return summary;
  return summary.replace(/\{ (.*?) \}(?=$|, [A-Z])/g, (_, key: string) => {
    const fields = key.split(', ').map((field) => KEY_FIELD.exec(field));
    if (fields.includes(null)) return '{ * }';
    return `{ ${fields.map((field) => `${fieldPath(field?.[1] ?? '')}: ${field?.[2]}`).join(', ')} }`;
  });
}

export function isCollectionScan(summary: string): boolean {
  return summary === 'COLLSCAN' || summary.startsWith('COLLSCAN,') || summary.includes(', COLLSCAN');
}
