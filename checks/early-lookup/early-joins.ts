import { mayRead, pathBefore, pathsRead, unwoundField } from '../../src/judgement/pipelines/stage-reads.js';
import { operatorOf, stageOf, stagesOf } from '../../src/workload/joins/references.js';
import { stageEffect } from '../../src/workload/joins/stage-effect.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../src/workload/shapes/shape.js';

/** Nothing reads what it brings, or this stage behind it leaves few documents. */
export type EarlyBecause = 'unread' | '$group' | '$limit' | '$facet';

export interface EarlyJoin {
  readonly because: EarlyBecause;
  readonly foreign: string;
}

type Stages = readonly ObjectShape[];

/** If a value is the same in all documents of a group, these are the value itself, or null if it is missing. */
const OF_ONE = new Set(['$first', '$last', '$min', '$max']);
const RESHAPING = new Set(['$addFields', '$project', '$unset', '$replaceRoot', '$unwind']);
/** Stages that keep all groups, or leave them out from the end. */
export const KEEPING = new Set([...RESHAPING, '$lookup', '$sort', '$limit']);
const PASSING = new Set([...KEEPING, '$graphLookup', '$match', '$skip']);

/**
 * Joins ahead of stages that make them superfluous. The server itself moves `$match`, `$sort`, `$skip` and `$limit` ahead
 * of a `$lookup` that stands directly before them. It does not move a `$sort` ahead of a stage that reshapes documents,
 * nor any of them ahead of a `$unwind` of the joined field, nor out of a `$facet`; and it makes joins that nothing reads.
 * Measured on 6.0.5, 6.0.27 and 7.0.28.
 *
 * @param isSingle whether a `$lookup` finds at most one document for each
 */
export function earlyJoins(stages: Stages, isSingle: (join: ObjectShape) => boolean): EarlyJoin[] {
  return stages.flatMap((join, at): EarlyJoin[] => {
    const { name, body } = stageOf(join);
    if ((name !== '$lookup' && name !== '$graphLookup') || !isObjectShape(body)) return [];
    const field = String(body['as']);
    const following = stages.slice(at + 1);
    const unwinds = following.filter((stage) => unwoundField(stage) === field && isSingle(join));
    const because = isUnread(following, field, unwinds) ? 'unread' : narrowedBy(join, following, unwinds);
    return because === null ? [] : [{ because, foreign: String(body['from']) }];
  });
}

/** Whether it also keeps documents without what was joined. */
function keepsAll({ $unwind }: ObjectShape): boolean {
  return isObjectShape($unwind) && $unwind['preserveNullAndEmptyArrays'] === true;
}

function isUnread(following: Stages, field: string, unwinds: Stages): boolean {
  const reading = following.filter((stage) => !(unwinds.includes(stage) && keepsAll(stage)));
  const end = reading.findIndex((stage) => {
    const effect = stageEffect(stage, field, false);
    return effect.kind !== 'field' || effect.path !== field;
  });
  return end !== -1 && !reading.slice(0, end + 1).some((stage) => mayRead(stage, field));
}

/** The stage that leaves few documents, if all that stand before it could stand before the join as well. */
function narrowedBy(join: ObjectShape, following: Stages, unwinds: Stages): EarlyBecause | null {
  const end = following.findIndex((stage) => '$group' in stage || '$limit' in stage || '$facet' in stage);
  const [passed, last] = [[join, ...following.slice(0, end)], following[end]];
  const names = passed.map((stage) => stageOf(stage).name);
  const reads = (stage: ObjectShape) => readsJoined(stage, passed.slice(0, passed.indexOf(stage)));
  const isInWay = (stage: ObjectShape) =>
    ('$sort' in stage && reads(stage)) || ('$unwind' in stage && !unwinds.includes(stage));
  if (last === undefined || passed.some(isInWay) || !names.every((name) => PASSING.has(name))) return null;
  const isInner = unwinds.some((stage) => passed.includes(stage) && !keepsAll(stage));
  if ('$group' in last)
    return !names.includes('$skip') && isGroupedBy(last['$group'], join, passed, isInner) ? '$group' : null;
  if (isInner || passed.some((stage) => '$match' in stage && reads(stage))) return null;
  if ('$facet' in last) return isPaged(last['$facet'], passed) ? '$facet' : null;
  const reshaping = names.findIndex((name) => RESHAPING.has(name));
  return reshaping !== -1 && reshaping < names.lastIndexOf('$sort') ? '$limit' : null;
}

/** Whether a stage reads what these stages, of which the first is a join, have made. */
function readsJoined(stage: ObjectShape, passed: Stages): boolean {
  return pathsRead(stage)?.every((path) => pathBefore(passed, path) !== null) !== true;
}

/** A branch shows a page of the documents; the others count them, or group them by what they were before. */
function isPaged(facet: Shape | undefined, passed: Stages): boolean {
  const ends = Object.values(isObjectShape(facet) ? facet : {}).map((branch) => {
    const stages = stagesOf(branch);
    const end = stages.findIndex((stage) => '$limit' in stage || '$group' in stage);
    return stages.slice(0, end + 1).some((stage) => readsJoined(stage, passed)) ? {} : (stages[end] ?? {});
  });
  return ends.every((end) => '$limit' in end || '$group' in end) && ends.some((end) => '$limit' in end);
}

/** Whether the documents of a group are all joined with the same ones, of which nothing is asked but what each has. */
function isGroupedBy(group: Shape | undefined, join: ObjectShape, passed: Stages, isInner: boolean): boolean {
  const { $lookup } = join;
  if (!isObjectShape(group) || !isObjectShape($lookup) || 'let' in $lookup) return false;
  const { localField, foreignField, as: field } = $lookup;
  const { _id: by = '?null', ...accumulators } = group;
  const isKey = (part: Shape) =>
    (part === `$${localField}` && pathBefore(passed, String(localField)) === localField) ||
    (part === `$${field}._id` && isInner && foreignField === '_id');
  return (
    (isObjectShape(by) ? Object.values(by) : [by]).some(isKey) &&
    Object.values(accumulators).every(
      (each) => OF_ONE.has(operatorOf(each)?.operator ?? '') || !readsJoined({ $addFields: { each } }, passed),
    )
  );
}
