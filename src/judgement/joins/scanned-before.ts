import { isCollectionScan } from '../../workload/operations/execution.js';
import type { TracedOperation } from '../../workload/traced-workload.js';
import type { FigureSource } from '../../workload/workload.js';
import { SCAN_SIZE } from '../queries/query-thresholds.js';
import { documentsOf, type JoinedCluster } from './joined-cluster.js';
import { unservedJoins } from './unserved-joins.js';

/**
 * Whether recorded executions scanned a collection that they join, though an index serves all their joins now: they ran before
 * it was built. At least one of them examined as many documents as that collection has, beyond those that index keys lead to
 * and those that a scan of its own collection reads.
 */
export function scannedBefore(
  { operation, base, joins, stages }: TracedOperation,
  source: FigureSource,
  cluster: JoinedCluster,
): boolean {
  const {
    documentsExamined = null,
    keysExamined = null,
    executions = 0,
    planSummaries = {},
  } = operation.figures[source] ?? {};
  const plans = Object.keys(planSummaries);
  if (documentsExamined === null || keysExamined === null || plans.length === 0 || joins.length === 0) return false;
  // These read a collection whole, whatever indexes it has.
  const readsWhole = joins.some(({ keys }) => keys.length === 0) || stages.some((stage) => '$unionWith' in stage);
  if (readsWhole || unservedJoins(cluster).some(({ use }) => use.operation === operation)) return false;
  const isOwnScanned = plans.some(isCollectionScan);
  const own = isOwnScanned ? (documentsOf(cluster, base) ?? Infinity) * executions : 0;
  const smallest = Math.min(...joins.map(({ foreign }) => documentsOf(cluster, foreign.base) ?? Infinity));
  return documentsExamined - keysExamined - own >= Math.max(smallest, SCAN_SIZE.default);
}
