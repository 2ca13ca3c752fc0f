import type { Document } from 'mongodb';
import type { Remedy, RemedyStep } from '../../finding.js';
import { nameOf, shellCollection } from '../../namespace.js';
import { isExpressible, queryPath } from '../../profile/path-steps.js';
import type { BackReference, ComparedReference } from '../../references/reference-integrity.js';
import type { IdConversion } from '../../references/references.js';
import { REMEDY_FIELD_PREFIX } from '../../workload/operations/recorded-command.js';
import { outsideArrays } from '../arrays/array-elements.js';
import { spacedJson } from '../shell-statement.js';

export interface WrittenCollection {
  /** True if the collection that would be written to is sharded: `$merge` then needs the shard key of each document. */
  readonly isSharded: boolean;
}

/** How to find the references to nothing, and what to do about them. Only people know which side is right: no command. */
export function danglingRemedy(reference: ComparedReference, { isSharded }: WrittenCollection): Remedy {
  const { namespace, target, furtherTargets } = reference;
  const field = queryPath(reference.path);
  const pipeline = danglingStages(reference, [target, ...furtherTargets].map(nameOf));
  const list =
    pipeline === null
      ? { text: 'Find them in the application: $lookup cannot convert such references (UUIDs from MongoDB 8.0 on).' }
      : {
          text: `List the dangling references, and keep the list. This reads all of ${namespace} and looks up each reference.`,
          code: aggregation(namespace, [...pipeline, { $project: { [field]: 1 } }]),
        };
  return {
    steps: [
      list,
      {
        text: `Restore what is missing in ${target} from a backup, or delete the documents that are useless without it.`,
      },
      clearingStep(reference, isSharded ? null : pipeline),
      ...(pipeline === null ? [] : [{ text: 'Check: list the dangling references again. The list must be empty.' }]),
      {
        text: `To prevent it, delete a document of ${target} and what refers to it in one transaction, or mark it as deleted and keep it.`,
      },
    ],
  };
}

/** @param pipeline that finds the references; null if nothing can be written by it */
function clearingStep({ namespace, path, isInArray }: ComparedReference, pipeline: Document[] | null): RemedyStep {
  // A DBRef is cleared as a whole: the server refuses to unset a part of it.
  const cleared = queryPath(path).replace(/\.\$id$/, '');
  if (isInArray) return { text: `Otherwise take them out of \`${path}\` with $pull.` };
  const otherwise = `Otherwise, if a document may do without \`${path}\`, clear it`;
  if (pipeline === null || !isExpressible(cleared)) return { text: `${otherwise} with an update.` };
  return {
    text: `${otherwise}. Only your list then still has the old values. A value that changes meanwhile is kept.`,
    code: aggregation(namespace, [...pipeline, ...clearingStages(namespace, cleared)]),
  };
}

function clearingStages(namespace: string, field: string): Document[] {
  const cleared = { $cond: [{ $eq: [`$${field}`, `$$new.${field}`] }, '$$REMOVE', `$${field}`] };
  return [{ $project: { [field]: 1 } }, mergeStage(namespace, { [field]: cleared })];
}

/** Sets fields of documents that are there, and adds none. */
function mergeStage(namespace: string, set: Document): Document {
  return { $merge: { into: nameOf(namespace), on: '_id', whenMatched: [{ $set: set }], whenNotMatched: 'discard' } };
}

/** How to add the missing side of references that are kept on both. */
export function oneSidedRemedy(
  reference: ComparedReference,
  back: BackReference,
  { isSharded }: WrittenCollection,
): Remedy {
  const { namespace, path, target } = reference;
  const pipeline = isSharded ? null : addingStages(reference, back);
  if (pipeline === null) {
    const text = `Read both sides of \`${path}\` and \`${back.path}\` of ${target} in the application, and set the one that is missing.`;
    return { steps: [{ text }] };
  }
  return {
    steps: [
      {
        text: `If \`${path}\` is right, add what \`${back.path}\` of ${target} lacks. This reads all of ${namespace}, and replaces nothing in ${target}.`,
        code: aggregation(namespace, pipeline),
      },
      ...(back.isInArray
        ? []
        : [
            {
              text: `If \`${back.path}\` names another document, or several refer to one, decide which is right: those are left as they are.`,
            },
          ]),
      {
        text: 'To prevent it, write both sides in one transaction, or keep the reference on one side alone, with an index on it.',
      },
    ],
  };
}

/** Added by the stages: the referred-to document, as an array of one or none. */
export const REFERRED_TO = `${REMEDY_FIELD_PREFIX}ReferredTo`;

/** Null if the server cannot convert the reference or name the fields. */
function addingStages(reference: ComparedReference, { path: back, isInArray }: BackReference): Document[] | null {
  const stages = sourceStages(reference, nameOf(reference.target));
  const [field, backField] = [queryPath(reference.path), queryPath(back)];
  const isSettable = reference.conversion === null && !back.includes('[]') && [field, backField].every(isExpressible);
  if (stages === null || !isSettable) return null;
  const held = `$${REFERRED_TO}.${backField}`;
  const elements = { $ifNull: [`$${backField}`, []] };
  const missing = isInArray ? [{ $not: [{ $in: ['$_id', { $ifNull: [held, []] }] }] }] : [];
  const added = isInArray
    ? { $concatArrays: [elements, { $setDifference: ['$$new.referring', elements] }] }
    : { $ifNull: [`$${backField}`, { $first: '$$new.referring' }] };
  return [
    ...stages,
    { $unwind: `$${REFERRED_TO}` },
    { $match: { $expr: { $and: [...settable(`${REFERRED_TO}.${backField}`, isInArray), ...missing] } } },
    { $group: { _id: `$${field}`, referring: { $addToSet: '$_id' } } },
    ...(isInArray ? [] : [{ $match: { referring: { $size: 1 } } }]),
    mergeStage(reference.target, { [backField]: added }),
  ];
}

/** Conditions under which setting the field replaces nothing but null: what lies on the way is an object, or missing. */
function settable(field: string, isArray: boolean): Document[] {
  const names = field.split('.');
  const onTheWay = names.slice(1, -1).map((_, position) => names.slice(0, position + 2).join('.'));
  return [
    ...onTheWay.map((path) => ofType(path, ['object', 'missing'])),
    ofType(field, ['missing', 'null', ...(isArray ? ['array'] : [])]),
  ];
}

function ofType(path: string, types: readonly string[]): Document {
  return { $in: [{ $type: `$${path}` }, types] };
}

type FollowedField = Pick<ComparedReference, 'path' | 'isInArray' | 'conversion'>;

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
function danglingStages(reference: FollowedField, targets: readonly string[]): Document[] | null {
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
