import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { CollectionEvidence, EvidenceName } from '../../evidence/evidence.js';
import { indexUsageSchema } from '../../evidence/index-usage.js';
import type { CollectedEvidence, KeptCollection } from '../../evidence/source.js';
import { isSameCollation } from '../../inventory/collation.js';
import type { Collection, IndexDescription, ProductionCollection } from '../../inventory/collection.js';
import { storageSchema } from '../../inventory/storage.js';
import { mapValues } from '../../plain.js';
import { absent, type Absent, derived, type Evidence, present } from '../../presence.js';
import type { FieldTypes } from '../../profile/field-types.js';
import { type Names, renamed, UNCHANGED } from '../renamed.js';
import { validatorShape } from '../validator-shape.js';

type Piece<Name extends EvidenceName> = Evidence<CollectionEvidence[Name]> | undefined;

/**
 * A collection with the schema of here and the load of production. What is declared is of here: its kind, options, validator
 * and indexes. What only data and use can show is of production: sizes, documents, growth, reads, sharding.
 */
export function joinedCollection(here: KeptCollection, there: KeptCollection): KeptCollection {
  const { collection, evidence } = here;
  const fields = fieldsOfOneSide(evidence.fieldTypes, there.evidence.fieldTypes);
  const production: ProductionCollection = {
    namespace: there.collection.namespace,
    documentsHere: evidence.storage?.present === true ? evidence.storage.value.count : null,
    indexes: there.evidence.indexes ?? notInFile('indexes', there.collection),
    fields,
  };
  const { sharding = there.collection.sharding } = collection;
  return {
    collection: { ...collection, ...(sharding !== undefined && { sharding }), production: present(production) },
    evidence: joinedEvidence(here, there, fields?.onlyHere ?? []),
  };
}

function joinedEvidence(
  { evidence: here }: KeptCollection,
  { evidence: there }: KeptCollection,
  onlyHere: readonly string[],
): CollectedEvidence {
  const { indexes, ...loaded } = there;
  const same = sameIndexes(here.indexes, indexes);
  const pieces: CollectedEvidence = mapValues(loaded, (piece) => (piece.present ? piece : inProduction(piece)));
  return {
    ...pieces,
    ...(here.indexes !== undefined && { indexes: here.indexes }),
    ...(pieces.storage !== undefined && { storage: ofSameIndexes(pieces.storage, storageSchema, same) }),
    ...(pieces.indexUsage !== undefined && { indexUsage: ofSameIndexes(pieces.indexUsage, indexUsageSchema, same) }),
    ...(pieces.fieldTypes !== undefined && { fieldTypes: withNewFields(pieces.fieldTypes, here.fieldTypes, onlyHere) }),
  };
}

/** By their names in production, the names here of the indexes that are the same; null if one side is not known. */
function sameIndexes(here: Piece<'indexes'>, there: Piece<'indexes'>): ReadonlyMap<string, string> | null {
  if (here?.present !== true || there?.present !== true) return null;
  const pairs = there.value.flatMap((index) => {
    const same = here.value.find((each) => sameIndex(each, index));
    return same === undefined ? [] : [[index.name, same.name] as const];
  });
  return new Map(pairs);
}

/** With the names that its indexes have here. */
function ofSameIndexes<Value>(
  piece: Evidence<Value>,
  schema: z.ZodType<Value>,
  here: ReadonlyMap<string, string> | null,
): Evidence<Value> {
  if (here === null) return piece;
  const of: Names['of'] = (text, kind) => (kind === 'index' ? (here.get(text) ?? null) : text);
  return derived(piece, (value) => renamed(value, schema, { ...UNCHANGED, of }) ?? value);
}

function withNewFields(
  there: Evidence<FieldTypes>,
  here: Piece<'fieldTypes'>,
  onlyHere: readonly string[],
): Evidence<FieldTypes> {
  if (!there.present || here?.present !== true || onlyHere.length === 0) return there;
  const added = here.value.fields.filter(({ path }) => onlyHere.includes(path));
  return present({ ...there.value, fields: [...there.value.fields, ...added] });
}

function fieldsOfOneSide(here: Piece<'fieldTypes'>, there: Piece<'fieldTypes'>): ProductionCollection['fields'] {
  if (here?.present !== true || there?.present !== true) return null;
  if (here.value.documents === 0 || there.value.documents === 0) return null;
  const [ofHere, ofThere] = [pathsOf(here.value), pathsOf(there.value)];
  return {
    onlyInProduction: [...ofThere].filter((path) => !ofHere.has(path)),
    onlyHere: [...ofHere].filter((path) => !ofThere.has(path)),
  };
}

function pathsOf({ fields }: FieldTypes): ReadonlySet<string> {
  return new Set(fields.map(({ path }) => path));
}

/** The evidence that is wanted of a collection; what the file lacks of it is absent. */
export function wantedPieces(
  { collection, evidence }: KeptCollection,
  wanted: Iterable<EvidenceName>,
): CollectedEvidence {
  return Object.fromEntries([...wanted].map((name) => [name, evidence[name] ?? notInFile(name, collection)]));
}

function notInFile(name: EvidenceName, { namespace }: Pick<Collection, 'namespace'>) {
  return absent(
    'insufficient',
    `"${name}" of ${namespace} is not in the evidence of production: it was collected for other checks. Collect it again with the current configuration.`,
  );
}

/** What is absent in production, so that nobody looks for the cause here. */
export function inProduction({ reason, detail, code }: Absent): Absent {
  return { present: false, reason, detail: `in production: ${detail}`, ...(code !== undefined && { code }) };
}

/** True if two indexes hold the same entries, by whichever names. Literals of partial filters are compared by their types. */
export function sameIndex(one: IndexDescription, other: IndexDescription): boolean {
  return (
    isDeepStrictEqual(Object.entries(one.key), Object.entries(other.key)) &&
    one.sparse === other.sparse &&
    isSameCollation(one.collation, other.collation) &&
    isDeepStrictEqual(filterOf(one), filterOf(other)) &&
    isDeepStrictEqual(one.wildcardProjection, other.wildcardProjection)
  );
}

/** An evidence file holds no more of a literal than its type and its rank among others. */
function filterOf({ partialFilterExpression: filter }: IndexDescription) {
  return filter === undefined ? null : validatorShape(filter);
}
