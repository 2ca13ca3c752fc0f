import { MaxKey, MinKey, type Document } from 'mongodb';

// For ranged keys only: the bounds of a hashed field are hashes. It finds only values of the bounds' own types, which
// the index serves; a chunk with bounds of different types has more.
export function chunkRange(min: Document, max: Document): Document {
  const lower = bound(Object.entries(min), '$gt', '$gte');
  const upper = bound(Object.entries(max), '$lt', '$lt');
  const filters = [lower, upper].filter((filter) => filter !== null);
  return filters.length === 0 ? {} : { $and: filters };
}

/** `{a: 1, b: 2}` as "a > 1, or a = 1 and b ≥ 2"; null if every key satisfies it. */
function bound(
  fields: readonly (readonly [string, unknown])[],
  beyond: '$gt' | '$lt',
  last: '$gte' | '$lt',
): Document | null {
  const [first, ...rest] = fields;
  if (first === undefined) return null;
  const [path, value] = first;
  const isOpen = beyond === '$gt' ? value instanceof MinKey : value instanceof MaxKey;
  if (isOpen) return null;
  if (rest.length === 0) return { [path]: { [last]: value } };
  const later = bound(rest, beyond, last);
  const equal = { [path]: { $eq: value } };
  return { $or: [{ [path]: { [beyond]: value } }, later === null ? equal : { $and: [equal, later] }] };
}
