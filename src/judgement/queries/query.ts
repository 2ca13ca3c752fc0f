import type { Document } from 'mongodb';
import { isObjectShape, type ObjectShape, type Shape } from '../../workload/shapes/shape.js';
import type { Operation, OperationShape } from '../../workload/workload.js';
import type { JoinedCluster, JoinedCollection } from '../joins/joined-cluster.js';
import { conditionsOf, type Conditions } from './conditions.js';

export type SortField = readonly [path: string, direction: 1 | -1];

/** What an operation asks of a stored collection before anything is grouped, joined or computed. */
export interface Query {
  readonly operation: Operation;
  /** The collection that is read, also through a view. */
  readonly known: JoinedCollection;
  readonly conditions: Conditions;
  /** Empty if it does not sort stored documents. */
  readonly sort: readonly SortField[];
  /** Whether it reads at most a number of documents. */
  readonly limited: boolean;
  readonly collation: Document | null;
  /** Whether each matching document is returned or written, so that the figures show how many matched. */
  readonly tellsMatches: boolean;
  /** Whether documents of other collections are among those examined. */
  readonly joins: boolean;
}

/** Stages that keep the number of documents. */
const KEEPING_COUNT = new Set(['$project', '$unset', '$addFields', '$replaceRoot', '$sort', '$limit', '$skip']);
const JOINING = new Set(['$lookup', '$graphLookup', '$unionWith', '$facet']);

/** The queries of a workload on linted collections, except time-series collections, which are stored in buckets. */
export function queriesOf({ collections, workload }: Pick<JoinedCluster, 'collections' | 'workload'>): Query[] {
  return workload.tracedOperations.flatMap(({ operation, view, base, stages }) => {
    const { shape } = operation;
    if (shape.kind === 'insert') return [];
    const known = collections.get(base);
    if (known?.collection.kind !== 'collection') return [];
    const { filters, sort, rest } = headOf(stages);
    const names = rest.map((stage) => Object.keys(stage)[0] ?? '');
    return [
      {
        operation,
        known,
        conditions: conditionsOf(filters),
        sort,
        limited: shape.limited === true || isSingleWrite(shape) || names.includes('$limit'),
        collation:
          shape.collation ?? view?.collation ?? (view === null ? known.collection.collation : undefined) ?? null,
        tellsMatches:
          shape.kind !== 'count' && shape.kind !== 'distinct' && names.every((name) => KEEPING_COUNT.has(name)),
        joins: names.some((name) => JOINING.has(name)),
      },
    ];
  });
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
  const end = stages.findIndex((stage) => !('$match' in stage));
  const filters = stages
    .slice(0, end === -1 ? stages.length : end)
    .flatMap(({ $match }) => (isObjectShape($match) ? [$match] : []));
  const rest = end === -1 ? [] : stages.slice(end);
  const sort = rest[0] === undefined ? null : sortOf(rest[0]['$sort']);
  return sort === null ? { filters, sort: [], rest } : { filters, sort, rest: rest.slice(1) };
}

/** Null if it is not a sort by stored fields. */
function sortOf(sort: Shape | undefined): readonly SortField[] | null {
  if (!isObjectShape(sort)) return null;
  const fields = Object.entries(sort).filter((field): field is [string, 1 | -1] => field[1] === 1 || field[1] === -1);
  return fields.length === Object.keys(sort).length ? fields : null;
}
