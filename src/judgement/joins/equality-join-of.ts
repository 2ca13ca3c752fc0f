import { type Document, ObjectId } from 'mongodb';
import { sum } from 'simple-statistics';
import { isPatchOf } from '../../connect/server-version.js';
import type { IndexDescription } from '../../inventory/collection.js';
import type { BsonType } from '../../profile/document-profile.js';
import type { Join, JoinCondition, JoinKey } from '../../workload/joins/join.js';
import type { JoinUse } from '../../workload/joins/workload-joins.js';
import { literalPlaceholder } from '../../workload/shapes/placeholder.js';
import type { Shape } from '../../workload/shapes/shape.js';
import { type Condition, conditionsOf } from '../indexes/usability/classic-obstacles.js';
import type { EqualityJoin, JoinForm, JoinServer, LocalType } from '../indexes/usability/joined-index.js';
import { collationOf, fieldTypesOn, type JoinedCluster } from './joined-cluster.js';
import { holdsArrays, joinedValues, type JoinedValues } from './joined-values.js';

/** Any value of the placeholder's type. */
const VALUES: Readonly<Record<string, unknown>> = {
  '?string': '',
  '?number': 0,
  '?bool': true,
  '?date': new Date(0),
  '?objectId': new ObjectId('0'.repeat(24)),
  '?null': null,
};

/** Stages after which the slot-based engine of 6.0 may run a `$lookup`; 18 others were measured to prevent it. */
const SLOT_BASED_STAGES = new Set(['$match', '$project', '$sort', '$limit', '$skip', '$group', '$lookup']);

/** A key for which the field of an index is known. */
export type IndexableKey = JoinKey & { readonly index: { readonly possible: true } };

export function isIndexable(key: JoinKey): key is IndexableKey {
  return key.index.possible === true;
}

export function equalityJoinOf(use: JoinUse, key: IndexableKey, cluster: JoinedCluster): EqualityJoin {
  const { join } = use;
  const { namespace, path } = key.index;
  const form = formOf(join, key);
  const foreignArrays = holdsArrays(fieldTypesOn(cluster, namespace), path);
  return {
    form,
    foreignField: path,
    collation: collationOf(cluster, use),
    ...(join.form === 'fields-and-pipeline' && { withPipeline: true }),
    ...(isClassic(use, cluster) && { inClassicEngine: true }),
    ...localTypes(form, localValues(join, key, cluster)),
    ...(foreignArrays !== undefined && { foreignArrays }),
    ...filterFor(join, null),
  };
}

/** The join as one index meets it: conditions on the fields of its filter are assumed to ask for what it holds. */
export function asMetBy(equality: EqualityJoin, { join }: JoinUse, index: IndexDescription): EqualityJoin {
  return index.partialFilterExpression === undefined ? equality : { ...equality, ...filterFor(join, index) };
}

function filterFor({ conditions }: Join, index: IndexDescription | null): Pick<EqualityJoin, 'filter'> {
  const filter = assumedFilter(conditions, index);
  return Object.keys(filter).length === 0 ? {} : { filter };
}

/** The values of the outer documents that a key compares; null if unknown. */
export function localValues(
  { position }: Join,
  { local: { origin } }: JoinKey,
  cluster: JoinedCluster,
): JoinedValues | null {
  return origin.traced ? joinedValues(origin, fieldTypesOn(cluster, origin.namespace), position.afterUnwind) : null;
}

export function formOf({ form, keys }: Join, key: JoinKey): JoinForm {
  if (form === 'graph') return 'graphLookup';
  // The first key is that of `localField` and `foreignField`, if there are any; the others are the pipeline's.
  return (form === 'fields' || form === 'fields-and-pipeline') && key === keys[0] ? 'localField' : 'exprEquality';
}

