import type { Document } from 'mongodb';
import { withLiterals } from '../evidence-file/validator-shape.js';
import type { CollectionEvidence, EvidenceName } from '../evidence/evidence.js';
import type { KeptCollection } from '../evidence/source.js';
import { isPossibleOn } from '../evidence/sources.js';
import type { Collection, CollectionKind, IndexDescription } from '../inventory/collection.js';
import { absent, present, type Evidence } from '../presence.js';
import { literalPlaceholder } from '../workload/shapes/placeholder.js';
import { fieldFacts, type FieldFacts } from './field-facts.js';

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

/** As they are declared, by the names of the inventory; the validator and the pipeline as shapes. */
export interface DeclaredOptions extends Pick<
  Collection,
  'capped' | 'clustered' | 'collation' | 'expireAfterSeconds' | 'preAndPostImages' | 'timeseries' | 'viewOn'
> {
  readonly validator?: Document;
  readonly validation?: Collection['validation'];
  readonly pipeline?: readonly Document[];
  readonly sharding?: Pick<NonNullable<Collection['sharding']>, 'key' | 'unique' | 'zones'>;
}

/** Of `$collStats`; null if unknown. */
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
  const { capped, clustered, collation, expireAfterSeconds, preAndPostImages, timeseries, viewOn } = collection;
  const { validator, validation, pipeline, sharding } = collection;
  return present({
    clustered,
    ...(capped !== undefined && { capped }),
    ...(collation !== undefined && { collation }),
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
    ...(preAndPostImages !== undefined && { preAndPostImages }),
    ...(timeseries !== undefined && { timeseries }),
    ...(viewOn !== undefined && { viewOn }),
    ...(validator !== undefined && { validator }),
    ...(validation !== undefined && { validation }),
    ...(pipeline !== undefined && { pipeline }),
    ...(sharding !== undefined && {
      sharding: { key: sharding.key, unique: sharding.unique, zones: sharding.zones },
    }),
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
