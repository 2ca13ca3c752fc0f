import {
  type Confidence,
  defineCheck,
  type InsertionOrder,
  type KeyOrder,
  type NotJudged,
  type Severity,
  type ShardingEvidence,
  type ShardKeyEvidence,
} from '../src/check.js';
import { VALUE_KIND_NAMES } from '../src/evidence/sharding/value-kind.js';
import { formatCount, formatShare, plural } from '../src/format.js';
import { formatShardKey } from '../src/inventory/sharding.js';
import { knownSizes } from '../src/inventory/storage.js';
import { sizesUnknown } from '../src/judgement/judged-size.js';
import { correlationWithin, lowered } from '../src/judgement/margins.js';
import { betterKey, LEAST_PAIRS, orderVerdict, type OrderVerdict } from '../src/judgement/shard-keys/better-key.js';
import { reshardRemedy } from '../src/judgement/shard-keys/reshard-remedy.js';
import { MS_PER_DAY } from '../src/time-units.js';

/** Observations from which a correlation is of high confidence. */
const PAIRS_FOR_HIGH = 5 * LEAST_PAIRS;

/** The sources of the insertion order, for people. */
const ORDER_SOURCES: Readonly<Record<InsertionOrder, string>> = {
  idTime: 'the time in _id',
  creationDate: 'a date that agrees with the time in _id',
  recordId: 'RecordIds',
  recordIdWithinChunks: 'RecordIds within chunks',
};

/**
 * Effective values of the leading fields from which inserts are spread. Judgement: a tenant has enough, a region or a month
 * does not.
 */
const SPREAD_VALUES = 50;

/** The same per shard, if that is more. Judgement: ten places for inserts per shard balance each other. */
const VALUES_PER_SHARD = 10;

export const monotonicShardKey = defineCheck({
  id: 'monotonic-shard-key',
  title: 'Monotonic shard key',
  summary: 'a ranged shard key whose values only grow or only fall, so one shard takes all inserts',
  appliesTo: ['collection'],
  appliesWhere: 'sharded',
  needs: ['sharding', 'shardKey', 'indexes', 'storage'],
  thresholds: {
    correlation: {
      default: 0.7,
      unit: 'ratio',
      description: 'rank correlation with the insertion order, either way, of a monotonic field',
      source: "analyzeShardKey's analyzeShardKeyMonotonicityCorrelationCoefficientThreshold, MongoDB 7.0",
    },
    busy: {
      default: 86_400,
      unit: 'documents',
      description: 'inserts a day for an error: they load one shard',
      source: 'judgement: one insert a second on average means tens at peak times',
    },
    idle: {
      default: 30,
      unit: 'days',
      description: 'days without an insert that make it an info',
      source: 'judgement: without inserts, no shard is hot',
    },
  },
  retiredThresholds: ['spreadValues', 'valuesPerShard'],
  judge({ collection, sharding, shardKey, indexes, storage }, { correlation, busy, idle }) {
    const key = collection.sharding?.key ?? [];
    const limits = { correlation, spreadValues: Math.max(SPREAD_VALUES, VALUES_PER_SHARD * sharding.parts.length) };
    const { order } = shardKey;
    if (!order.present) return [{ notJudged: order.reason, detail: order.detail, nothingJudged: true }];
    const verdict = orderVerdict(order.value.fields, limits);
    if (verdict.kind === 'unknown') return [tooSmall(collection.namespace, order.value.documents)];
    if (verdict.kind !== 'monotonic') return [];
    const sizes = knownSizes(storage);
    if (sizes === null) return [sizesUnknown(collection.namespace)];
    const { field } = verdict;
    const better = betterKey(key, field, shardKey.candidates, indexes, limits);
    const insertsPerDay =
      order.value.span === null || order.value.span === 0 ? null : (sizes.count / order.value.span) * MS_PER_DAY;
    const isSure = isSurelyMonotonic(verdict, correlation, shardKey.values.sample / Math.max(1, sizes.count));
    const severity = severityOf(verdict, sharding, insertsPerDay, order.value.idle, { busy, idle });
    return [
      {
        severity: isSure ? severity : 'info',
        confidence: isSure ? confidenceOf(verdict, order.value, shardKey) : 'low',
        path: field.path,
        message: messageOf(formatShardKey(key), verdict, sharding, shardKey),
        restsOn: ['sample'],
        evidence: {
          source: 'sample, config.chunks',
          window: `${formatCount(order.value.documents)} of ${plural(sizes.count, 'document')}`,
          shardKey: formatShardKey(key),
          correlation: rounded(verdict.correlation),
          documents: order.value.documents,
          observations: field.pairs,
          insertionOrder: ORDER_SOURCES[order.value.insertionOrder],
          kind: field.kind === null ? null : VALUE_KIND_NAMES[field.kind],
          insertionPoints: rounded(verdict.insertionPoints),
          insertsPerDay: insertsPerDay === null ? null : Math.round(insertsPerDay),
          shards: sharding.parts.length,
          chunks: sharding.chunks,
          newestInHighestChunk: shardKey.newest?.inHighestChunk ?? null,
          newestInLowestChunk: shardKey.newest?.inLowestChunk ?? null,
          ...(shardKey.analysis.present && {
            analyzeShardKey: shardKey.analysis.value.monotonicity,
            analyzeShardKeyCorrelation: shardKey.analysis.value.correlation,
          }),
        },
        remedy: reshardRemedy(collection, better, indexes, sizes.count),
      },
    ];
  },
});

