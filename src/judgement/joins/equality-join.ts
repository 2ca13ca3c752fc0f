import type { Document } from 'mongodb';
import { sum } from 'simple-statistics';
import { isPatchOf } from '../../connect/server-version.js';
import type { Collection } from '../../inventory/collection.js';
import type { PlannedCollection, PlannedQuery, PlannedServer } from '../../planner/access.js';
import { predicateOfShape } from '../../planner/filter-predicate.js';
import type { Operand } from '../../planner/operand.js';
import { type Comparison, conjunction, type Predicate } from '../../planner/predicate.js';
import { operandTypeOf, sampledCollection } from '../../planner/value-search.js';
import type { BsonType } from '../../profile/document-profile.js';
import type { Join, JoinCondition, JoinKey, JoinUse } from '../../workload/joins/join.js';
import { collationOf, fieldTypesOn, type JoinedCluster } from './joined-cluster.js';
import { joinedValues, type JoinedValues } from './joined-values.js';

const UNKNOWN_TYPES: readonly LocalType[] = ['string', 'null', 'missing'];

/** `exprEquality` is a `$lookup` with `let` and a pipeline whose `$match` holds `$expr: {$eq: [field, variable]}`. */
export type JoinForm = 'localField' | 'exprEquality' | 'graphLookup';

export type LocalType = BsonType | 'missing';

/** How a join looks a field of its foreign collection up. */
export interface EqualityJoin {
  readonly form: JoinForm;
  /** For a view, the collection behind it. */
  readonly foreign: Collection;
  /** Dotted, without `[]`; for a view, traced back to the collection behind it. */
  readonly foreignField: string;
  /** Where foreign documents hold arrays. */
  readonly arrays: PlannedCollection;
  /** `$eq` if it is absent; `$expr` may compare by a range. */
  readonly operator?: Comparison['operator'];
  /** The collation of the aggregation, or else the default of the collection that it runs on; null for the simple one. */
  readonly collation: Document | null;
  /** Further conditions: those of the joined pipeline, or `restrictSearchWithMatch`. */
  readonly filter?: Predicate;
  /** For `localField`: true if the `$lookup` has a pipeline too. Implied by `filter`. */
  readonly withPipeline?: boolean;
  /** True if the profiler or the log says `queryFramework: "classic"`, or the position of the stage shows it. */
  readonly inClassicEngine?: boolean;
  /** If absent: strings, null and missing. Of `$graphLookup`, those of `startWith` and `connectFromField`. */
  readonly localTypes?: readonly LocalType[];
  readonly localElementTypes?: readonly BsonType[];
}

/** A key for which the field of an index is known. */
export type IndexableKey = JoinKey & { readonly index: { readonly possible: true } };

export function isIndexable(key: JoinKey): key is IndexableKey {
  return key.index.possible === true;
}

/** The comparison of a join as the planner meets it, and the query that it is part of. */
export function plannedJoin(join: EqualityJoin): { readonly comparison: Comparison; readonly query: PlannedQuery } {
  const { form, foreignField: path, operator = '$eq', collation, filter } = join;
  const comparison: Comparison = {
    kind: 'comparison',
    path,
    operator,
    operand: lookedUp(join),
    ...(form === 'exprEquality' && { inExpression: true }),
  };
  const exists: Comparison = { kind: 'comparison', path, operator: '$exists', operand: { types: new Set() } };
  const all = [comparison, ...(form === 'graphLookup' ? [exists] : []), ...(filter === undefined ? [] : [filter])];
  return { comparison, query: { filter: conjunction(all), sort: [], returns: null, collation } };
}

/**
 * All forms but `$expr` look up the elements of an array. What is missing counts as null, but not to `$graphLookup`, nor to
 * `$expr`, which scans for it whatever the indexes (measured on 6.0.5 and 6.0.27).
 */
function lookedUp(join: EqualityJoin): Operand {
  const { form, localTypes = UNKNOWN_TYPES, localElementTypes = UNKNOWN_TYPES } = join;
  const byElements = form !== 'exprEquality' && localTypes.includes('array');
  const types = byElements ? [...localTypes.filter((type) => type !== 'array'), ...localElementTypes] : localTypes;
  const ofNothing = form === 'localField' ? (['null'] as const) : [];
  const found = types.flatMap((type) => (type === 'missing' ? ofNothing : operandTypeOf(type)));
  return { types: new Set(found), varies: true };
}

export function equalityJoinOf(use: JoinUse, key: IndexableKey, cluster: JoinedCluster): EqualityJoin {
  const { join } = use;
  const { namespace, path } = key.index;
  const foreign = cluster.collections.get(namespace)?.collection;
  if (foreign === undefined) throw new Error(`${namespace} is not among the collections.`);
  const form = formOf(join, key);
  const filter = filterOf(join.conditions);
  return {
    form,
    foreign,
    foreignField: path,
    arrays: sampledCollection(fieldTypesOn(cluster, namespace)),
    operator: key.operator as Comparison['operator'],
    collation: collationOf(cluster, use),
    ...(join.form === 'fields-and-pipeline' && { withPipeline: true }),
    ...(isKnownClassic(use, cluster.server) && { inClassicEngine: true }),
    ...typesOf(form, localValues(join, key, cluster)),
    ...(filter !== null && { filter }),
  };
}

function filterOf(conditions: readonly JoinCondition[]): Predicate | null {
  const filters = conditions.flatMap(({ path, operator, operand, isIndexable: canUseIndex }) =>
    path === null || !canUseIndex ? [] : [predicateOfShape({ [path]: { [operator]: operand } })],
  );
  return filters.length === 0 ? null : conjunction(filters);
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
function typesOf(form: JoinForm, values: JoinedValues | null): Pick<EqualityJoin, 'localTypes' | 'localElementTypes'> {
  if (values === null || form === 'graphLookup') return {};
  const types = Object.keys(values.types) as LocalType[];
  return {
    localTypes: values.isMissing ? [...types, 'missing'] : types,
    localElementTypes: Object.keys(values.elementTypes) as BsonType[],
  };
}

/** Stages after which the slot-based engine of 6.0 may run a `$lookup`; 18 others were measured to prevent it. */
const SLOT_BASED_STAGES = new Set(['$match', '$project', '$sort', '$limit', '$skip', '$group', '$lookup']);

/** Whether the classic engine ran it, or must have: in `$facet`, through a view, or after a stage that only it runs. */
function isKnownClassic({ join, operation }: JoinUse, server: PlannedServer): boolean {
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
export function isClassicByPosition(
  pipeline: readonly Document[],
  position: number,
  { version }: PlannedServer,
): boolean {
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
