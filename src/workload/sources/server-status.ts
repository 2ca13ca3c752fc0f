import type { Document } from 'mongodb';
import { figureIn, figuresIn, neededDocument, neededFigure, timeIn } from '../../connect/answer.js';
import type { Member } from '../../connect/cluster-reader.js';
import { absentBecause } from '../../connect/server-error.js';
import { present, type Evidence } from '../../presence.js';
import type { ServerCounters } from '../workload.js';

/** Sections that cost time and are not used. `metrics` and `opcounters` are always included. */
export const UNUSED_SECTIONS = Object.fromEntries(
  ['wiredTiger', 'locks', 'repl', 'tcmalloc', 'storageEngine', 'sharding', 'flowControl', 'mirroredReads'].map(
    (section) => [section, 0],
  ),
);

export type CountersByNode = ReadonlyMap<string, Evidence<ServerCounters>>;

export async function readServerStatus({ name, reader }: Member): Promise<Evidence<ServerCounters>> {
  try {
    return present(countersOf(await reader.command('admin', { serverStatus: 1, ...UNUSED_SECTIONS })));
  } catch (error) {
    return absentBecause(
      error,
      `reading the counters of ${name}`,
      'serverStatus on the cluster, as in the role clusterMonitor',
    );
  }
}

const COMMAND = 'serverStatus';

function countersOf(status: Document): ServerCounters {
  const to = timeIn(status, 'localTime') ?? Date.now();
  const metrics = neededDocument(COMMAND, status, 'metrics');
  return {
    window: { from: to - neededFigure(COMMAND, status, 'uptimeMillis'), to },
    stages: positiveCounts(neededDocument(COMMAND, status, 'metrics.aggStageCounters')),
    operations: positiveCounts(neededDocument(COMMAND, status, 'opcounters')),
    joins: joinsOf(metrics),
    collectionScans: figureIn(metrics, 'queryExecutor.collectionScans.total'),
    inMemorySorts: figureIn(metrics, 'operation.scanAndOrder'),
    queryStats: leftOutOfQueryStats(metrics['queryStats']),
    profiler: leftOutOfProfilers(status['profiler']),
    ...connectionsOf(status),
    ...transactionsOf(status),
  };
}

/** The kinds of operations whose times are added up since the start. */
const TIMED = ['reads', 'writes', 'commands', 'transactions'];

function connectionsOf(status: Document): Pick<ServerCounters, 'connections'> {
  const [open, available, created] = ['current', 'available', 'totalCreated'].map((name) =>
    figureIn(status, `connections.${name}`),
  );
  if (typeof open !== 'number' || typeof available !== 'number' || typeof created !== 'number') return {};
  const times = TIMED.map((kind) => figureIn(status, `opLatencies.${kind}.latency`) ?? 0);
  const micros = times.reduce((sum, time) => sum + time, 0);
  const uptime = neededFigure(COMMAND, status, 'uptimeMillis') * MICROS_PER_MS;
  return { connections: { open, limit: open + available, created, busy: micros > 0 ? micros / uptime : null } };
}

const MICROS_PER_MS = 1_000;

function joinsOf(metrics: Document): ServerCounters['joins'] {
  const [hash, indexedLoop, nestedLoop] = ['hashLookup', 'indexedLoopJoin', 'nestedLoopJoin'].map((name) =>
    figureIn(metrics, `query.lookup.${name}`),
  );
  const isCounted = typeof hash === 'number' && typeof indexedLoop === 'number' && typeof nestedLoop === 'number';
  return isCounted ? { hash, indexedLoop, nestedLoop } : null;
}

function leftOutOfQueryStats(metrics: Document | undefined): ServerCounters['queryStats'] {
  const limited = figureIn(metrics, 'numRateLimitedRequests');
  if (limited === null) return null;
  const [evicted, unwritten] = ['numEvicted', 'numQueryStatsStoreWriteErrors'].map((name) => figureIn(metrics, name));
  return { limited, lost: evicted === null || evicted === undefined ? null : evicted + (unwritten ?? 0) };
}

function leftOutOfProfilers(section: Document | undefined): ServerCounters['profiler'] {
  const dropped = figureIn(section, 'totalAbandonedWrites');
  return dropped === null ? null : { dropped, switchedOff: figureIn(section, 'dbsPastThreshold') ?? 0 };
}

function positiveCounts(counters: Document): Record<string, number> {
  const counts = Object.entries(figuresIn({ counters }, 'counters') ?? {});
  return Object.fromEntries(counts.filter(([, value]) => value > 0));
}

function transactionsOf(status: Document): Pick<ServerCounters, 'transactions'> {
  const [aborted, committed] = ['totalAborted', 'totalCommitted'].map((name) =>
    figureIn(status, `transactions.${name}`),
  );
  return typeof aborted === 'number' && typeof committed === 'number' ? { transactions: { aborted, committed } } : {};
}
