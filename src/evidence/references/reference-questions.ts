import { formatCount, plural } from '../../format.js';
import { groupedBy } from '../../grouped-by.js';
import type { Collection } from '../../inventory/collection.js';
import { familyCounts } from '../documents/type-families.js';
import type { CollectedEvidence } from '../source.js';
import type { FieldType } from '../documents/field-types.js';
import { absent, type Absent } from '../../presence.js';
import { candidateFields, idFamily, type CandidateField, type IdFamily } from './candidate-fields.js';
import { nameInField, nameOfTarget, suggestsTarget } from './suggested-target.js';

/** A collection with what was collected of it. */
export interface ReferringCollection {
  readonly collection: Collection;
  readonly evidence: CollectedEvidence;
}

/** A field, and the collections whose `_id`s its values may be. */
export interface ReferenceQuestion {
  readonly collection: Collection;
  /** As in the candidate field. */
  readonly path: string;
  readonly isInArray: boolean;
  /** Values per document, on average; 1 outside arrays. */
  readonly valuesPerDocument: number;
  readonly targets: readonly Collection[];
  /** False where the database has so many collections that only those are asked about which the field's name suggests. */
  readonly isAskedOfAll: boolean;
}

/** Collections of a database up to which every field is held against every collection; in larger ones names must suggest it. */
const MOST_COLLECTIONS = 100;
/** References per document, on average, above which an array is not read: one of more ObjectIds has half a MB. */
const MOST_VALUES_PER_DOCUMENT = 25_000;

/** Bytes of the text of an ObjectId, and of a UUID. */
const OBJECT_ID_TEXT = 24;
const UUID_TEXT = 36;

/** Which fields may refer to which collections of their database, by the types of their values; and what is not asked. */
export function referenceQuestions(collections: readonly ReferringCollection[]): {
  questions: ReferenceQuestion[];
  gaps: Absent[];
} {
  const questions: ReferenceQuestion[] = [];
  const gaps: Absent[] = [];
  for (const [database, inDatabase] of groupedBy(collections, ({ collection }) => collection.database)) {
    const targets = inDatabase.flatMap(({ collection, evidence }): Target[] => {
      const family = familyOfIds(evidence);
      return family === null ? [] : [{ collection, family, name: nameOfTarget(collection.name) }];
    });
    const candidates = new Targets(targets);
    const byName = groupedBy(targets, ({ name }) => name);
    const families = [...new Set(targets.map(({ family }) => family))];
    const isSmall = targets.length <= MOST_COLLECTIONS;
    let notAsked = 0;
    let inLongArrays = 0;
    for (const { collection, evidence } of inDatabase) {
      for (const field of fieldsOf(evidence)) {
        const { path, isInArray, valuesPerDocument } = field;
        const inField = nameInField(field.path);
        const asked = isSmall
          ? candidates.of(field, inField)
          : referredBy(field, inField, byName.get(inField ?? '') ?? []);
        if (asked.length > 0 && valuesPerDocument > MOST_VALUES_PER_DOCUMENT) inLongArrays += 1;
        else if (asked.length > 0)
          questions.push({ collection, path, isInArray, valuesPerDocument, targets: asked, isAskedOfAll: isSmall });
        else if (!isSmall && families.some((family) => isComparable(field, family))) notAsked += 1;
      }
    }
    if (notAsked > 0) gaps.push(tooMany(database, targets.length, notAsked));
    if (inLongArrays > 0) gaps.push(tooLong(database, inLongArrays));
  }
  return { questions, gaps };
}

interface Target {
  readonly collection: Collection;
  readonly family: IdFamily;
  /** As fields' names would have it. */
  readonly name: string;
}

function tooMany(database: string, collections: number, fields: number): Absent {
  return absent(
    'bound',
    `${database} has ${formatCount(collections)} collections, too many to look for every value in each: ${plural(fields, 'field')} whose names suggest none of them were not looked at.`,
  );
}

function tooLong(database: string, fields: number): Absent {
  const which =
    fields === 1
      ? '1 array that may hold references has'
      : `${formatCount(fields)} arrays that may hold references have`;
  return absent(
    'bound',
    `${database}: ${which} more than ${formatCount(MOST_VALUES_PER_DOCUMENT)} elements on average; what they refer to was not looked for.`,
  );
}

function fieldsOf({ fieldTypes }: CollectedEvidence): CandidateField[] {
  return fieldTypes?.present === true ? candidateFields(fieldTypes.value) : [];
}

function familyOfIds({ fieldTypes }: CollectedEvidence): IdFamily | null {
  const id = idTypes(fieldTypes);
  return id === undefined ? null : idFamily(id);
}

/** The families of a collection's `_id`s, so that no value of another one is looked for; null where they are not known. */
export function idFamilies({ fieldTypes }: CollectedEvidence): ReadonlySet<string> | null {
  const id = idTypes(fieldTypes);
  return id === undefined ? null : new Set(familyCounts(id.types).map(([family]) => family));
}

function idTypes(fieldTypes: CollectedEvidence['fieldTypes']): FieldType | undefined {
  return fieldTypes?.present === true ? fieldTypes.value.fields.find(({ path }) => path === '_id') : undefined;
}

/** The targets of a database by the kinds of values that may be their `_id`s, worked out once for all fields of a kind. */
class Targets {
  private readonly byKind = new Map<string, readonly Collection[]>();
  /** Those for which names matter. */
  private readonly named: readonly Target[];

  constructor(private readonly all: readonly Target[]) {
    this.named = all.filter(({ family }) => family === 'number' || family === 'string');
  }

  /** The collections that a field may refer to; of fields of one kind the same list, where names add none. */
  of(field: CandidateField, inField: string | null): readonly Collection[] {
    if (field.family === 'number') return referredBy(field, inField, this.named);
    const kind = `${field.family} ${field.family === 'string' ? field.longestString : ''}`;
    const comparable =
      this.byKind.get(kind) ??
      this.all.filter(({ family }) => isComparable(field, family)).map(({ collection }) => collection);
    this.byKind.set(kind, comparable);
    if (field.family !== 'string') return comparable;
    const byNameAlone = this.named.filter(({ family }) => family === 'number');
    return byNameAlone.length === 0 ? comparable : [...comparable, ...referredBy(field, inField, byNameAlone)];
  }
}

function referredBy(field: CandidateField, inField: string | null, targets: readonly Target[]): Collection[] {
  return targets.filter((target) => canRefer(field, inField, target)).map(({ collection }) => collection);
}

/** Small whole numbers are `_id`s of half the collections there are, so there the names have to agree as well. */
function canRefer(field: CandidateField, inField: string | null, target: Target): boolean {
  if (isComparable(field, target.family)) return true;
  const pair = new Set([field.family, target.family]);
  return pair.has('number') && (pair.size === 1 || pair.has('string')) && suggestsTarget(inField, target.name);
}

/** True where a value of the field, as it is or converted, is unlikely to be one of these `_id`s by chance. */
function isComparable({ family, longestString }: CandidateField, ids: IdFamily): boolean {
  if (family === 'number' || ids === 'number') return false;
  if (family === ids) return true;
  if (family !== 'string') return ids === 'string';
  return longestString === (ids === 'objectId' ? OBJECT_ID_TEXT : UUID_TEXT);
}
