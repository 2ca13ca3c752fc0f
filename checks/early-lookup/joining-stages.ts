import { pathBefore, unwoundField } from '../../src/judgement/pipelines/stage-reads.js';
import { stageOf } from '../../src/workload/joins/references.js';
import { isObjectShape, type ObjectShape } from '../../src/workload/shapes/shape.js';

export type Stages = readonly ObjectShape[];
/** Whether a `$lookup` finds at most one document for each. */
export type IsSingle = (join: ObjectShape) => boolean;

const JOINS = new Set(['$lookup', '$graphLookup']);

/** The join whose field a stage takes apart, if that holds one document at most and those with none are kept. */
export function unwoundJoin(stage: ObjectShape, kept: Stages, isSingle: IsSingle): ObjectShape | null {
  const { $unwind } = stage;
  const field = unwoundField(stage);
  if (field === null || !isObjectShape($unwind) || $unwind['preserveNullAndEmptyArrays'] !== true) return null;
  const at = kept.findLastIndex((each) => joinedField(each) === field);
  const join = kept[at];
  if (join === undefined || 'includeArrayIndex' in $unwind || !isSingle(join)) return null;
  return pathBefore(kept.slice(at + 1), field) === field ? join : null;
}

export function isNamed(stage: ObjectShape | undefined, name: string): stage is ObjectShape {
  return stage !== undefined && name in stage;
}

export function isJoin(stage: ObjectShape): boolean {
  return JOINS.has(stageOf(stage).name);
}

/** The field that a join adds; null if the stage is none. */
export function joinedField(stage: ObjectShape): string | null {
  const { body } = stageOf(stage);
  const field = isJoin(stage) && isObjectShape(body) ? body['as'] : null;
  return typeof field === 'string' ? field : null;
}
