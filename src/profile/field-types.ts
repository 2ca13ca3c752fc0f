import type { DocumentEvidence, PathProfile, TypeCounts } from './document-profile.js';

export interface FieldType {
  /** As in the profile: dotted, `[]` for elements of arrays, `*` for names that are data. */
  readonly path: string;
  readonly types: TypeCounts;
  readonly documents: number;
  /** On average; null if no arrays were seen here. */
  readonly elementsPerArray: number | null;
  /** In bytes of UTF-8; null if no strings were seen here. */
  readonly longestString: number | null;
  /** In the same bytes. Absent if the evidence is of an older version. */
  readonly averageString?: number | null;
  /** Of all documents, 0 to 1. */
  readonly shareOfBytes?: number;
}

/** What checks of several collections need of the profile: small enough to be kept for every collection of the run. */
export interface FieldTypes {
  readonly documents: number;
  /** True if every document of the collection was read. */
  readonly complete: boolean;
  readonly fields: readonly FieldType[];
}

export function fieldTypesOf({ profile, sample }: DocumentEvidence): FieldTypes {
  return {
    documents: profile.documents,
    complete: sample.complete && profile.malformed.documents === 0,
    fields: profile.paths.map(fieldType),
  };
}

function fieldType({ path, types, documents, array, values, shareOfBytes }: PathProfile): FieldType {
  const strings = values?.strings;
  return {
    path,
    types,
    documents,
    elementsPerArray: array?.lengths.mean ?? null,
    longestString: strings?.max ?? null,
    averageString: strings === undefined ? null : strings.sum / strings.count,
    shareOfBytes,
  };
}
