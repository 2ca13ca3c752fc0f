import type { DocumentEvidence, DocumentProfile, IndexDescription } from '../../src/check.js';
import { fieldsOfEntries } from '../../src/inventory/index-key.js';
import { shareWithin, type SeenPart } from '../../src/judgement/margins.js';
import { queryPath } from '../../src/profile/path-steps.js';

/**
 * Indexes that an insert writes on average: a sparse or partial one counts by the share of the sampled documents that enter it,
 * at most. Without a sample, each counts as a whole.
 */
export function writtenPerInsert(
  indexes: readonly IndexDescription[],
  documents: DocumentEvidence | undefined,
  seen: SeenPart,
): number {
  if (documents === undefined || documents.profile.documents === 0) return indexes.length;
  const { profile } = documents;
  return indexes.reduce((sum, index) => {
    const entering = enteringDocuments(index, profile);
    return sum + (entering === profile.documents ? 1 : shareWithin(entering, profile.documents, seen)[0]);
  }, 0);
}

/** Sampled documents that have an entry, at most: a filter lets no more documents in than its rarest field. */
function enteringDocuments(index: IndexDescription, profile: DocumentProfile): number {
  const { partialFilterExpression } = index;
  const filtered = partialFilterExpression === undefined ? [] : requiredFields(partialFilterExpression);
  const byFilter = filtered.map((field) => documentsWith(field, profile));
  const byFields = fieldsOfEntries(index)?.reduce((sum, field) => sum + documentsWith(field, profile), 0) ?? Infinity;
  return Math.min(profile.documents, byFields, ...byFilter);
}

/** Fields that a document must have to match, as far as the filter tells by itself. */
export function requiredFields(filter: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(filter).flatMap(([name, condition]) => {
    if (name === '$and' && Array.isArray(condition))
      return (condition as readonly Readonly<Record<string, unknown>>[]).flatMap(requiredFields);
    // Only null and false matches of `$exists` are met by a missing field.
    return name.startsWith('$') || isMetByNothing(condition) ? [] : [name];
  });
}

function isMetByNothing(condition: unknown): boolean {
  if (condition === null) return true;
  if (typeof condition !== 'object') return false;
  return Object.values(condition).some((operand) => operand === null || operand === false || Array.isArray(operand));
}

/** At most: of the paths that the field may be, the one in the most documents. A field that was not seen is in none. */
function documentsWith(field: string, { paths, limits, documents }: DocumentProfile): number {
  const found = paths.filter(({ path }) => {
    const names = queryPath(path).split('.');
    return field.split('.').every((name, at) => names[at] === name || names[at] === '*' || name === '$**');
  });
  if (found.length === 0 && limits.length > 0) return documents;
  return Math.max(0, ...found.map((path) => path.documents));
}
