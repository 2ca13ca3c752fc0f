import { formatCount, plural } from '../../format.js';
import { groupedBy } from '../../grouped-by.js';
import type { Collection } from '../../inventory/collection.js';
import type { CollectedEvidence } from '../collect-evidence.js';
import { absent, type Absent } from '../evidence.js';
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
  readonly path: string;
  readonly targets: readonly Collection[];
}

/** Collections of a database up to which every field is held against every collection; in larger ones names must suggest it. */
const MOST_COLLECTIONS = 100;

/** Bytes of the text of an ObjectId, and of a UUID. */
const OBJECT_ID_TEXT = 24;
const UUID_TEXT = 36;

/** Which fields may refer to which collections of their database, by the types of their values; and what is not asked. */
export function referenceQuestions(collections: readonly ReferringCollection[]): { questions: ReferenceQuestion[]; gaps: Absent[] } {
  const questions: ReferenceQuestion[] = [];
  const gaps: Absent[] = [];
  for (const [database, inDatabase] of groupedBy(collections, ({ collection }) => collection.database)) {
    const targets = inDatabase.flatMap(({ collection, evidence }): Target[] => {
      const family = familyOfIds(evidence);
      return family === null ? [] : [{ collection, family, name: nameOfTarget(collection.name) }];
    });
    const byName = groupedBy(targets, ({ name }) => name);
    const families = [...new Set(targets.map(({ family }) => family))];
    const isSmall = targets.length <= MOST_COLLECTIONS;
    let notAsked = 0;
    for (const { collection, evidence } of inDatabase) {
      for (const field of fieldsOf(evidence)) {
        const inField = nameInField(field.path);
        const eligible = isSmall ? targets : (byName.get(inField ?? '') ?? []);
        const asked = eligible.filter((target) => canRefer(field, inField, target)).map((target) => target.collection);
        if (asked.length > 0) questions.push({ collection, path: field.path, targets: asked });
        else if (!isSmall && families.some((family) => isComparable(field, family))) notAsked += 1;
      }
    }
    if (notAsked > 0) gaps.push(tooMany(database, targets.length, notAsked));
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

function fieldsOf({ fieldTypes, indexes }: CollectedEvidence): CandidateField[] {
  return fieldTypes?.present === true && indexes?.present === true ? candidateFields(fieldTypes.value, indexes.value) : [];
}

function familyOfIds({ fieldTypes }: CollectedEvidence): IdFamily | null {
  const id = fieldTypes?.present === true ? fieldTypes.value.fields.find(({ path }) => path === '_id') : undefined;
  return id === undefined ? null : idFamily(id);
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
