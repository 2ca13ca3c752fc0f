import { defineCheck, type Severity, type ShardPart } from '../../src/check.js';
import { formatBytes, formatShare, plural } from '../../src/format.js';
import { MS_PER_DAY } from '../../src/time-units.js';
import { balancerState, worstImbalance, type BalancerState } from './balance.js';
import { remedySteps } from './remedy.js';

export const unbalancedChunks = defineCheck({
  id: 'unbalanced-chunks',
  title: 'Unbalanced shards',
  summary: 'shards that hold far more of a collection than others, and no balancer that will change it',
  appliesTo: ['collection'],
  appliesWhere: 'sharded',
  needs: ['storage', 'sharding'],
  thresholds: {
    chunkSizes: {
      default: 3,
      unit: 'chunks',
      description:
        'difference between the fullest and the emptiest shard, in chunk sizes, from which they are unbalanced',
      source:
        'MongoDB manual, "Sharded Cluster Balancer": the balancer itself tolerates less than three times the chunk size (6.0.3)',
    },
    warning: {
      default: 0.5,
      unit: 'share',
      description:
        "the emptiest shard's part, as a share of the fullest one's, below which it is a warning (an info above)",
      source: 'judgement: one shard with twice the data of another',
    },
    begun: {
      default: 1,
      unit: 'days',
      description: 'time since the first chunk reached the emptiest shard, up to which balancing has just begun',
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
      const detail = `the shards of ${collection.namespace} are still being balanced: ${emptiest.shard} has just begun to receive chunks. Run again when the balancer has finished.`;
      return [{ notJudged: 'insufficient', detail, nothingJudged: true }];
    }
    const inBytes = own.cluster.balancer.evensOut === 'bytes';
    const amount = (part: ShardPart) => (inBytes ? formatBytes(part.bytes ?? 0) : plural(part.chunks, 'chunk'));
    const full: Severity = ratio < warning ? 'warning' : 'info';
    return [
      {
        severity: state === 'at work' ? 'info' : full,
        confidence: 'high',
        path: null,
        message:
          `${fullest.shard} holds ${amount(fullest)}, ${emptiest.shard} ${amount(emptiest)}${ratio === 0 ? '' : ` (${formatShare(ratio)} of that)`}` +
          `${own.zones.length > 0 ? ', and both are in the same zones' : ''}. ${stateText(state, emptiest)}`,
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
        remedy: { steps: remedySteps(state, collection, own) },
      },
    ];
  },
});

function stateText(state: BalancerState, { lastArrivalAge }: ShardPart): string {
  switch (state) {
    case 'off':
      return "The cluster's balancer is off, so this will not change.";
    case 'off for the collection':
      return 'Balancing is off for this collection, so this will not change.';
    case 'at work':
      return 'The balancer has moved chunks within the last day.';
    default:
      return lastArrivalAge === null
        ? 'The balancer is on and has never moved a chunk there.'
        : `The balancer is on and has moved no chunk there for ${plural(Math.floor(lastArrivalAge / MS_PER_DAY), 'day')}.`;
  }
}
