import type { DocumentProfile, PathProfile } from '../../src/profile/document-profile.js';
import { isQueryable, queryPath } from '../../src/profile/path-steps.js';
import { typesOfFamily, type TypeFamily } from '../../src/profile/type-families.js';
import type { LookFor } from '../../src/look-for.js';

/**
 * What shows values of these families at a path. Undefined if no query finds them, or if it finds those of another path as
 * well: with `$type`, the elements of an array count as values of its field.
 */
export function lookForTypes(
  { path }: PathProfile,
  { paths }: Pick<DocumentProfile, 'paths'>,
  families: readonly TypeFamily[],
): LookFor | undefined {
  const field = queryPath(path);
  const isAmbiguous = paths.filter((each) => queryPath(each.path) === field).length > 1;
  if (isAmbiguous || !isQueryable(path) || families.length === 0) return undefined;
  return { path: field, types: families.flatMap(typesOfFamily).sort() };
}
