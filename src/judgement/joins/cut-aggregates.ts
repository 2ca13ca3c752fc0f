import type { NotJudged } from '../../check.js';
import { bestFigures } from '../../workload/operations/figures.js';
import { plural } from '../../format.js';
import { groupedBy } from '../../grouped-by.js';
import type { JoinedCluster } from './joined-cluster.js';

/**
 * The aggregates that a source had cut, by the collection they run on: what they join behind the cut is not known. The
 * profiler keeps nothing of a command of more than 50 KB, and the log 10 KB unless told otherwise (measured on 6.0.5).
 */
export function cutAggregates({
  collections,
  workload,
}: JoinedCluster): (NotJudged & { readonly namespace: string })[] {
  const cut = workload.tracedOperations.filter(
    ({ operation: { shape } }) => shape.kind === 'aggregate' && shape.truncated === true,
  );
  return [...groupedBy(cut, ({ base }) => base)].flatMap(([namespace, operations]) => {
    if (!collections.has(namespace)) return [];
    const executions = operations.reduce((sum, { operation }) => sum + bestFigures(operation).figures.executions, 0);
    const detail = `${plural(executions, 'execution')} of aggregates had their commands cut by the log or profiler, so that joins behind the cut are not known; db.adminCommand({setParameter: 1, maxLogSizeKB: 100}) makes the log keep 100 KB of a command, where it keeps 10.`;
    return [{ namespace, notJudged: 'bound' as const, detail }];
  });
}
