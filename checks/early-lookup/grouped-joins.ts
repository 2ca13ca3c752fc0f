import { mayRead, pathBefore, pathsRead, unwoundField } from '../../src/judgement/pipelines/stage-reads.js';
import { below, fieldOf, operatorOf, referencesOf } from '../../src/workload/joins/references.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../src/workload/shapes/shape.js';
import { isJoin, isNamed, joinedField, type IsSingle, type Stages } from './joining-stages.js';

export interface GroupedJoins {
  readonly joins: Stages;
  readonly rewritten: Stages;
  /** The joins as they are written behind the `$group`, with those that they were. */
  readonly was: ReadonlyMap<ObjectShape, ObjectShape>;
}

/** Of values that are the same in all documents of a group, these are the value itself, or null if it is missing. */
const OF_ONE = new Set(['$first', '$last', '$min', '$max']);

/**
 * Joins ahead of a `$group` by the field that they join by: the documents of a group are all joined with the same ones, so that
 * joining the groups has the same results. The server does not move them (measured on 6.0.5).
 *
 * @returns null if there are none
 */
export function groupedJoins(stages: Stages, isSingle: IsSingle): GroupedJoins | null {
  const joins: ObjectShape[] = [];
  const was = new Map<ObjectShape, ObjectShape>();
  let rewritten = stages;
  for (const join of stages.filter(isJoin)) {
    const moved = movedBehind(join, rewritten, isSingle);
    if (moved === null) continue;
    joins.push(join);
    was.set(moved.join, join);
    rewritten = moved.stages;
  }
  return joins.length === 0 ? null : { joins, rewritten, was };
}

function movedBehind(
  join: ObjectShape,
  stages: Stages,
  isSingle: IsSingle,
): { readonly join: ObjectShape; readonly stages: Stages } | null {
  const at = stages.indexOf(join);
  const end = stages.findIndex((stage, position) => position > at && isNamed(stage, '$group'));
  const field = joinedField(join);
  const { $lookup } = join;
  const { $group } = stages[end] ?? {};
  if (field === null || field.includes('.') || !isObjectShape($lookup) || !isObjectShape($group)) return null;
  const { localField } = $lookup;
  if (typeof localField !== 'string' || 'let' in $lookup) return null;
  const between = stages.slice(at + 1, end);
  const own = between.filter((stage) => isOwn(stage, field));
  const others = between.filter((stage) => !own.includes(stage));
  if (own.some((stage) => isNamed(stage, '$unwind')) && !isSingle(join)) return null;
  if (others.some((stage) => isCutting(stage) || mayRead(stage, field))) return null;
  if (pathBefore(others, field) !== field || pathBefore(others, localField) !== localField) return null;
  const keys = keyPaths($lookup, own, localField, field);
  const split = splitGroup($group, field, { keys, local: `$${localField}` });
  if (split === null) return null;
  const behind = { $lookup: { ...$lookup, localField: split.key } };
  return {
    join: behind,
    stages: [
      ...stages.slice(0, at),
      ...others,
      { $group: split.group },
      behind,
      ...own,
      ...(Object.keys(split.added).length > 0 ? [{ $addFields: split.added }] : []),
      ...(split.keepsField ? [] : [{ $unset: [field] }]),
      ...stages.slice(end + 1),
    ],
  };
}

/** Whether a stage only reads and changes what is joined, each document for itself. */
function isOwn(stage: ObjectShape, field: string): boolean {
  const read = pathsRead(stage);
  if (read === null || read.length === 0 || !read.every((path) => below(path, field) !== null)) return false;
  const { $addFields, $unwind } = stage;
  if (isObjectShape($addFields)) return Object.keys($addFields).every((path) => below(path, field) !== null);
  if (isObjectShape($unwind)) return unwoundField(stage) === field && !('includeArrayIndex' in $unwind);
  return isNamed(stage, '$match');
}

