import type { RemedyStep } from '../../finding.js';
import { databaseOf } from '../../namespace.js';
import { isWithin, queryPath } from '../../profile/path-steps.js';
import { sourceCoverage } from '../../workload/coverage/recording.js';
import { DATA_NAME } from '../../workload/shapes/sort-shape.js';
import { FIGURE_SOURCES } from '../../workload/workload.js';
import type { JoinedCluster } from '../joins/joined-cluster.js';
import { everyCondition } from './conditions.js';
import type { QueryGroup } from './query-groups.js';
import { queriesOf, type Query } from './query.js';

/** A field in the profile's notation: `lines[].product`. */
interface Field {
  readonly namespace: string;
  readonly path: string;
}

/** Executions on a collection from which the operations seen count as all that an application does. Judgement. */
const ENOUGH_EXECUTIONS = 100;

/** Whether a recorded operation searches by a field, sorts by it, or joins by it, on either side. */
export function isAskedFor(field: Field, cluster: JoinedCluster): boolean {
  const asked = queryPath(field.path);
  const own = queriesOf(cluster).filter(({ known }) => known.collection.namespace === field.namespace);
  const keys = cluster.workload.joinUses.flatMap(({ join }) => join.keys);
  return (
    own.some(
      ({ conditions, sort }) =>
        everyCondition(conditions).some(({ path }) => path === asked) || sort.some(([path]) => path === asked),
    ) ||
    keys.some(({ local, foreign }) =>
      [local.origin, foreign.origin].some(
        (side) => side.traced && side.namespace === field.namespace && side.path === asked,
      ),
    )
  );
}

/**
 * How many executions a source with all operations has recorded on the collection, if none asks for the field; null if one
 * does, if an operation was cut off, or if they are too few to tell.
 */
export function executionsWithout(field: Field, cluster: JoinedCluster): number | null {
  const { workload } = cluster;
  const database = databaseOf(field.namespace);
  const onIt = workload.operations.filter(({ shape }) => shape.namespace === field.namespace);
  if (onIt.some(({ shape }) => shape.truncated === true) || isAskedFor(field, cluster)) return null;
  const recorded = FIGURE_SOURCES.filter(
    (source) => sourceCoverage(workload, source, database).operations === 'all',
  ).map((source) => onIt.reduce((sum, { figures }) => sum + (figures[source]?.executions ?? 0), 0));
  const most = Math.max(0, ...recorded);
  return most >= ENOUGH_EXECUTIONS ? most : null;
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

function missingFields({ conditions, known: { fieldTypes } }: Query): string[] {
  if (!fieldTypes.present || fieldTypes.value.documents < SAMPLED) return [];
  const { fields } = fieldTypes.value;
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
