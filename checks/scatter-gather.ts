import { sum } from 'simple-statistics';
import {
  type ClusterVerdict,
  defineClusterCheck,
  type OperationFigures,
  type RemedyStep,
  type Severity,
  type TracedWorkload,
} from '../src/check.js';
import { formatCount, formatShare, plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { formatShardKey, type ShardKey } from '../src/inventory/sharding.js';
import { equalPaths } from '../src/judgement/queries/conditions.js';
import { withSimilar } from '../src/judgement/queries/judged-query.js';
import { RECURRING } from '../src/judgement/queries/query-thresholds.js';
import { queriesOf, type Query } from '../src/judgement/queries/query.js';
import { filterText } from '../src/judgement/queries/range-page.js';
import { shardKeyCommand } from '../src/judgement/shard-keys/reshard-remedy.js';
import { filterTarget } from '../src/judgement/shard-keys/targeting.js';
import { shellStatement } from '../src/judgement/shell-statement.js';
import {
  areHere,
  executionsPerDay,
  ofOneRecord,
  recordedWindow,
  type RecordedWindow,
  SOURCE_NAMES,
  sourceCoverage,
  sourcesOf,
  windowOf,
} from '../src/workload/coverage/recording.js';

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
      description: 'documents returned per execution, at most',
      source: 'judgement: a page or two; of many documents, each shard returns its part',
    },
    share: {
      default: 0.5,
      unit: 'share',
      description: 'share of the recorded queries on the collection, for a warning',
      source: 'judgement: the shard key then serves fewer queries than it fails',
    },
    perDay: {
      default: 1_000,
      unit: 'executions',
      description: 'executions per day, for a warning',
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

/** The scattered queries of one collection, by logs of mongos. */
interface ScatteredQueries extends RecordedWindow {
  /** The one with most executions first. */
  readonly queries: readonly [ScatteredQuery, ...ScatteredQuery[]];
  readonly executions: number;
  /** Null if unknown. */
  readonly executionsPerDay: number | null;
  /** Share of the collection's recorded queries whose number of shards is known, 0 to 1. */
  readonly shareOfRecorded: number;
}

function verdictOn(
  namespace: string,
  found: ScatteredQueries,
  key: ShardKey,
  shards: number,
  severity: Severity,
): ClusterVerdict {
  const { queries, executions, executionsPerDay: perDay, shareOfRecorded } = found;
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
      executionsPerDay: perDay === null ? null : Math.round(perDay),
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

function remedySteps(namespace: string, { queries, executions }: ScatteredQueries, key: ShardKey): RemedyStep[] {
  const [{ query }] = queries;
  const named = Object.fromEntries(key.map(({ path }) => [path, { $eq: '?value' }]));
  const field = mostAskedField(queries);
  const withField = executionsWith(field, queries);
  return [
    {
      text: 'If the application knows the values of the shard key, such as from the document that led it here, let the query name them too. It then goes to one shard.',
      code: shellStatement(
        namespace,
        'find',
        filterText([{ ...named, ...query.filters[0] }, ...query.filters.slice(1)]),
      ),
    },
    {
      text: `Otherwise, a shard key that begins with \`${field}\` serves ${formatShare(withField / executions)} of these executions. Check it against the data and the other queries first. This only reads.`,
      code: shardKeyCommand(namespace, keyBeginningWith(field, key)),
    },
    {
      text: 'Check where the query goes: explain() then has the stage SINGLE_SHARD, and mongos logs it with nShards: 1.',
    },
  ];
}

/** `_id` mostly follows the order of insertion, which its hash does not. */
function keyBeginningWith(field: string, key: ShardKey): ShardKey {
  if (field === '_id') return [{ path: field, hashed: true }];
  return [field, ...key.flatMap(({ path }) => (path === field ? [] : [path]))].map((path) => ({ path, hashed: false }));
}

/** The field of which most executions name a value. */
function mostAskedField(queries: ScatteredQueries['queries']): string {
  const fields = new Set(queries.flatMap(({ query }) => equalPaths(query.conditions)));
  const [most = '_id'] = [...fields].toSorted(
    (one, other) => executionsWith(other, queries) - executionsWith(one, queries),
  );
  return most;
}

function executionsWith(field: string, queries: ScatteredQueries['queries']): number {
  return queries.reduce(
    (total, { query, executions }) => total + (equalPaths(query.conditions).includes(field) ? executions : 0),
    0,
  );
}

/** A query for few documents that mongos sent to every shard, because it names no value of the shard key's first field. */
interface ScatteredQuery {
  readonly query: Query;
  /** Executions that went to all shards. */
  readonly executions: number;
  /** Per execution. */
  readonly documentsReturned: number;
}

/**
 * @param queries those of one collection
 * @param shards that hold documents of it
 * @param mostReturned documents per execution up to which one shard could have answered as well
 * @returns null if no query is scattered
 */
function scatteredQueries(
  queries: readonly Query[],
  workload: TracedWorkload,
  key: ShardKey,
  { shards, mostReturned }: { readonly shards: number; readonly mostReturned: number },
): ScatteredQueries | null {
  const routed = ofOneRecord(
    queries.filter(({ operation }) => operation.figures.routerLog?.shardsContacted !== undefined),
    ({ operation }) => operation,
  );
  const scattered = routed
    .flatMap((query) => scatteredQuery(query, key, shards) ?? [])
    .filter(({ documentsReturned }) => documentsReturned <= mostReturned)
    .toSorted((one, other) => other.executions - one.executions);
  const [first, ...others] = scattered;
  if (first === undefined) return null;
  const executions = sum(scattered.map((each) => each.executions));
  const operations = scattered.map(({ query }) => query.operation);
  const { database, expected } = first.query.known.collection;
  const coverage = sourceCoverage(sourcesOf(workload, operations), 'routerLog', database);
  return {
    queries: [first, ...others],
    executions,
    ...recordedWindow(executions, coverage, operations),
    executionsPerDay:
      expected?.executionsPerDay ?? (areHere(operations) ? null : executionsPerDay(executions, coverage)),
    shareOfRecorded: executions / sum(routed.map(({ operation }) => contacting(operation.figures.routerLog, 1))),
  };
}

function scatteredQuery(query: Query, key: ShardKey, shards: number): ScatteredQuery | null {
  const figures = query.operation.figures.routerLog;
  const isForFew = equalPaths(query.conditions).length > 0;
  const isTargeted = query.filters.some((filter) => filterTarget(filter, key) !== 'all');
  const returned = figures?.documentsReturned ?? null;
  if (figures === undefined || returned === null || !isForFew || isTargeted || query.joins || !query.returnsEachMatch)
    return null;
  const executions = contacting(figures, shards);
  return executions === 0 ? null : { query, executions, documentsReturned: returned / figures.executions };
}

/** Executions that went to this many shards or more. */
function contacting(figures: OperationFigures | undefined, shards: number): number {
  const counts = Object.entries(figures?.shardsContacted ?? {});
  return sum(counts.filter(([contacted]) => Number(contacted) >= shards).map(([, executions]) => executions));
}
