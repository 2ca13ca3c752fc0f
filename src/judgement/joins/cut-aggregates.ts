import type { NotJudged } from '../../check.js';
import { plural } from '../../format.js';
import { groupedBy } from '../../grouped-by.js';
import { bestFigures } from '../../workload/operations/figures.js';
import type { JoinedCluster } from './joined-cluster.js';

/**
 * The aggregates that a source truncated, by collection: joins in the missing part are unknown. The profiler keeps
 * nothing of a command of more than 50 KB, the log 10 KB by default (measured on 6.0.5).
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
    const detail = `the log or profiler truncated the commands of ${plural(executions, 'execution')} of aggregates, so joins in the missing part are unknown. db.adminCommand({setParameter: 1, maxLogSizeKB: 100}) makes the log keep 100 KB of a command instead of 10 KB.`;
    return [{ namespace, notJudged: 'bound' as const, detail }];
  });
}
