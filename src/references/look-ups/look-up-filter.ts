import type { Document } from 'mongodb';
import { isVisible } from '../../inventory/index-key.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { LookFor } from '../../look-for.js';
import { BSON_TYPES } from '../../profile/document-profile.js';
import { isQueryable } from '../../profile/path-steps.js';

const TYPES: ReadonlySet<string> = new Set(BSON_TYPES);

/** The query that finds a document that shows it; null if no query does. */
export function lookUpFilter(lookFor: LookFor): Document | null {
  if ('bytes' in lookFor) return { $expr: { $gte: [{ $bsonSize: '$$ROOT' }, lookFor.bytes] } };
  const { path, types } = lookFor;
  // A baseline is a file that people merge: what it says becomes a query only if it can be no operator.
  const isSearchable = isQueryable(path) && types.every((type) => TYPES.has(type) && type !== 'array');
  return isSearchable ? { [path]: { $type: [...types] } } : null;
}

/**
 * Whether an index leads to the documents at once: with `$type`, the bounds of a scan are those of the types. A partial one
 * lacks documents, and one with a collation orders strings by other keys.
 */
export function servesLookUp(index: IndexDescription, lookFor: LookFor): boolean {
  if ('bytes' in lookFor) return false;
  const [[path, kind] = []] = Object.entries(index.key);
  return (
    path === lookFor.path &&
    typeof kind === 'number' &&
    isVisible(index) &&
    index.partialFilterExpression === undefined &&
    index.collation === undefined
  );
}
