import { namePattern } from '../documents/field-names.js';

/** Stands for a field name that is data, as in a document's profile. */
export const DATA_NAME = '*';

/** Longer names of digits are no positions in an array but years or keys. */
const POSITION_DIGITS = 3;

/** Field names that people give are shorter: MongoDB's own longest, of internal fields, has 37 bytes. */
const LONGEST_NAME = 100;

/** A field path as it is kept: names that are plainly data (ids, dates, e-mail addresses, long numbers) become `*`. */
export function fieldPath(path: string): string {
  if (!/[\d@]/.test(path) && path.length <= LONGEST_NAME) return path;
  // An address has dots of its own, which no rule can tell from the path's.
  if (path.includes('@')) return DATA_NAME;
  return path
    .split('.')
    .map((name) => (isData(name) ? DATA_NAME : name))
    .join('.');
}

function isData(name: string): boolean {
  const pattern = namePattern(name);
  if (pattern === 'number') return name.replace('-', '').length > POSITION_DIGITS;
  return pattern !== null || name.length > LONGEST_NAME;
}
