import type { Document } from 'mongodb';
import type { PlannedCollection, PlannedQuery } from '../../planner/access.js';
import { predicateOfShape } from '../../planner/filter-predicate.js';
import { ANY_OPERAND } from '../../planner/operand.js';
import { conjunction, type Predicate } from '../../planner/predicate.js';
import { sampledCollection } from '../../planner/sampled.js';
import type { ObjectShape } from '../../workload/shapes/shape.js';
import type { JoinedCollection } from '../joins/joined-cluster.js';

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
