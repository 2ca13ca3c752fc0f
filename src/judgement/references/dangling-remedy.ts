import type { Document } from 'mongodb';
import type { BackReference, ComparedReference } from '../../evidence/references/reference-integrity.js';
import { isExpressible, queryPath } from '../../evidence/documents/path-steps.js';
import { nameOf } from '../../namespace.js';
import { aggregation, danglingStages, REFERRED_TO, sourceStages } from './source-stages.js';

/** What a remedy that writes is written for. */
export interface WrittenCollection {
  /** True where the collection that would be written to is sharded: `$merge` then wants the shard key of each document. */
  readonly isSharded: boolean;
}

/** How to find the references to nothing, and what to do about them. Nothing that changes documents by itself: only people know which side is right. */
export function danglingRemedy(reference: ComparedReference, { isSharded }: WrittenCollection): string {
  const { namespace, path, target, furtherTargets, isInArray } = reference;
  const field = queryPath(path);
  // Of a DBRef as a whole: the server refuses to unset a part of it.
  const cleared = field.replace(/\.\$id$/, '');
  const pipeline = danglingStages(reference, [target, ...furtherTargets].map(nameOf));
  const list =
    pipeline === null
      ? "Find them in the application: a $lookup can't convert such references (UUIDs from MongoDB 8.0 on)."
      : `List them: ${aggregation(namespace, [...pipeline, { $project: { [field]: 1 } }])}.`;
  const clear = isInArray
    ? `take them out of \`${path}\` with $pull`
    : pipeline === null || isSharded || !isExpressible(cleared)
      ? 'clear it with an update'
      : `run the same with \`${clearingStages(namespace, cleared)}\` in place of the $project; what it held is then known from the list alone, so keep that`;
  return (
    `${list} Then restore what is missing in ${target} from a backup, or delete what has no use without it; ` +
    `${isInArray ? 'or' : `or, where a document may do without \`${path}\`,`} ${clear}. ` +
    `So that it does not happen again, delete a document of ${target} and what refers to it in one transaction, or mark it as deleted and keep it.`
  );
}

/** Stages that clear a reference by a value that is still the same as when it was looked up. */
function clearingStages(namespace: string, field: string): string {
  const cleared = { $cond: [{ $eq: [`$${field}`, `$$new.${field}`] }, '$$REMOVE', `$${field}`] };
  const stages = [
    { $project: { [field]: 1 } },
    {
      $merge: {
        into: nameOf(namespace),
        on: '_id',
        whenMatched: [{ $set: { [field]: cleared } }],
        whenNotMatched: 'discard',
      },
    },
  ];
  return JSON.stringify(stages).slice(1, -1);
}

/** How to add the missing side of references that are kept on both. */
export function oneSidedRemedy(
  reference: ComparedReference,
  { path: back, isInArray }: BackReference,
  { isSharded }: WrittenCollection,
): string {
  const { namespace, path, target } = reference;
  const stages = sourceStages(reference, nameOf(target));
  const [field, backField] = [queryPath(path), queryPath(back)];
  const isSettable =
    !isSharded &&
    stages !== null &&
    reference.conversion === null &&
    !back.includes('[]') &&
    [field, backField].every(isExpressible);
  if (!isSettable)
    return `Read both sides of \`${path}\` and \`${back}\` of ${target} in the application, and set the one that is missing.`;
  const held = `$${REFERRED_TO}.${backField}`;
  const elements = { $ifNull: [`$${backField}`, []] };
  const missing = isInArray ? [{ $not: [{ $in: ['$_id', { $ifNull: [held, []] }] }] }] : [];
  const added = isInArray
    ? { $concatArrays: [elements, { $setDifference: ['$$new.referring', elements] }] }
    : { $ifNull: [`$${backField}`, { $first: '$$new.referring' }] };
  const pipeline = [
    ...stages,
    { $unwind: `$${REFERRED_TO}` },
    { $match: { $expr: { $and: [...settable(`${REFERRED_TO}.${backField}`, isInArray), ...missing] } } },
    { $group: { _id: `$${field}`, referring: { $addToSet: '$_id' } } },
    ...(isInArray ? [] : [{ $match: { referring: { $size: 1 } } }]),
    {
      $merge: {
        into: nameOf(target),
        on: '_id',
        whenMatched: [{ $set: { [backField]: added } }],
        whenNotMatched: 'discard',
      },
    },
  ];
  return (
    `Where \`${path}\` is right, add what \`${back}\` of ${target} lacks: ${aggregation(namespace, pipeline)}` +
    `${isInArray ? '' : '; where it names another document, or several refer to one, see which is right'}. ` +
    'Then write both sides in one transaction, or keep the reference on one side alone, with an index on it.'
  );
}

/** Conditions by which setting the field replaces nothing but null: what lies on the way is an object, or is not there. */
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
