import type { Document } from 'mongodb';
import { shellCollection } from '../../inventory/shell-collection.js';
import { isExpressible, queryPath } from '../../profile/path-steps.js';
import type { ComparedReference } from '../../references/reference-integrity.js';
import type { IdConversion } from '../../references/references.js';
import { REMEDY_FIELD_PREFIX } from '../../workload/operations/internal-operation.js';
import { outsideArrays } from '../arrays/array-elements.js';
import { spacedJson } from '../shell-statement.js';

type FollowedField = Pick<ComparedReference, 'path' | 'isInArray' | 'conversion'>;

/** Added by the stages: the referred-to document, as an array of one or none. */
export const REFERRED_TO = `${REMEDY_FIELD_PREFIX}ReferredTo`;
/** The reference converted, if it is stored in another type than the `_id`; or all forms of it. */
const CONVERTED = `${REMEDY_FIELD_PREFIX}Converted`;

/** What `$convert` makes of a reference so that it is found. It converts UUIDs from MongoDB 8.0 on. */
const CONVERT_TO: Readonly<Record<IdConversion, string | null>> = {
  'string to objectId': 'objectId',
  'objectId to string': 'string',
  'number to string': 'string',
  'string to number': 'long',
  'string to UUID': null,
  'UUID to string': null,
};

/** The types of references: anything else at their path, such as an embedded document, is something else. */
const REFERENCE_TYPES = ['string', 'objectId', 'int', 'long', 'double', 'binData'];
/** Text that means "no reference". */
const PLACEHOLDERS = ['', '0'.repeat(24)];

/** `$type` alone would look into arrays. */
const IS_REFERENCE = { $type: REFERENCE_TYPES, $not: { $type: 'array' } };

/**
 * Looks up each reference, and each element of an array by itself; null if the server cannot convert the reference.
 *
 * @param from name of the collection that it refers to
 */
export function sourceStages(reference: FollowedField, from: string): Document[] | null {
  const field = queryPath(reference.path);
  const to = reference.conversion === null ? undefined : CONVERT_TO[reference.conversion];
  if (to === null || (to !== undefined && !isExpressible(field))) return null;
  const lookup = (localField: string) => ({ $lookup: { from, localField, foreignField: '_id', as: REFERRED_TO } });
  if (to === undefined) return [...referringStages(reference), lookup(field)];
  // A $lookup by null would find a document whose _id is null.
  return [
    ...referringStages(reference),
    { $set: { [CONVERTED]: convert(field, to) } },
    { $match: { [CONVERTED]: { $ne: null } } },
    lookup(CONVERTED),
  ];
}

/**
 * The stages that leave the references to nothing. A value counts as found if it is an `_id` as it is stored, or converted
 * to an ObjectId, a string or a number. Null if the server cannot convert the reference.
 *
 * @param targets names of all collections that it may refer to
 */
export function danglingStages(reference: FollowedField, targets: readonly string[]): Document[] | null {
  const field = queryPath(reference.path);
  const isConverted = isExpressible(field);
  if (reference.conversion !== null && (CONVERT_TO[reference.conversion] === null || !isConverted)) return null;
  const forms = [`$${field}`, ...['objectId', 'string', 'long'].map((to) => convert(field, to))];
  const localField = isConverted ? CONVERTED : field;
  return [
    ...referringStages(reference),
    ...(isConverted ? [{ $set: { [CONVERTED]: forms } }] : []),
    { $match: { [localField]: { $nin: PLACEHOLDERS } } },
    ...targets.flatMap((from) => [
      { $lookup: { from, localField, foreignField: '_id', as: REFERRED_TO } },
      { $match: { [REFERRED_TO]: [] } },
    ]),
  ];
}

/** One document for each reference. If few documents hold an array there, those are left out. */
function referringStages({ path, isInArray }: FollowedField): Document[] {
  const field = queryPath(path);
  if (!isInArray) return [{ $match: { ...outsideArrays(field), [field]: IS_REFERENCE } }];
  const arrays = [...path.matchAll(/\[\]/g)].map(({ index }) => queryPath(path.slice(0, index)));
  const all = isExpressible(field) ? [...arrays, field] : arrays;
  return [
    { $match: { [field]: { $ne: null } } },
    ...all.map((array) => ({ $unwind: `$${array}` })),
    { $match: { [field]: IS_REFERENCE } },
  ];
}

/** Null if it cannot be converted. A number stays as it is, as its fraction would be cut off. */
function convert(field: string, to: string): Document {
  const converted = { $convert: { input: `$${field}`, to, onError: null } };
  return to === 'long' ? { $cond: [{ $isNumber: `$${field}` }, `$${field}`, converted] } : converted;
}

export function aggregation(namespace: string, pipeline: readonly Document[]): string {
  return `${shellCollection(namespace)}.aggregate(${spacedJson(pipeline)})`;
}
