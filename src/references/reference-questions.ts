import { formatCount, plural } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import type { Collection } from '../inventory/collection.js';
import { absent, type Absent } from '../presence.js';
import type { FieldType } from '../profile/field-types.js';
import { familyCounts } from '../profile/type-families.js';
import { candidateFields, idFamily, type CandidateField, type IdFamily } from './candidate-fields.js';
import type { ReadCollection, ReadPieces } from './references.js';
import { nameInField, nameOfTarget, suggestsTarget } from './suggested-target.js';

export interface ReferenceQuestion {
  readonly collection: Collection;
  readonly path: string;
  readonly isInArray: boolean;
  readonly valuesPerDocument: number;
  readonly targets: readonly Collection[];
  /** False if only collections are asked that the name of the field suggests. */
  readonly isAskedOfAll: boolean;
}

/** In databases with more collections, the name of the field must suggest the target. */
const MOST_COLLECTIONS = 100;
/** Longer arrays are not read: 25,000 ObjectIds take half a MB. */
const MOST_VALUES_PER_DOCUMENT = 25_000;

/** Bytes as text. */
const OBJECT_ID_TEXT = 24;
const UUID_TEXT = 36;

/** By the types of their values. */
export function referenceQuestions(collections: readonly ReadCollection[]): {
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
  readonly name: string;
}

function tooMany(database: string, collections: number, fields: number): Absent {
  return absent(
    'bound',
    `${database} has ${formatCount(collections)} collections, too many to look up every value in each. Not checked: ${plural(fields, 'field')} whose names suggest none of them.`,
  );
}

function tooLong(database: string, fields: number): Absent {
  const which =
    fields === 1
      ? '1 array that may hold references has'
      : `${formatCount(fields)} arrays that may hold references have`;
  return absent(
    'bound',
    `${database}: ${which} more than ${formatCount(MOST_VALUES_PER_DOCUMENT)} elements on average. What they refer to was not checked.`,
  );
}

function fieldsOf({ fieldTypes, storage }: ReadPieces): CandidateField[] {
  const documentBytes = storage?.present === true ? storage.value.averageDocumentSize : null;
  return fieldTypes?.present === true ? candidateFields(fieldTypes.value, documentBytes) : [];
}

function familyOfIds({ fieldTypes }: ReadPieces): IdFamily | null {
  const id = idTypes(fieldTypes);
  return id === undefined ? null : idFamily(id);
}

/** Null if they are not known. */
export function idFamilies({ fieldTypes }: ReadPieces): ReadonlySet<string> | null {
  const id = idTypes(fieldTypes);
  return id === undefined ? null : new Set(familyCounts(id.types).map(([family]) => family));
}

function idTypes(fieldTypes: ReadPieces['fieldTypes']): FieldType | undefined {
  return fieldTypes?.present === true ? fieldTypes.value.fields.find(({ path }) => path === '_id') : undefined;
}

/** Computed once for all fields of a kind. */
class Targets {
  private readonly byKind = new Map<string, readonly Collection[]>();
  private readonly named: readonly Target[];

  constructor(private readonly all: readonly Target[]) {
    this.named = all.filter(({ family }) => family === 'number' || family === 'string');
  }

  /** The same list for all fields of a kind, unless names matter. */
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

/** Small whole numbers are `_id`s of half of all collections, so the names must agree too. */
function canRefer(field: CandidateField, inField: string | null, target: Target): boolean {
  if (isComparable(field, target.family)) return true;
  const pair = new Set([field.family, target.family]);
  return pair.has('number') && (pair.size === 1 || pair.has('string')) && suggestsTarget(inField, target.name);
}

/** True if a value is unlikely to be such an `_id` by chance. */
function isComparable({ family, longestString }: CandidateField, ids: IdFamily): boolean {
  if (family === 'number' || ids === 'number') return false;
  if (family === ids) return true;
  if (family !== 'string') return ids === 'string';
  return longestString === (ids === 'objectId' ? OBJECT_ID_TEXT : UUID_TEXT);
}