function tooSmall(namespace: string, documents: number): NotJudged {
  return {
    notJudged: 'insufficient',
    nothingJudged: true,
    detail:
      `the insertion order of ${namespace} is unknown: its ${plural(documents, 'document')} have too few different values or times. ` +
      'Raise --sample-size, or run again when there are more documents.',
  };
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

type Monotonic = Extract<OrderVerdict, { kind: 'monotonic' }>;

function isSurelyMonotonic({ correlation, field }: Monotonic, line: number, share: number): boolean {
  const seen = { share: Math.min(1, share), byChance: false };
  return correlationWithin(Math.abs(correlation), field.pairs, seen)[0] >= line;
}

function severityOf(
  { insertionPoints, sweeping }: Monotonic,
  { parts }: ShardingEvidence,
  insertsPerDay: number | null,
  idleMs: number | null,
  limits: { readonly busy: number; readonly idle: number },
): Severity {
  if (idleMs !== null && idleMs >= limits.idle * MS_PER_DAY) return 'info';
  const full: Severity = insertsPerDay !== null && insertsPerDay >= limits.busy ? 'error' : 'warning';
  // A single shard has nothing to share the load with. With a place per shard, or one that wanders, the load is shared in part.
  const isShared = parts.length === 1 || insertionPoints >= parts.length || sweeping;
  return isShared ? (lowered(full) ?? 'info') : full;
}

function confidenceOf({ field }: Monotonic, { insertionOrder }: KeyOrder, { analysis }: ShardKeyEvidence): Confidence {
  const server = analysis.present ? analysis.value.monotonicity : 'unknown';
  if (server === 'monotonic') return 'high';
  const byTime = insertionOrder === 'idTime' || insertionOrder === 'creationDate';
  if (server === 'not monotonic') return byTime ? 'medium' : 'low';
  return byTime && field.pairs >= PAIRS_FOR_HIGH ? 'high' : 'medium';
}

function messageOf(key: string, verdict: Monotonic, sharding: ShardingEvidence, { newest }: ShardKeyEvidence): string {
  const { field, correlation, insertionPoints, sweeping } = verdict;
  const grows = correlation > 0;
  const kind = field.kind === null ? '' : ` (${VALUE_KIND_NAMES[field.kind]})`;
  const order = `The shard key ${key} follows the insertion order: \`${field.path}\`${kind} ${grows ? 'grows' : 'falls'} with it (correlation ${correlation.toFixed(2)}`;
  if (sweeping) {
    return `${order} by the time inside). Its first bytes repeat every seven minutes. At any moment all inserts go to one chunk, which wanders through the shards.`;
  }
  if (insertionPoints >= 2) {
    return `${order}). The fields before it have few values: inserts go to about ${formatCount(Math.round(insertionPoints))} chunks at a time.`;
  }
  const shard = grows ? sharding.highestChunkShard : sharding.lowestChunkShard;
  const share = newest === null ? 0 : grows ? newest.inHighestChunk : newest.inLowestChunk;
  const proof =
    newest === null || share === 0
      ? ''
      : `: ${formatShare(share)} of the ${formatCount(newest.documents)} newest documents are in it`;
  return `${order}). All inserts go to the chunk that ${grows ? 'ends at MaxKey' : 'begins at MinKey'}, now on shard ${shard ?? 'unknown'}${proof}. The other shards take none.`;
}
