import {
  type Collection,
  type CollectionSharding,
  defineCheck,
  type RemedyStep,
  type Severity,
  type ShardPart,
} from '../src/check.js';
import { stepsOf } from '../src/finding/remedy.js';
import { formatBytes, formatShare, plural } from '../src/format.js';
import { groupedBy } from '../src/grouped-by.js';
import { distributionStep } from '../src/judgement/shard-keys/reshard-remedy.js';
import { MS_PER_DAY } from '../src/time-units.js';

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
      description: 'chunk sizes between the fullest and the emptiest shard',
      source: 'MongoDB manual, "Sharded Cluster Balancer": the difference that the balancer accepts',
    },
    warning: {
      default: 0.5,
      unit: 'share',
      description: "the emptiest shard's part of the fullest one's data; more is an info",
      source: 'judgement: one shard with twice the data of another',
    },
    begun: {
      default: 1,
      unit: 'days',
      description: "days since the emptiest shard's first chunk, at most, of balancing that has just begun",
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

type BalancerState = 'off' | 'off for the collection' | 'just begun' | 'at work' | 'stuck';

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

function remedySteps(state: BalancerState, { namespace }: Collection, { cluster }: CollectionSharding): RemedyStep[] {
  const { window } = cluster.balancer;
  switch (state) {
    case 'off':
      return stepsOf(
        'Find out why the balancer was stopped. If it was for backups or load, set a window of quiet hours (`activeWindow`).',
        {
          text: 'Start the balancer. It moves chunks in the background, which adds load to the shards.',
          command: { db: 'admin', command: { balancerStart: 1 } },
        },
        distributionStep(namespace),
      );
    case 'off for the collection':
      return [
        {
          text: 'Turn on balancing for this collection, as `sh.enableBalancing()` does. Moving chunks adds load to the shards.',
          command: {
            db: 'config',
            command: {
              update: 'collections',
              updates: [{ q: { _id: namespace }, u: { $set: { noBalance: false } } }],
              writeConcern: { w: 'majority' },
            },
          },
        },
        distributionStep(namespace),
      ];
    case 'at work':
      return stepsOf(
        'Let the balancer work, and run mongolint again in some days.',
        'If the difference stays, inserts outpace the balancer: see `monotonic-shard-key` and `low-cardinality-shard-key`.',
      );
    default:
      return stepsOf(
        ...(window === null
          ? []
          : [`Widen the balancer's window: it works only from ${window.start} to ${window.stop}.`]),
        'Look for jumbo chunks (see `jumbo-chunk`) and a shard key of few values (see `low-cardinality-shard-key`).',
        {
          text: 'List failed migrations.',
          code: 'db.getSiblingDB("config").changelog.find(\n  { what: "moveChunk.error" }\n).sort({ time: -1 })',
        },
        { text: 'See the state of the shards and the balancer.', code: 'sh.status()' },
      );
  }
}

/** Differences in chunks that a balancer before 6.0.3 tolerates. Source: MongoDB manual 5.0, "Migration Thresholds". */
const CHUNK_DIFFERENCES = [
  { chunks: 20, difference: 2 },
  { chunks: 80, difference: 4 },
  { chunks: Infinity, difference: 8 },
] as const;

interface Imbalance {
  readonly fullest: ShardPart;
  readonly emptiest: ShardPart;
  readonly difference: number;
  readonly tolerated: number;
  /** The emptiest one's part, as a share of the fullest one's. */
  readonly ratio: number;
}

/** The largest difference between shards that may hold the same documents; null if the balancer would tolerate it. */
function worstImbalance(
  parts: readonly ShardPart[],
  { cluster, chunkBytes, zones }: CollectionSharding,
  chunks: number,
  chunkSizes: number,
): Imbalance | null {
  const inBytes = cluster.balancer.evensOut === 'bytes';
  const amount = (part: ShardPart) => (inBytes ? (part.bytes ?? 0) : part.chunks);
  const tolerated = inBytes
    ? chunkSizes * chunkBytes
    : (CHUNK_DIFFERENCES.find((step) => chunks < step.chunks) as { difference: number }).difference;
  const imbalances = comparableShards(parts, zones).flatMap((group): Imbalance[] => {
    const sorted = [...group].sort((a, b) => amount(a) - amount(b));
    const [emptiest, fullest] = [sorted[0], sorted.at(-1)];
    if (emptiest === undefined || fullest === undefined) return [];
    const difference = amount(fullest) - amount(emptiest);
    if (difference < tolerated) return [];
    return [{ fullest, emptiest, difference, tolerated, ratio: amount(emptiest) / amount(fullest) }];
  });
  return imbalances.sort((a, b) => b.difference - a.difference)[0] ?? null;
}

/** Shards in the same zones may hold the same documents; draining shards are excluded. */
function comparableShards(parts: readonly ShardPart[], zones: readonly string[]): ShardPart[][] {
  const lasting = parts.filter(({ draining }) => !draining);
  return [...groupedBy(lasting, (part) => part.zones.filter((zone) => zones.includes(zone)).join('\n')).values()];
}

function balancerState({ balanced, cluster }: CollectionSharding, emptiest: ShardPart, begunMs: number): BalancerState {
  if (!cluster.balancer.enabled) return 'off';
  if (!balanced) return 'off for the collection';
  const { age, firstArrivalAge, lastArrivalAge } = emptiest;
  const isNew = (age !== null && age < begunMs) || (firstArrivalAge !== null && firstArrivalAge < begunMs);
  if (isNew) return 'just begun';
  return lastArrivalAge !== null && lastArrivalAge < MS_PER_DAY ? 'at work' : 'stuck';
}
