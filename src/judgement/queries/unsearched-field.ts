import { databaseOf } from '../../namespace.js';
import { queryPath } from '../../profile/path-steps.js';
import { sourceCoverage } from '../../workload/coverage/source-window.js';
import { FIGURE_SOURCES } from '../../workload/workload.js';
import type { JoinedCluster } from '../joins/joined-cluster.js';
import { everyCondition } from './conditions.js';
import { queriesOf } from './query.js';

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
