/**
 * The text of a name or number of any BSON type. A document or array is `?object`: it occurs only in a garbled or
 * forged entry, and its field `toString` would make JavaScript throw.
 */
export function scalarText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return '_bsontype' in value && typeof value.toString === 'function' ? value.toString() : '?object';
}
