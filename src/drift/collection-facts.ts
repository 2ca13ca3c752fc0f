import type { Document } from 'mongodb';
import { withLiterals } from '../evidence-file/validator-shape.js';
import type { CollectionEvidence, EvidenceName } from '../evidence/evidence.js';
import type { KeptCollection } from '../evidence/source.js';
import { isPossibleOn } from '../evidence/sources.js';
import type { Collection, CollectionKind, IndexDescription } from '../inventory/collection.js';
import { picked } from '../plain.js';
import { absent, type Evidence, present } from '../presence.js';
import type { BsonType, DocumentEvidence } from '../profile/document-profile.js';
import { literalPlaceholder } from '../workload/shapes/placeholder.js';

/** Types that drivers choose between by themselves. */
const ALIKE: { readonly [Type in BsonType]?: string } = {
  int: 'number',
  long: 'number',
  double: 'number',
  symbol: 'string',
  undefined: 'null',
};

/** What two runs are compared by, of one collection: small enough to be kept for every collection of a run. */
export interface CollectionFacts {
  readonly kind: CollectionKind;
  /** Absent if the user may not list the collection's options. */
  readonly declared: Evidence<DeclaredOptions>;
  /** Their filters have types in place of values. Null, as below, if such a collection has none. */
  readonly indexes: Evidence<readonly IndexDescription[]> | null;
  readonly fields: Evidence<FieldFacts> | null;
  readonly sizes: Evidence<SizeFacts> | null;
}

const OPTIONS = [
  'clustered',
  'capped',
  'collation',
  'expireAfterSeconds',
  'preAndPostImages',
  'timeseries',
  'viewOn',
  'validator',
  'validation',
  'pipeline',
] as const;

/** As they are declared, by the names of the inventory; the validator and the pipeline as shapes. */
export interface DeclaredOptions extends Pick<Collection, (typeof OPTIONS)[number]> {
  readonly sharding?: Pick<NonNullable<Collection['sharding']>, 'key' | 'unique' | 'zones'>;
}

/** What `$collStats` says; null if unknown. */
export interface SizeFacts {
  readonly count: number | null;
  /** In bytes. */
  readonly averageDocumentSize: number | null;
}

export function collectionFacts(collected: KeptCollection): CollectionFacts {
  const { collection } = collected;
  return {
    kind: collection.kind,
    declared: declaredOptions(collection),
    indexes: piece(collected, 'indexes', (indexes) => indexes.map(withoutValues)),
    fields: piece(collected, 'documents', fieldFacts),
    sizes: piece(collected, 'storage', ({ count, averageDocumentSize }) => ({ count, averageDocumentSize })),
  };
}

function declaredOptions(collection: Collection): Evidence<DeclaredOptions> {
  if (collection.optionsUnknown === true)
    return absent('privilege', `the options of ${collection.namespace} are unknown: grant listCollections.`);
  const { sharding } = collection;
  return present({
    ...picked(collection, OPTIONS),
    ...(sharding !== undefined && { sharding: picked(sharding, ['key', 'unique', 'zones']) }),
  });
}

/** The ranks of an evidence file hold within one collection of one file: what they stand for can't be compared. */
function withoutValues(index: IndexDescription): IndexDescription {
  const { partialFilterExpression: filter } = index;
  if (filter === undefined) return index;
  return { ...index, partialFilterExpression: withLiterals(filter, literalType) as Document };
}

function literalType(value: unknown): unknown {
  return typeof value === 'boolean' || value === null ? value : literalPlaceholder(value);
}

function piece<Name extends EvidenceName, Facts>(
  { collection: { kind }, evidence }: KeptCollection,
  name: Name,
  factsOf: (value: CollectionEvidence[Name]) => Facts,
): Evidence<Facts> | null {
  if (!isPossibleOn(kind, name)) return null;
  const given = evidence[name] as Evidence<CollectionEvidence[Name]> | undefined;
  if (given === undefined) return absent('insufficient', `"${name}" was not collected: enable checks that need it.`);
  return given.present ? present(factsOf(given.value)) : absent(given.reason, given.detail);
}

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

function fieldFacts({ sample, profile }: DocumentEvidence): FieldFacts {
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
