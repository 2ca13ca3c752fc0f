import {
  balancerState,
  formatBytes,
  formatCount,
  formatShare,
  MS_PER_DAY,
  plural,
  worstImbalance,
  type BalancerState,
} from '../src/helpers.js';
import {
  defineCheck,
  type Collection,
  type CollectionSharding,
  type Problem,
  type TextRemedy,
  type Severity,
  type ShardPart,
} from '../src/check.js';

export const unbalancedChunks = defineCheck({
  id: 'unbalanced-chunks',
  title: 'Unbalanced shards',
  summary: 'shards that hold far more of a collection than others, and no balancer that will even them out',
  appliesTo: ['collection'],
  appliesWhere: 'sharded',
  needs: ['storage', 'sharding'],
  thresholds: {
    chunkSizes: {
      default: 3,
      unit: 'chunks',
      description:
        'difference between the fullest and the emptiest shard, in sizes of a chunk, from which they are out of balance',
      source:
        'MongoDB manual, "Sharded Cluster Balancer": the balancer itself tolerates less than three times the chunk size (6.0.3)',
    },
    warning: {
      default: 0.5,
      unit: 'share',
      description:
        "the emptiest shard's part as a share of the fullest one's below which it is a warning (an info above)",
      source: 'judgement: one shard with twice the data of another',
    },
    begun: {
      default: 1,
      unit: 'days',
      description: 'time since the first chunk reached the emptiest shard within which balancing has only just begun',
      source: 'judgement: a balancer moves one chunk per shard at a time',
    },
  },
  judge({ collection, sharding }, { chunkSizes, warning, begun }) {
    const own = collection.sharding;
    if (own === undefined) return [];
    const imbalance = worstImbalance(sharding.parts, own, sharding.chunks, chunkSizes);
    if (imbalance === null) return [];
    const { fullest, emptiest, ratio } = imbalance;
    const state = balancerState(own, emptiest, begun * MS_PER_DAY);
    if (state === 'just begun') {
      const detail = `the balance of ${collection.namespace}: ${emptiest.shard} has only just begun to receive chunks; lint again when the balancer has come to rest.`;
      return [{ notJudged: 'insufficient', detail, nothingJudged: true }];
    }
    const inBytes = own.cluster.balancer.evensOut === 'bytes';
    const amount = (part: ShardPart) => (inBytes ? formatBytes(part.bytes ?? 0) : plural(part.chunks, 'chunk'));
    const full: Severity = ratio < warning ? 'warning' : 'info';
    const problem: Problem = {
      severity: state === 'at work' ? 'info' : full,
      confidence: 'high',
      path: null,
      message:
        `${fullest.shard} holds ${amount(fullest)}, ${emptiest.shard} ${amount(emptiest)}${own.zones.length > 0 ? ', and both are in the same zones' : ''}: ` +
        `${ratio === 0 ? 'nothing' : formatShare(ratio)} of it. ${stateText(state, emptiest)}`,
      evidence: {
        source: inBytes ? 'collStats, config.chunks' : 'config.chunks',
        window: `${plural(sharding.chunks, 'chunk')} on ${plural(sharding.parts.length, 'shard')}`,
        ...(inBytes
          ? { differenceBytes: imbalance.difference, toleratedBytes: imbalance.tolerated }
          : { differenceChunks: imbalance.difference, toleratedChunks: imbalance.tolerated }),
        shareOfFullest: ratio,
        balancer: state,
        shards: sharding.parts.map((part) => ({
          shard: part.shard,
          chunks: part.chunks,
          bytes: part.bytes,
          orphans: part.orphans,
        })),
      },
      remedy: remedyFor(state, collection, own),
    };
    return [problem];
  },
});

function stateText(state: BalancerState, { lastArrivalAge }: ShardPart): string {
  switch (state) {
    case 'off':
      return "The cluster's balancer is off, so that it stays so.";
    case 'off for the collection':
      return 'Balancing is off for this collection, so that it stays so.';
    case 'at work':
      return 'The balancer has moved chunks within the last day.';
    default:
      return lastArrivalAge === null
        ? 'The balancer is on and has never moved a chunk there.'
        : `The balancer is on and has moved no chunk there for ${formatCount(Math.floor(lastArrivalAge / MS_PER_DAY))} days.`;
  }
}

function remedyFor(state: BalancerState, { namespace }: Collection, { cluster }: CollectionSharding): TextRemedy {
  const { window } = cluster.balancer;
  switch (state) {
    case 'off':
      return {
        text: 'Start the balancer. If it was stopped for a backup or for load, give it a window of quiet hours instead (`activeWindow`).',
        commands: [{ db: 'admin', command: { balancerStart: 1 } }],
      };
    case 'off for the collection':
      return {
        text: `Turn balancing on for this collection, as \`sh.enableBalancing(${JSON.stringify(namespace)})\` does.`,
        commands: [
          {
            db: 'config',
            command: {
              update: 'collections',
              updates: [{ q: { _id: namespace }, u: { $set: { noBalance: false } } }],
              writeConcern: { w: 'majority' },
            },
          },
        ],
      };
    case 'at work':
      return {
        text:
          'Let the balancer work, and lint again in some days. If the difference stays, inserts are faster than it: see ' +
          '`monotonic-shard-key` and `low-cardinality-shard-key`.',
      };
    default:
      return {
        text:
          (window === null
            ? ''
            : `The balancer works from ${window.start} to ${window.stop} alone: widen its window. `) +
          'Look what keeps it: jumbo chunks (see `jumbo-chunk`), a shard key of few values, a shard that fails its migrations (`sh.status()`, ' +
          'and `moveChunk.error` in config.changelog).',
      };
  }
}
