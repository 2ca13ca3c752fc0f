import type { Document } from 'mongodb';
import type { PlannedCollection, PlannedQuery, SortField } from '../../planner/access.js';
import { predicateOfShape } from '../../planner/filter-predicate.js';
import { ANY_OPERAND } from '../../planner/operand.js';
import { conjunction, type Predicate } from '../../planner/predicate.js';
import { sampledCollection } from '../../planner/value-search.js';
import { LEAST_COMPARED } from '../../profile/field-types.js';
import { stageOf } from '../../workload/joins/references.js';
import { stageEffect } from '../../workload/joins/stage-effect.js';
import { isObjectShape, type ObjectShape, type Shape } from '../../workload/shapes/shape.js';
import type { Operation, OperationShape } from '../../workload/workload.js';
import type { JoinedCluster, JoinedCollection } from '../joins/joined-cluster.js';
import { type Conditions, conditionsOf, everyCondition } from './conditions.js';
import { MOST_OF_ALL } from './query-thresholds.js';

/** What an operation asks of a stored collection before anything is grouped, joined or computed. */
export interface Query {
  readonly operation: Operation;
  /** The collection that is read, also through a view. */
  readonly known: JoinedCollection;
  /** What must hold of stored documents, as it was asked. */
  readonly filters: readonly ObjectShape[];
  readonly conditions: Conditions;
  /** Empty if it does not sort stored documents. */
  readonly sort: readonly SortField[];
  /** Whether it reads at most a number of documents. */
  readonly limited: boolean;
  readonly collation: Document | null;
  /** What the planner is asked: the same, of the collection as its sample shows it. */
  readonly planned: PlannedQuery;
  readonly collection: PlannedCollection;
  /** Whether each matching document is returned or written, so that the figures show how many matched. */
  readonly returnsEachMatch: boolean;
  /** Whether it returns something as soon as one document matches. */
  readonly returnsIfAny: boolean;
  /** Whether documents of other collections are among those examined. */
  readonly joins: boolean;
}

/** Stages that keep the number of documents. */
const KEEPING_COUNT = new Set(['$project', '$unset', '$addFields', '$replaceRoot', '$sort', '$limit', '$skip']);

const GROUPING = new Set(['$group', '$bucket', '$bucketAuto']);

/** Stages ahead of which the server tests what they do not touch. */
const PASSED_BY_FILTERS = new Set(['$unwind', '$addFields', '$project', '$unset', '$replaceRoot']);

const JOINING = new Set(['$lookup', '$graphLookup', '$unionWith', '$facet']);

/**
 * The queries of a workload on linted collections, except time-series collections, which are stored in buckets. Those of the
 * same workload and collections are the same objects.
 */
export function queriesOf(of: Pick<JoinedCluster, 'collections' | 'workload'>): readonly Query[] {
  return of.workload.derived.once(of.collections, 'queries', () => derivedQueries(of));
}

function derivedQueries({ collections, workload }: Pick<JoinedCluster, 'collections' | 'workload'>): readonly Query[] {
  const planned = new Map([...collections].map(([namespace, known]) => [namespace, plannedCollection(known)]));
  return workload.tracedOperations.flatMap(({ operation, view, base, stages }) => {
    const { shape } = operation;
    // No index gives the order that a tailable cursor reads in.
    if (shape.kind === 'insert' || shape.tailable === true) return [];
    const known = collections.get(base);
    if (known?.collection.kind !== 'collection') return [];
    const { filters, sort, rest } = headOf(stages);
    const names = rest.map((stage) => stageOf(stage).name);
    const collation =
      shape.collation ?? view?.collation ?? (view === null ? known.collection.collation : undefined) ?? null;
    return [
      {
        operation,
        known,
        filters,
        conditions: withoutWholeLists(conditionsOf(filters), operation, known),
        sort,
        limited: shape.limited === true || isSingleWrite(shape) || names.includes('$limit'),
        collation,
        planned: plannedQuery({ filters, sort, collation }),
        collection: planned.get(base) ?? plannedCollection(known),
        returnsEachMatch:
          shape.kind !== 'count' && shape.kind !== 'distinct' && names.every((name) => KEEPING_COUNT.has(name)),
        returnsIfAny:
          shape.kind === 'aggregate' && names.every((name) => KEEPING_COUNT.has(name) || GROUPING.has(name)),
        joins: names.some((name) => JOINING.has(name)),
      },
    ];
  });
}

/**
 * A list of as many values as the field has, such as `{ $in: [true, false] }`, leaves nothing out: no index finds by it. Only if
 * it is the only list: their lengths are not told apart.
 */
function withoutWholeLists(
  conditions: Conditions,
  { figures }: Operation,
  { fieldTypes }: JoinedCollection,
): Conditions {
  const lists = everyCondition(conditions).filter(({ operator }) => operator === '$in' || operator === '$nin');
  const values = Math.max(0, ...Object.values(figures).map(({ longestLiteralArray }) => longestLiteralArray ?? 0));
  const [{ path, operator } = { path: '', operator: '' }, ...others] = lists;
  const field = fieldTypes.present ? fieldTypes.value.fields.find((each) => each.path === path) : undefined;
  const { compared = 0, distinct = Infinity } = field?.spread ?? {};
  const isWhole = operator === '$in' && compared >= LEAST_COMPARED && distinct <= values;
  if (!fieldTypes.present || field === undefined || !isWhole || others.length > 0) return conditions;
  if (field.elementsPerArray !== null || field.documents < MOST_OF_ALL * fieldTypes.value.documents) return conditions;
  const all = conditions.all.map((each) => (each.role === 'list' ? { ...each, role: 'residual' as const } : each));
  return { ...conditions, all };
}

