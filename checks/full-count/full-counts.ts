import { isObjectShape, type ObjectShape } from '../../src/workload/shapes/shape.js';
import { isEmpty } from '../../src/judgement/queries/conditions.js';
import type { Query } from '../../src/judgement/queries/query.js';

/** Stages behind a count that only reshape the number. */
const RESHAPING = new Set(['$project', '$unset', '$addFields', '$replaceRoot']);

/**
 * Whether a query counts a whole collection and asks for nothing else: what drivers send for `countDocuments({})`, or
 * `$count` without a condition. `count` without a condition is no such query: the server answers it from the metadata.
 */
export function isFullCount({ operation: { shape }, known, conditions, joins }: Query): boolean {
  const { kind, namespace, pipeline = [] } = shape;
  // A view has no metadata of its own.
  if (kind !== 'aggregate' || namespace !== known.collection.namespace || joins || !isEmpty(conditions)) return false;
  const [first, ...others] = pipeline.filter(({ $match }) => !isObjectShape($match));
  return first !== undefined && countsAll(first) && others.every((stage) => RESHAPING.has(Object.keys(stage)[0] ?? ''));
}

function countsAll({ $group }: ObjectShape): boolean {
  if (!isObjectShape($group)) return false;
  const { _id, ...sums } = $group;
  const isOfAll = typeof _id === 'string' && _id.startsWith('?');
  const counted = Object.values(sums);
  return isOfAll && counted.length > 0 && counted.every((each) => isObjectShape(each) && each['$sum'] === '?number');
}
