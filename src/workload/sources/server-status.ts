import type { Document } from 'mongodb';
import type { Member } from '../../connect/cluster-reader.js';
import { absentBecause } from '../../connect/server-error.js';
import { present, type Evidence } from '../../presence.js';
import type { ServerCounters } from '../workload.js';

/** Sections that cost time and are not used. `metrics` and `opcounters` are always included. */
const LEFT_OUT = Object.fromEntries(
  [
    'wiredTiger',
    'locks',
    'repl',
    'tcmalloc',
    'transactions',
    'storageEngine',
    'sharding',
    'flowControl',
    'mirroredReads',
  ].map((section) => [section, 0]),
);

export async function readServerStatus({ name, reader }: Member): Promise<Evidence<ServerCounters>> {
  try {
    return present(countersOf(await reader.command('admin', { serverStatus: 1, ...LEFT_OUT })));
  } catch (error) {
    return absentBecause(
      error,
      `reading the counters of ${name}`,
      'serverStatus on the cluster, as in the role clusterMonitor',
    );
  }
}

function countersOf(status: Document): ServerCounters {
  const to = status['localTime'] instanceof Date ? status['localTime'].getTime() : Date.now();
  const metrics: Document = status['metrics'] ?? {};
  const joins: Document | undefined = metrics['query']?.['lookup'];
  return {
    window: { from: to - (count(status['uptimeMillis']) ?? 0), to },
    stages: positiveCounts(metrics['aggStageCounters']),
    operations: positiveCounts(status['opcounters']),
    joins:
      joins === undefined
        ? null
        : {
            hash: count(joins['hashLookup']) ?? 0,
            indexedLoop: count(joins['indexedLoopJoin']) ?? 0,
            nestedLoop: count(joins['nestedLoopJoin']) ?? 0,
          },
    collectionScans: count(metrics['queryExecutor']?.['collectionScans']?.['total']),
    inMemorySorts: count(metrics['operation']?.['scanAndOrder']),
    queriesNotInQueryStats: count(metrics['queryStats']?.['numRateLimitedRequests']),
  };
}

function positiveCounts(counters: Document | undefined): Record<string, number> {
  const counts = Object.entries(counters ?? {}).map(([name, value]) => [name, count(value) ?? 0] as const);
  return Object.fromEntries(counts.filter(([, value]) => value > 0));
}

function count(value: unknown): number | null {
  const number = value === undefined || value === null ? Number.NaN : Number(String(value));
  return Number.isFinite(number) ? number : null;
}
