import type { FieldTypes } from '../../profile/field-types.js';
import type { Interval } from '../../profile/sampling/confidence.js';
import type { ObjectShape } from '../../workload/shapes/shape.js';
import type { OperationShape } from '../../workload/workload.js';
import { holdsArrays } from '../joins/joined-values.js';
import type { Condition } from '../queries/conditions.js';
import { plannedFigures } from '../queries/query-cost.js';
import type { Query } from '../queries/query.js';
import { keyOf, type SuggestedIndex } from './suggested-index.js';

/** What the recorded executions of a query would have examined, had its index been there: an estimate. */
export interface DocumentsWithIndex {
  readonly documents: number;
  readonly executions: number;
}

/** Of the normal distribution: 95 % lie within. */
const STATED_DEVIATIONS = 1.96;
/** At most so many in 95 % of cases if none was counted: the rule of three. */
const MOST_IF_NONE = 3;

/**
 * If the index's keys tell all conditions, only documents that match are read, and the source counted these. A list with
 * `null` in it leaves out few, and what `skip` passes over are keys (measured on 6.0.5). Null if some are tested on documents, if all that match have to be sorted, or if the source does not report how many match.
 *
 * @param indexes those that the query gets: one, or one for each branch of `$or`
 */
export function documentsWithIndex(
  query: Query,
  indexes: readonly SuggestedIndex[],
  fieldTypes: FieldTypes | null,
): DocumentsWithIndex | null {
  const { figures } = plannedFigures(query.operation) ?? {};
  if (figures === undefined || query.joins || !areTestedOnKeys(query, indexes, fieldTypes)) return null;
  const { executions, documentsReturned, documentsWritten } = figures;
  if (isCovered(query, indexes, fieldTypes)) return { documents: 0, executions };
  const matching = documentsWritten ?? documentsReturned;
  const sortsAll =
    query.limited && query.sort.length > 0 && !indexes.every(({ sorts, sortsFew }) => sorts || sortsFew === true);
  if (!query.tellsMatches || matching === null || sortsAll) return null;
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

function areTestedOnKeys(
  { conditions: { all, alternatives } }: Query,
  indexes: readonly SuggestedIndex[],
  fieldTypes: FieldTypes | null,
): boolean {
  const isTested = (conditions: readonly Condition[]) =>
    indexes.some((index) => {
      const fields = new Set(Object.keys(keyOf(index)));
      return conditions.every(
        (condition) =>
          condition.role === 'mixed' || (fields.has(condition.path) && isExact(condition, conditions, fieldTypes)),
      );
    });
  const [branches, ...others] = alternatives;
  if (branches === undefined) return isTested(all);
  // Beside other conditions, the branches are tested on documents.
  return (
    all.length === 0 &&
    others.length === 0 &&
    branches.every((branch) => branch.alternatives.length === 0 && isTested(branch.all))
  );
}

/** Of two bounds on an array, the index is searched by one. */
function isExact(
  { path, role, element }: Condition,
  all: readonly Condition[],
  fieldTypes: FieldTypes | null,
): boolean {
  if (role === 'none') return false;
  const isAlone = all.filter((other) => other.path === path).length === 1;
  return isAlone || element !== null || holdsArrays(fieldTypes, path) === false;
}

/** Whether keys hold all that is asked for, so that no document is read. Keys of arrays hold one element. */
function isCovered(
  { operation: { shape }, conditions, sort }: Query,
  [index, ...others]: readonly SuggestedIndex[],
  fieldTypes: FieldTypes | null,
): boolean {
  if (index === undefined || others.length > 0) return false;
  const fields = Object.keys(keyOf(index));
  if (!fields.every((path) => holdsArrays(fieldTypes, path) === false)) return false;
  // A key does not report null from a missing field.
  if (conditions.all.some(({ ofNull, role }) => ofNull || role === 'mixed')) return false;
  const asked = shape.kind === 'find' ? projected(shape.projection) : countsOnly(shape) ? [] : null;
  return asked !== null && [...asked, ...sort.map(([path]) => path)].every((path) => fields.includes(path));
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
