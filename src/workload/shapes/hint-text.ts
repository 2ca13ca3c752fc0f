import { fieldPath } from './sort-shape.js';

/** A hint as text: the name of an index, or its key as plan summaries write it. Null for an order of storage, and for what is no hint. */
export function hintText(hint: unknown): string | null {
  if (typeof hint === 'string') return hint === '' ? null : hint;
  if (typeof hint !== 'object' || hint === null) return null;
  const key = Object.entries(hint);
  if (key.length === 0 || key[0]?.[0].startsWith('$') === true) return null;
  return keyText(Object.fromEntries(key));
}

/** `{ a: 1, at: -1 }`, names that are data as `*`. */
export function keyText(key: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(key).map(([path, kind]) => {
    return `${fieldPath(path)}: ${typeof kind === 'string' ? JSON.stringify(kind) : Number(kind)}`;
  });
  return `{ ${fields.join(', ')} }`;
}