/** For `$graphLookup` only the values of the first step are known, so its types are left open. */
function localTypes(
  form: JoinForm,
  values: JoinedValues | null,
): Pick<EqualityJoin, 'localTypes' | 'localElementTypes'> {
  if (values === null || form === 'graphLookup') return {};
  const types = Object.keys(values.types) as LocalType[];
  return {
    localTypes: values.isMissing ? [...types, 'missing'] : types,
    localElementTypes: Object.keys(values.elementTypes) as BsonType[],
  };
}

/** Whether the classic engine ran it, or must have: in `$facet`, through a view, or after a stage that only it runs. */
function isClassic({ join, operation }: JoinUse, { server }: JoinedCluster): boolean {
  if (join.at.includes('$facet') || join.foreign.namespace !== join.foreign.base) return true;
  if (operation === null) return false;
  const figures = Object.values(operation.figures);
  const slotBased = sum(figures.map(({ slotBasedExecutions }) => slotBasedExecutions));
  const classic = sum(figures.map(({ classicExecutions }) => classicExecutions));
  if (slotBased + classic > 0) return slotBased === 0;
  const isPlain = /^\d+$/.test(join.at) && join.source.namespace === join.source.base;
  return isPlain && isClassicByPosition(operation.shape.pipeline ?? [], Number(join.at), server);
}

/**
 * Whether the stages around a `$lookup` are certain to keep it in the classic engine; known of 6.0 only.
 *
 * Measured on 6.0.5, and on 6.0.27 with the slot-based engine enabled: it takes the first stages of a pipeline, up to
 * one that it does not run, and no `$lookup` whose result is unwound next.
 *
 * @param pipeline of the aggregation; a `$facet` runs in the classic engine
 */
export function isClassicByPosition(pipeline: readonly Document[], position: number, { version }: JoinServer): boolean {
  if (version === undefined || !isPatchOf(version, '6.0.0')) return false;
  if (!pipeline.slice(0, position).every(isSlotBased)) return true;
  const next = pipeline.slice(position + 1).find((stage) => stage['$match'] === undefined);
  const unwound: unknown = next?.['$unwind']?.path ?? next?.['$unwind'];
  return unwound === `$${pipeline[position]?.['$lookup']?.as}`;
}

function isSlotBased(stage: Document): boolean {
  const lookup: Document | undefined = stage['$lookup'];
  return SLOT_BASED_STAGES.has(Object.keys(stage)[0] ?? '') && lookup?.['pipeline'] === undefined;
}

/**
 * The conditions of a join's pipeline as a filter with values; the workload keeps only their types. For a partial
 * index, a condition on a field of its filter is assumed to ask for what the index holds: whoever made it asks for
 * those documents.
 */
export function assumedFilter(conditions: readonly JoinCondition[], index: IndexDescription | null): Document {
  const required = conditionsOf(index?.partialFilterExpression ?? {});
  const filter: Record<string, Document> = {};
  for (const { path, operator, operand, isIndexable: canUseIndex } of conditions) {
    if (path === null || !canUseIndex) continue;
    const value = requiredValue(path, operator, operand, required) ?? anyValue(operand);
    if (value !== undefined) filter[path] = { ...filter[path], [operator]: value };
  }
  return filter;
}

function requiredValue(path: string, operator: string, operand: Shape, required: readonly Condition[]): unknown {
  for (const condition of required) {
    const isWithin = operator === '$eq' && condition.operator === '$in';
    if (condition.path !== path || (condition.operator !== operator && !isWithin)) continue;
    const allowed = isWithin ? (condition.operand as unknown[]) : [condition.operand];
    const value = allowed.find((each) => literalPlaceholder(each) === operand);
    if (value !== undefined) return value;
  }
  return undefined;
}

function anyValue(operand: Shape): unknown {
  if (typeof operand !== 'string')
    return typeof operand === 'boolean' || typeof operand === 'number' ? operand : undefined;
  const element = /^\?array<(.*)>$/.exec(operand)?.[1];
  return element === undefined ? VALUES[operand] : VALUES[element] === undefined ? undefined : [VALUES[element]];
}
