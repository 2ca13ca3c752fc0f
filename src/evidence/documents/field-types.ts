import type { DocumentEvidence, PathProfile, TypeCounts } from './document-profile.js';

/** What one path of the sampled documents holds. */
export interface FieldType {
  /** As in the profile: dotted, `[]` for elements of arrays, `*` for names that are data. */
  readonly path: string;
  readonly types: TypeCounts;
  /** Documents in which the path occurs. */
  readonly documents: number;
  /** Elements per array, on average; null where no arrays were seen here. */
  readonly elementsPerArray: number | null;
  /** Bytes of the longest string in UTF-8; null where no strings were seen here. */
  readonly longestString: number | null;
}

/**
 * The types of a collection's fields: what checks of several collections need of the profile, small enough to be kept for
 * every collection of the run.
 */
export interface FieldTypes {
  /** Documents sampled. */
  readonly documents: number;
  /** True where every document of the collection was read. */
  readonly complete: boolean;
  readonly fields: readonly FieldType[];
}

/** The types of the fields that a profile knows. */
export function fieldTypesOf({ profile, sample }: DocumentEvidence): FieldTypes {
  return { documents: profile.documents, complete: sample.complete, fields: profile.paths.map(fieldType) };
}

function fieldType({ path, types, documents, array, values }: PathProfile): FieldType {
  return {
    path,
    types,
    documents,
    elementsPerArray: array?.lengths.mean ?? null,
    longestString: values?.strings?.max ?? null,
  };
}
