import { operatorOf, stageOf } from '../../workload/joins/references.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../workload/shapes/shape.js';
import { DATA_NAME } from '../../workload/shapes/sort-shape.js';
import type { Query } from '../queries/query.js';

/** Stages whose result for one document does not hang on those before it. */
const ORDERLESS = new Set(['$match', '$project', '$addFields', '$unset', '$replaceRoot', '$unwind', '$lookup']);

/** Accumulators with the same result in any order. The server sorts for them all the same (measured on 6.0.5, 7.0.28). */
const ORDERLESS_ACCUMULATORS = new Set(['$sum', '$avg', '$min', '$max', '$addToSet', '$count']);

/** The pipeline without sorts whose order the `$group` behind them does not need; null if each is needed. */
export function withoutNeedlessSorts(stages: readonly ObjectShape[]): readonly ObjectShape[] | null {
  const kept = stages.filter((stage, index) => !('$sort' in stage) || !isNeedless(stages.slice(index + 1)));
  return kept.length === stages.length ? null : kept;
}

/** The same of a query that sorts stored documents, if it names no view and all of it is kept. */
export function queryWithoutSort({ operation: { shape }, known, sort }: Query): readonly ObjectShape[] | null {
  const { pipeline, namespace, truncated } = shape;
  if (pipeline === undefined || truncated === true || namespace !== known.collection.namespace) return null;
  return sort.length > 0 && namesAreKept(pipeline) ? withoutNeedlessSorts(pipeline) : null;
}

function isNeedless(following: readonly ObjectShape[]): boolean {
  const next = following.find((stage) => !ORDERLESS.has(stageOf(stage).name));
  const group = next?.['$group'];
  return (
    isObjectShape(group) &&
    Object.entries(group).every(([name, accumulator]) => name === '_id' || isOrderless(accumulator))
  );
}

function isOrderless(accumulator: Shape): boolean {
  const { operator = '' } = operatorOf(accumulator) ?? {};
  return ORDERLESS_ACCUMULATORS.has(operator);
}

/** Whether every name of a pipeline is kept: two names that are data look alike, and cannot be written again. */
export function namesAreKept(shape: Shape): boolean {
  if (typeof shape === 'string') return isKept(shape);
  if (typeof shape !== 'object') return true;
  if (!isObjectShape(shape)) return shape.every(namesAreKept);
  return Object.entries(shape).every(([name, value]) => isKept(name) && namesAreKept(value));
}

function isKept(name: string): boolean {
  return !name.replace(/^\$+/, '').split('.').includes(DATA_NAME);
}
