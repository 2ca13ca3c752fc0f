import type { CollectionSharding, ShardPart } from '../../src/check.js';
import { groupedBy } from '../../src/grouped-by.js';
import { MS_PER_DAY } from '../../src/time-units.js';

/** Differences in chunks that a balancer before 6.0.3 tolerates. Source: MongoDB manual 5.0, "Migration Thresholds". */
const CHUNK_DIFFERENCES = [
  { chunks: 20, difference: 2 },
  { chunks: 80, difference: 4 },
  { chunks: Infinity, difference: 8 },
] as const;

export interface Imbalance {
  readonly fullest: ShardPart;
  readonly emptiest: ShardPart;
  readonly difference: number;
  readonly tolerated: number;
  /** The emptiest one's part, as a share of the fullest one's. */
  readonly ratio: number;
}

export type BalancerState = 'off' | 'off for the collection' | 'just begun' | 'at work' | 'stuck';

/** The largest difference between shards that may hold the same documents; null if the balancer would tolerate it. */
export function worstImbalance(
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

export function balancerState(
  { balanced, cluster }: CollectionSharding,
  emptiest: ShardPart,
  begunMs: number,
): BalancerState {
  if (!cluster.balancer.enabled) return 'off';
  if (!balanced) return 'off for the collection';
  const { age, firstArrivalAge, lastArrivalAge } = emptiest;
  const isNew = (age !== null && age < begunMs) || (firstArrivalAge !== null && firstArrivalAge < begunMs);
  if (isNew) return 'just begun';
  return lastArrivalAge !== null && lastArrivalAge < MS_PER_DAY ? 'at work' : 'stuck';
}
