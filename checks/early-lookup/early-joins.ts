import { mayRead, pathBefore, pathsRead, unwoundField } from '../../src/judgement/pipelines/stage-reads.js';
import { stagesOf } from '../../src/workload/joins/join-position.js';
import { below, operatorOf, stageOf } from '../../src/workload/joins/references.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../src/workload/shapes/shape.js';

/**
 * Why a join is made for too many documents.
 *
 * - `unread`: nothing reads what it brings.
 * - `group`: a `$group` follows by the field that it joins by.
 * - `limit`: a `$limit` follows that the server does not move ahead of it.
 * - `page`: a `$facet` follows that shows a page of the documents and counts the rest.
 */
export type EarlyBecause = 'unread' | 'group' | 'limit' | 'page';

export interface EarlyJoin {
  readonly because: EarlyBecause;
  /** As the pipeline names it. */
  readonly foreign: string;
}

type Stages = readonly ObjectShape[];
/** Whether a `$lookup` finds at most one document for each. */
type IsSingle = (join: ObjectShape) => boolean;

/** Of values that are the same in all documents of a group, these are the value itself, or null if it is missing. */
const OF_ONE = new Set(['$first', '$last', '$min', '$max']);
const RESHAPING = new Set(['$addFields', '$project', '$unset', '$replaceRoot']);

/**
 * Joins ahead of stages that make them superfluous. The server itself moves `$match`, `$sort`, `$skip` and `$limit` ahead
 * of a `$lookup` that stands directly before them. It does not move a `$sort` ahead of a stage that reshapes documents,
 * nor any of them ahead of a `$unwind` of the joined field, nor out of a `$facet`; and it makes joins that nothing reads.
 * Measured on 6.0.5, 6.0.27 and 7.0.28.
 */
export function earlyJoins(stages: Stages, isSingle: IsSingle): EarlyJoin[] {
  const early: EarlyJoin[] = [];
  let left = stages;
  // From the last to the first: what only an unread join reads is not read either.
  for (const join of stages.toReversed()) {
    const field = joinedField(join);
    if (field === null) continue;
    const following = left.slice(left.indexOf(join) + 1);
    const unwound = following.find((stage) => isKeepingUnwind(stage, field) && isSingle(join));
    const reading = following.filter((stage) => stage !== unwound);
    const because = isUnread(reading, field) ? 'unread' : becauseOf(join, field, following, isSingle);
    if (because === 'unread') left = left.filter((stage) => stage !== join && stage !== unwound);
    if (because !== null) early.unshift({ because, foreign: String((stageOf(join).body as ObjectShape)['from']) });
  }
  return early;
}

function joinedField(stage: ObjectShape): string | null {
  const { name, body } = stageOf(stage);
  const field = (name === '$lookup' || name === '$graphLookup') && isObjectShape(body) ? body['as'] : null;
  return typeof field === 'string' ? field : null;
}

function isKeepingUnwind(stage: ObjectShape, field: string): boolean {
  const { $unwind } = stage;
  return unwoundField(stage) === field && isObjectShape($unwind) && $unwind['preserveNullAndEmptyArrays'] === true;
}

function isUnread(following: Stages, field: string): boolean {
  const end = following.findIndex((stage) => leavesOut(stage, field));
  return end !== -1 && !following.slice(0, end + 1).some((stage) => mayRead(stage, field));
}

/** Whether a field that a stage does not read is gone after it. */
function leavesOut(stage: ObjectShape, field: string): boolean {
  const { name, body } = stageOf(stage);
  if (name === '$group' || name === '$replaceRoot') return true;
  if (name === '$unset') return Array.isArray(body) && body.some((path) => below(field, String(path)) !== null);
  return (
    name === '$project' &&
    isObjectShape(body) &&
    Object.entries(body).some(([path, value]) => path !== '_id' && value !== false)
  );
}

function becauseOf(join: ObjectShape, field: string, following: Stages, isSingle: IsSingle): EarlyBecause | null {
  const passed = [join];
  const is = { reshaped: false, sorted: false, skipped: false, filtered: false, inner: false };
  for (const stage of following) {
    const { name, body } = stageOf(stage);
    if (name === '$group') return !is.skipped && isGroupedBy(body, join, passed, is.inner) ? 'group' : null;
    if (name === '$facet') return !is.filtered && isPaged(body, passed) ? 'page' : null;
    if (name === '$limit') return is.sorted && !is.filtered ? 'limit' : null;
    if (name === '$sort') {
      if (readsJoined(stage, passed)) return null;
      is.sorted = is.reshaped;
    } else if (name === '$unwind') {
      if (unwoundField(stage) !== field || !isSingle(join)) return null;
      is.reshaped = true;
      if (!isKeepingUnwind(stage, field)) is.filtered = is.inner = true;
    } else if (name === '$match') is.filtered ||= readsJoined(stage, passed);
    else if (name === '$skip') is.skipped = true;
    else if (RESHAPING.has(name)) is.reshaped = true;
    else if (joinedField(stage) === null) return null;
    passed.push(stage);
  }
  return null;
}

/** Whether a stage reads what these stages, of which the first is a join, have made. */
function readsJoined(stage: ObjectShape, passed: Stages): boolean {
  return pathsRead(stage)?.every((path) => pathBefore(passed, path) !== null) !== true;
}

/** A branch shows a page of the documents; the others count them, or group them by what they were before. */
function isPaged(facet: Shape, passed: Stages): boolean {
  const kinds = new Set(
    Object.values(isObjectShape(facet) ? facet : {}).map((branch) => kindOf(stagesOf(branch), passed)),
  );
  return !kinds.has(null) && kinds.has('page');
}

/** Null if it needs the joins of all documents. */
function kindOf(branch: Stages, passed: Stages): 'page' | 'groups' | null {
  for (const stage of branch) {
    if ('$limit' in stage) return 'page';
    if (readsJoined(stage, passed)) return null;
    if ('$group' in stage) return 'groups';
  }
  return null;
}

/** Whether the documents of a group are all joined with the same ones, of which nothing is asked but what each has. */
function isGroupedBy(group: Shape, join: ObjectShape, passed: Stages, isInner: boolean): boolean {
  const { $lookup } = join;
  if (!isObjectShape(group) || !isObjectShape($lookup) || 'let' in $lookup) return false;
  const { localField, foreignField, as: field } = $lookup;
  const { _id: by = '?null', ...accumulators } = group;
  const keys = new Set<Shape>([
    ...(pathBefore(passed, String(localField)) === localField ? [`$${localField}`] : []),
    ...(isInner && foreignField === '_id' ? [`$${String(field)}._id`] : []),
  ]);
  const parts = isObjectShape(by) ? Object.values(by) : [by];
  return (
    parts.some((part) => keys.has(part)) &&
    Object.values(accumulators).every(
      (each) => OF_ONE.has(operatorOf(each)?.operator ?? '') || !readsJoined({ $addFields: { each } }, passed),
    )
  );
}