/** Whether a stage keeps a number of documents, which may be others if some are left out before. */
function isCutting(stage: ObjectShape): boolean {
  return ['$limit', '$skip', '$sample', '$group'].some((name) => isNamed(stage, name));
}

/** The local field, unless the join replaced it; and the foreign one, if each document has the one that it was found by. */
function keyPaths({ foreignField }: ObjectShape, own: Stages, localField: string, field: string): readonly string[] {
  const isInner = own.some(({ $unwind }) => isObjectShape($unwind) && $unwind['preserveNullAndEmptyArrays'] !== true);
  const isKept = own.every((stage) => !isNamed(stage, '$addFields'));
  const isReplaced = below(localField, field) !== null;
  return [
    ...(isReplaced ? [] : [localField]),
    ...(isInner && isKept && foreignField === '_id' ? [`${field}._id`] : []),
  ];
}

/** By which paths a group is one of the join's local values, and how this is written before the join. */
interface JoinKey {
  readonly keys: readonly string[];
  readonly local: string;
}

interface SplitGroup {
  readonly group: ObjectShape;
  /** Where the groups have the value that they are joined by. */
  readonly key: string;
  /** What is taken from the joined documents, by its path. */
  readonly added: ObjectShape;
  /** Whether the joined field is among the results. */
  readonly keepsField: boolean;
}

function splitGroup(
  { _id: by = '?null', ...accumulators }: ObjectShape,
  field: string,
  joinedBy: JoinKey,
): SplitGroup | null {
  const key = splitKey(by, field, joinedBy);
  if (key === null) return null;
  const group: Record<string, Shape> = { _id: key.by };
  const added: Record<string, Shape> = { ...key.added };
  for (const [name, accumulator] of Object.entries(accumulators)) {
    const of = reads(accumulator, field);
    if (of === 'others') group[name] = accumulator;
    else {
      const { operator, operand } = operatorOf(accumulator) ?? { operator: '', operand: '?object' };
      if (of !== 'joined' || !OF_ONE.has(operator)) return null;
      // An accumulator makes null of what is missing.
      added[name] = { $ifNull: [operand, '?null'] };
    }
  }
  if (field in group || field === '_id') return null;
  return { group, key: key.path, added, keepsField: field in added };
}

/** The key of the groups without what is taken from the joined documents. */
function splitKey(
  by: Shape,
  field: string,
  { keys, local }: JoinKey,
): { readonly by: Shape; readonly path: string; readonly added: ObjectShape } | null {
  const isKey = (value: Shape) => keys.includes(fieldOf(value) ?? '');
  if (isKey(by)) return { by: local, path: '_id', added: {} };
  if (!isObjectShape(by) || operatorOf(by) !== null) return null;
  const entries = Object.entries(by);
  const [name] = entries.find(([, value]) => isKey(value)) ?? [];
  if (name === undefined || entries.some(([, value]) => !isKey(value) && reads(value, field) === 'both')) return null;
  const isAdded = ([, value]: [string, Shape]) => !isKey(value) && reads(value, field) === 'joined';
  const last = entries.findLastIndex((entry) => !isAdded(entry));
  // Fields that are added stand behind the others.
  if (entries.slice(0, last).some(isAdded)) return null;
  const kept = entries.filter((entry) => !isAdded(entry)).map(([path, value]) => [path, isKey(value) ? local : value]);
  const added = entries.filter(isAdded).map(([path, value]) => [`_id.${path}`, value]);
  return { by: Object.fromEntries(kept), path: `_id.${name}`, added: Object.fromEntries(added) };
}

/** What an expression reads: the joined documents, others, or both. */
function reads(expression: Shape, field: string): 'joined' | 'others' | 'both' {
  const fields = [...referencesOf(expression).fields];
  const joined = fields.filter((path) => below(path, field) !== null);
  if (fields.includes('')) return 'both';
  return joined.length === 0 ? 'others' : joined.length === fields.length ? 'joined' : 'both';
}
