import { defineClusterCheck, type ClusterVerdict, type Severity } from '../../src/check.js';
import { formatCount, formatShare, plural } from '../../src/format.js';
import { groupedBy } from '../../src/grouped-by.js';
import { formatShardKey, type ShardKey } from '../../src/inventory/sharding.js';
import { withSimilar } from '../../src/judgement/queries/judged-query.js';
import { RECURRING } from '../../src/judgement/queries/query-thresholds.js';
import { queriesOf, type Query } from '../../src/judgement/queries/query.js';
import { windowOf } from '../../src/workload/coverage/recording.js';
import { SOURCE_NAMES } from '../../src/workload/coverage/source-window.js';
import { remedySteps } from './remedy.js';
import { scatteredQueries, type ScatteredQueries } from './scattered-queries.js';

const LEAST_SHARDS = 2;

/**
 * A sharded collection is a finding if mongos sends repeated queries for few documents to all of its shards, since they name no
 * value of the shard key: a warning if these are half of its queries, and not a nightly job.
 */
export const scatterGather = defineClusterCheck({
  id: 'scatter-gather',
  title: 'Scatter-gather query',
  summary: 'queries for few documents that mongos sends to every shard',
  appliesWhere: 'sharded',
  needs: ['indexes', 'storage', 'fieldTypes', 'sharding'],
  clusterNeeds: ['workload'],
  thresholds: {
    returned: {
      default: 100,
      unit: 'documents',
      description: 'documents returned by an average execution above which it is no search for few',
      source: 'judgement: a page or two; of many documents, each shard returns its part',
    },
    share: {
      default: 0.5,
      unit: 'share',
      description: 'share of the recorded queries on the collection from which a warning is given',
      source: 'judgement: the shard key then serves fewer queries than it fails',
    },
    perDay: {
      default: 1_000,
      unit: 'executions',
      description: 'executions per day below which it is no more than an info',
      source: 'judgement: a nightly job may ask all shards',
    },
  },
  retiredThresholds: ['executions'],
  judge({ collections, workload }, limits) {
    if (![...collections.values()].some(({ collection }) => collection.sharding !== undefined)) return [];
    const { routerLog } = workload.sources;
    if (!routerLog.present) return [{ notJudged: routerLog.reason, detail: routerLog.detail, nothingJudged: true }];
    const byCollection = groupedBy(queriesOf({ collections, workload }), ({ known }) => known.collection.namespace);
    return [...byCollection].flatMap(([namespace, queries]): ClusterVerdict[] => {
      const { collection, sharding } = collections.get(namespace)!;
      if (collection.sharding === undefined) return [];
      const { key, cluster } = collection.sharding;
      // Where its chunks can't be read, only what went to all shards of the cluster went to all of the collection.
      const shards = sharding.present ? sharding.value.parts.length : cluster.shards.length;
      if (shards < LEAST_SHARDS) return [];
      const found = scatteredQueries(queries, workload, key, { shards, mostReturned: limits.returned });
      if (found === null || found.executions < RECURRING) return [];
      const isMuch = found.shareOfRecorded >= limits.share && (found.executionsPerDay ?? 0) >= limits.perDay;
      return [verdictOn(namespace, found, key, shards, isMuch ? 'warning' : 'info')];
    });
  },
});

function verdictOn(
  namespace: string,
  found: ScatteredQueries,
  key: ShardKey,
  shards: number,
  severity: Severity,
): ClusterVerdict {
  const { queries, executions, executionsPerDay, shareOfRecorded } = found;
  const all = queries.map(({ query }) => query) as [Query, ...Query[]];
  const [{ documentsReturned }] = queries;
  return {
    namespace,
    path: null,
    severity,
    confidence: 'high',
    message:
      `mongos sends queries for few documents to all ${shards} shards: ${withSimilar({ queries: all })} names no value of \`${key[0]?.path}\`, ` +
      `with which the shard key ${formatShardKey(key)} begins, and returns ${plural(Math.round(documentsReturned), 'document')} on average ` +
      `(${found.window}; ${formatShare(shareOfRecorded)} of what mongos logged of the collection). Each execution works on every shard and waits for the slowest, ` +
      'so that more shards make it no faster.',
    restsOn: [SOURCE_NAMES.routerLog],
    evidence: {
      source: SOURCE_NAMES.routerLog,
      ...windowOf(found),
      executions,
      executionsPerDay: executionsPerDay === null ? null : Math.round(executionsPerDay),
      shareOfRecorded,
      documentsReturned: Math.round(documentsReturned),
      shards,
      shardKey: formatShardKey(key),
      queries: queries.map(
        ({ query, executions: times }) => `${withSimilar({ queries: [query] })}: ${formatCount(times)}`,
      ),
    },
    operations: all.map(({ operation }) => operation),
    remedy: { steps: remedySteps(namespace, found, key) },
  };
}
