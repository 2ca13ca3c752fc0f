/**
 * The text of a name or number of any BSON type. A document or array, which stands there only in an entry that is garbled
 * or forged, and whose field `toString` would make JavaScript throw, is told as `?object`.
 */
export function scalarText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return '_bsontype' in value && typeof value.toString === 'function' ? value.toString() : '?object';
}
