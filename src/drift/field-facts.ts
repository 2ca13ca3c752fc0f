import type { BsonType, DocumentEvidence } from '../profile/document-profile.js';

/** The fields of a collection's sampled documents. */
export interface FieldFacts {
  /** Sampled documents. */
  readonly documents: number;
  /** True if every document was read. */
  readonly complete: boolean;
  /** True if the documents are the first ones, which later ones may differ from. */
  readonly areFirst: boolean;
  /** True if a bound left fields out. */
  readonly isCut: boolean;
  readonly fields: readonly Field[];
}

export interface Field {
  /** As in the profile: dotted, `[]` for elements of arrays, `*` for names that are data. */
  readonly path: string;
  readonly parent: string | null;
  /** Sampled documents that hold it. */
  readonly documents: number;
  /** Share of its values by type, 0 to 1. Which driver wrote a number or "no value" makes no difference. */
  readonly types: Readonly<Record<string, number>>;
}

/** Types that drivers choose between by themselves. */
const ALIKE: { readonly [Type in BsonType]?: string } = {
  int: 'number',
  long: 'number',
  double: 'number',
  symbol: 'string',
  undefined: 'null',
};

export function fieldFacts({ sample, profile }: DocumentEvidence): FieldFacts {
  return {
    documents: profile.documents,
    complete: sample.complete && profile.malformed.documents === 0,
    areFirst: !sample.complete && sample.method === 'natural-order',
    isCut: profile.limits.length > 0,
    fields: profile.paths.map(({ path, parent, documents, occurrences, types }) => {
      const shares: Record<string, number> = {};
      for (const [type, count] of Object.entries(types)) {
        const name = ALIKE[type as BsonType] ?? type;
        shares[name] = (shares[name] ?? 0) + count / Math.max(1, occurrences);
      }
      return { path, parent, documents, types: shares };
    }),
  };
}
