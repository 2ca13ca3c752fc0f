import { namePattern } from '../documents/field-names.js';

/** Stands for a field name that is data, as in a document's profile. */
export const DATA_NAME = '*';

/** Longer names of digits are no positions in an array but years or keys. */
const POSITION_DIGITS = 3;

/** Field names that people give are shorter: MongoDB's own longest, of internal fields, has 37 bytes. */
const LONGEST_NAME = 100;

/**
 * A field path as it is kept, also with the `$` or `$$` of an expression: names that are plainly data (ids, dates, e-mail
 * addresses, long numbers) become `*`.
 */
export function fieldPath(path: string): string {
  if (!/[\d@]/.test(path) && path.length <= LONGEST_NAME) return path;
  const sigil = /^\$*/.exec(path)?.[0] ?? '';
  // An address has dots of its own, which no rule can tell from the path's.
  if (path.includes('@')) return `${sigil}${DATA_NAME}`;
  const names = path.slice(sigil.length).split('.');
  return `${sigil}${names.map((name) => (isData(name) ? DATA_NAME : name)).join('.')}`;
}

function isData(name: string): boolean {
  const pattern = namePattern(name);
  if (pattern === 'number') return name.replace('-', '').length > POSITION_DIGITS;
  return pattern !== null || name.length > LONGEST_NAME;
}