function isSingleWrite({ kind, multi }: OperationShape): boolean {
  return kind === 'findAndModify' || ((kind === 'update' || kind === 'delete') && multi !== true);
}

interface Head {
  readonly filters: readonly ObjectShape[];
  readonly sort: readonly SortField[];
  readonly rest: readonly ObjectShape[];
}

/** The stages that the server answers from the collection and its indexes: filters, and a sort after them. */
function headOf(stages: readonly ObjectShape[]): Head {
  const [{ $geoNear } = {}, ...following] = stages;
  if (isObjectShape($geoNear)) return headOf(afterGeoNear($geoNear, following));
  const end = stages.findIndex((stage) => !('$match' in stage));
  const filters = stages
    .slice(0, end === -1 ? stages.length : end)
    .flatMap(({ $match }) => (isObjectShape($match) ? [$match] : []));
  const { moved, rest } = movedAhead(end === -1 ? [] : stages.slice(end));
  filters.push(...moved);
  const sort = rest[0] === undefined ? null : sortOf(rest[0]['$sort']);
  return sort === null ? { filters, sort: [], rest } : { filters, sort, rest: rest.slice(1) };
}

/** A `$geoNear` asks as a `$near` does, and for what its query asks for. The distance is no stored field. */
function afterGeoNear({ key, query, distanceField }: ObjectShape, following: readonly ObjectShape[]): ObjectShape[] {
  const near: ObjectShape = typeof key === 'string' ? { [key]: { $geoNear: '?object' } } : { $geoNear: '?object' };
  const end = following.findIndex((stage) => !('$match' in stage));
  const matches = following.slice(0, end === -1 ? following.length : end).map(({ $match }) => $match);
  const filters = [near, query, ...matches].map((filter) =>
    Object.fromEntries(Object.entries(isObjectShape(filter) ? filter : {}).filter(([path]) => path !== distanceField)),
  );
  return [...filters.map(($match) => ({ $match })), ...following.slice(matches.length)];
}

/** Conditions behind stages that do not touch their fields are tested first, and may be found by an index. */
function movedAhead(stages: readonly ObjectShape[]): { moved: ObjectShape[]; rest: readonly ObjectShape[] } {
  const length = stages.findIndex((stage) => !('$match' in stage) && !PASSED_BY_FILTERS.has(stageOf(stage).name));
  const passed = length === -1 ? stages : stages.slice(0, length);
  const moved = passed.flatMap((stage, position): ObjectShape[] => {
    if (!isObjectShape(stage['$match'])) return [];
    const before = passed.slice(0, position).filter((each) => !('$match' in each));
    const stored = Object.entries(stage['$match']).flatMap(([path, asked]) => {
      const origin = storedPath(path, before);
      return origin === null ? [] : [[origin, asked] as const];
    });
    return stored.length === 0 ? [] : [Object.fromEntries(stored)];
  });
  const isMoved = (stage: ObjectShape) => moved.length > 0 && '$match' in stage && passed.includes(stage);
  return { moved, rest: stages.filter((stage) => !isMoved(stage)) };
}

/** The stored field that a path behind stages names, if the server tests it ahead of them; null otherwise. */
function storedPath(path: string, before: readonly ObjectShape[]): string | null {
  if (path.startsWith('$')) return null;
  return before.toReversed().reduce<string | null>((traced, stage) => {
    const effect = traced === null ? null : stageEffect(stage, traced, false);
    return effect?.kind === 'field' && effect.barrier === null ? effect.path : null;
  }, path);
}

/** The query as if it asked for an order. */
export function inOrder(query: Query, sort: readonly SortField[]): Query {
  return { ...query, sort, planned: { ...query.planned, sort } };
}

/** The fields of a `$sort`; null if it is not a sort by stored fields. */
export function sortOf(sort: Shape | undefined): readonly SortField[] | null {
  if (!isObjectShape(sort)) return null;
  const fields = Object.entries(sort).filter((field): field is [string, 1 | -1] => field[1] === 1 || field[1] === -1);
  return fields.length === Object.keys(sort).length ? fields : null;
}

interface Asked extends Pick<PlannedQuery, 'sort' | 'collation'> {
  readonly filters: readonly ObjectShape[];
}

/** A query as the planner is asked about it. */
export function plannedQuery({ filters, sort, collation }: Asked): PlannedQuery {
  return { filter: conjunction(filters.map(predicateOfShape)), sort, returns: null, collation };
}

/** The query for each alternative of its `$or`, with what holds beside it; the query itself if it has none. */
export function plannedBranches(query: PlannedQuery): readonly PlannedQuery[] {
  const parts: readonly Predicate[] = query.filter.kind === 'and' ? query.filter.of : [query.filter];
  const at = parts.findIndex(({ kind }) => kind === 'or');
  const either = parts[at];
  if (either?.kind !== 'or') return [query];
  return either.of.flatMap((branch) => plannedBranches({ ...query, filter: conjunction(parts.with(at, branch)) }));
}

/** A search for documents by values of fields that may be of any type. */
export function plannedEqualities(paths: readonly string[], collation: Document | null): PlannedQuery {
  const values = paths.map((path): Predicate => ({ kind: 'comparison', path, operator: '$eq', operand: ANY_OPERAND }));
  return { filter: conjunction(values), sort: [], returns: null, collation };
}

/** A collection as its sample shows it. */
export function plannedCollection({ fieldTypes }: Pick<JoinedCollection, 'fieldTypes'>): PlannedCollection {
  return sampledCollection(fieldTypes.present ? fieldTypes.value : null);
}
