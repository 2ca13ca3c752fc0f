import type { IndexDescription } from '../../inventory/collection.js';
import { accessOf } from '../../planner/access-of.js';
import { isRefused } from '../../planner/access.js';
import { areAllMatches } from '../../planner/reads.js';
import type { Interval } from '../../profile/sampling/confidence.js';
import type { ObjectShape } from '../../workload/shapes/shape.js';
import type { OperationShape } from '../../workload/workload.js';
import { plainIndex } from '../indexes/index-proposal.js';
import { everyCondition } from '../queries/conditions.js';
import { plannedFigures } from '../queries/query-cost.js';
import { plannedBranches, type Query } from '../queries/query.js';
import { described, type NeededIndex } from './needed-index.js';

/** What the recorded executions of a query would have examined, had its index been there: an estimate. */
export interface DocumentsWithIndex {
  readonly documents: number;
  readonly executions: number;
}

/** Standard deviations within which 95 % of a normal distribution lie. */
const STATED_DEVIATIONS = 1.96;
/** At most so many in 95 % of cases if none was counted: the rule of three. */
const MOST_IF_NONE = 3;

/**
 * If the index's keys tell all conditions, only documents that match are read, and the source counted these. A list with
 * `null` in it leaves out few, and what `skip` passes over are keys (measured on 6.0.5). Null if some are tested on documents, if all that match have to be sorted, or if the source does not report how many match.
 *
 * @param indexes those that the query gets: one, or one for each branch of `$or`
 */
export function documentsWithIndex(query: Query, indexes: readonly NeededIndex[]): DocumentsWithIndex | null {
  const { figures } = plannedFigures(query.operation) ?? {};
  const wanted = indexes.map(described);
  if (figures === undefined || query.joins || !readsOnlyMatches(query, wanted)) return null;
  const { executions, documentsReturned, documentsWritten } = figures;
  if (isCovered(query, wanted)) return { documents: 0, executions };
  const matching = documentsWritten ?? documentsReturned;
  const sortsAll =
    query.limited &&
    query.sort.length > 0 &&
    !indexes.every(({ index: { sorts, sortsFew } }) => sorts || sortsFew === true);
  if (!query.returnsEachMatch || matching === null || sortsAll) return null;
  return { documents: matching, executions };
}

/** Per execution, of queries together; null if it is unknown of one of them. */
export function averageWithIndex(
  estimates: readonly (DocumentsWithIndex | null)[],
): { readonly documents: number; readonly range: Interval } | null {
  const known = estimates.filter((estimate) => estimate !== null);
  const executions = known.reduce((sum, each) => sum + each.executions, 0);
  if (known.length < estimates.length || executions === 0) return null;
  const documents = known.reduce((sum, each) => sum + each.documents, 0);
  const deviation = STATED_DEVIATIONS * Math.sqrt(documents);
  const most = documents === 0 ? MOST_IF_NONE : documents + deviation;
  return {
    documents: documents / executions,
    range: [Math.max(0, documents - deviation) / executions, most / executions],
  };
}

/** Whether each branch of the query has an index by which only documents are read that match. */
function readsOnlyMatches({ planned, collection }: Query, indexes: readonly IndexDescription[]): boolean {
  // Beside other conditions, the branches of `$or` are tested on documents.
  const branches = planned.filter.kind === 'or' ? plannedBranches(planned) : [planned];
  return branches.every((branch) =>
    indexes.some((index) => {
      const access = accessOf(index, collection, branch);
      return !isRefused(access) && areAllMatches(access, branch);
    }),
  );
}

/** Whether a query only counts, and would by keys alone if an index had all fields of its conditions. */
export function countsOnKeys(query: Query): boolean {
  const fields = everyCondition(query.conditions).map(({ path }) => [path, 1] as const);
  return (
    countsOnly(query.operation.shape) && isCovered(query, [plainIndex(Object.fromEntries(fields), query.collation, '')])
  );
}

/** Whether keys hold all that is asked for, so that no document is read. */
function isCovered(
  { operation: { shape }, planned, collection }: Query,
  [index, ...others]: readonly IndexDescription[],
): boolean {
  const returns = shape.kind === 'find' ? projected(shape.projection) : countsOnly(shape) ? [] : null;
  if (index === undefined || others.length > 0 || returns === null) return false;
  // Keys of arrays hold one element: values that the sample does not show may be in one.
  if (returns.some((path) => collection.holdsArray(path) === undefined)) return false;
  const access = accessOf(index, collection, { ...planned, returns });
  return !isRefused(access) && access.covered;
}

/** The fields that a projection keeps; null if it keeps others than those that it names. */
function projected(projection: ObjectShape | undefined): readonly string[] | null {
  const { _id: id, ...fields } = projection ?? {};
  const kept = Object.keys(fields);
  return kept.length > 0 && kept.every((path) => fields[path] === true) && id === false ? kept : null;
}

/** A field or a variable as the value of something. */
const READS_FIELD = /[:[]"\$/;

/** Stages that a count up to a limit, or of what follows a page, has ahead of its group. */
const BEFORE_COUNT = ['$match', '$limit', '$skip'];

/** Whether an operation only counts what it matches. In an aggregate, a `$count` is a `$group` and a `$project`. */
export function countsOnly({ kind, pipeline }: OperationShape): boolean {
  if (kind === 'count') return true;
  const [stage, project, ...others] = (pipeline ?? []).filter((each) => !BEFORE_COUNT.some((name) => name in each));
  if (stage === undefined || others.length > 0 || (project !== undefined && !('$project' in project))) return false;
  return '$group' in stage && !READS_FIELD.test(JSON.stringify(stage));
}
