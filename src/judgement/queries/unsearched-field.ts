import type { RemedyStep } from '../../finding.js';
import { databaseOf } from '../../namespace.js';
import { isWithin, queryPath } from '../../profile/path-steps.js';
import { sourceCoverage } from '../../workload/coverage/recording.js';
import { DATA_NAME } from '../../workload/shapes/sort-shape.js';
import { FIGURE_SOURCES, type Operation } from '../../workload/workload.js';
import type { JoinedCluster } from '../joins/joined-cluster.js';
import { sumOf } from '../quotient.js';
import { everyCondition } from './conditions.js';
import type { QueryGroup } from './query-groups.js';
import { queriesOf, type Query } from './query.js';

/** A field in the profile's notation: `lines[].product`. */
interface Field {
  readonly namespace: string;
  readonly path: string;
}

/** Executions on a collection, or in its database, from which the operations seen count as all that an application does. Judgement. */
const ENOUGH_EXECUTIONS = 100;
const ENOUGH_IN_DATABASE = 1_000;

type Side = 'local' | 'foreign';

/** Whether a recorded operation searches by a field, sorts by it, or joins by it on one of these sides. */
export function isAskedFor(
  field: Field,
  cluster: JoinedCluster,
  sides: readonly Side[] = ['local', 'foreign'],
): boolean {
  const asked = queryPath(field.path);
  const own = queriesOf(cluster).filter(({ known }) => known.collection.namespace === field.namespace);
  const keys = cluster.workload.joinUses.flatMap(({ join }) => join.keys);
  return (
    own.some(
      ({ conditions, sort }) =>
        everyCondition(conditions).some(({ path }) => path === asked) || sort.some(([path]) => path === asked),
    ) ||
    keys.some((key) =>
      sides
        .map((side) => key[side].origin)
        .some((origin) => origin.traced && origin.namespace === field.namespace && origin.path === asked),
    )
  );
}

/**
 * How many executions a source with all operations has recorded on the collection, if none asks for the field; null if one
 * does, if an operation was cut off, or if they, and those in the whole database, are too few to tell.
 */
export function executionsWithout(field: Field, cluster: JoinedCluster, sides?: readonly Side[]): number | null {
  const { workload } = cluster;
  const database = databaseOf(field.namespace);
  const onIt = workload.operations.filter(({ shape }) => shape.namespace === field.namespace);
  if (onIt.some(({ shape }) => shape.truncated === true) || isAskedFor(field, cluster, sides)) return null;
  const inDatabase = workload.operations.filter(({ shape }) => databaseOf(shape.namespace) === database);
  const complete = FIGURE_SOURCES.filter((source) => sourceCoverage(workload, source, database).operations === 'all');
  const mostOf = (operations: readonly Operation[]) =>
    Math.max(0, ...complete.map((source) => sumOf(operations, ({ figures }) => figures[source]?.executions ?? 0) ?? 0));
  const most = mostOf(onIt);
  return most >= ENOUGH_EXECUTIONS || mostOf(inDatabase) >= ENOUGH_IN_DATABASE ? most : null;
}

/** Sampled documents from which a field that none has is missing: 5 % of such samples miss what three in a hundred have. */
const SAMPLED = 100;

/** The field that queries compare with values, if no sampled document has it and no execution found any; null otherwise. */
export function missingField({ queries, cost }: QueryGroup): string | null {
  const isFruitless = queries.every(({ returnsEachMatch, returnsIfAny }) => returnsEachMatch || returnsIfAny);
  if (!isFruitless || cost.documentsReturned !== 0) return null;
  const [first, ...others] = queries.map(missingFields) as [string[], ...string[][]];
  return first.find((path) => others.every((each) => each.includes(path))) ?? null;
}

/** Paths from which the profile of a collection may have left out a field. */
const MANY_PATHS = 4_000;

/** The fields that a query compares with values, and that no sampled document has. */
export function missingFields({ conditions, known: { fieldTypes } }: Query): string[] {
  if (!fieldTypes.present || fieldTypes.value.documents < SAMPLED) return [];
  const { fields } = fieldTypes.value;
  const hasNamesOfData = fields.some(({ path }) => path.startsWith('*'));
  if (hasNamesOfData || fields.length >= MANY_PATHS) return [];
  return conditions.all.flatMap(({ path, role, ofNull }) => {
    const isCompared = (role === 'equality' || role === 'list' || role === 'range') && !ofNull;
    const isMissing = !fields.some((field) => isWithin(queryPath(field.path), path));
    return isCompared && isMissing && path !== '' && !path.split('.').includes(DATA_NAME) ? [path] : [];
  });
}

/** An index would find nothing either, only faster. */
export function missingFieldSteps(path: string, key: string): RemedyStep[] {
  return [
    {
      text: `Find out whether \`${path}\` is misspelt where the query is built, or was renamed. Correct it there, or leave the query out.`,
    },
    { text: `If documents are yet to have the field, create the index then: ${key}.` },
  ];
}
