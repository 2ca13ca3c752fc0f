import type { Confidence, KeyOrder, Severity, ShardingEvidence, ShardKeyEvidence } from '../../src/check.js';
import { VALUE_KIND_NAMES } from '../../src/evidence/sharding/value-kind.js';
import { formatCount, formatShare } from '../../src/format.js';
import { correlationWithin } from '../../src/judgement/margins.js';
import { lowered } from '../../src/judgement/severity-lines.js';
import { LEAST_PAIRS, type OrderVerdict } from '../../src/judgement/shard-keys/order-verdict.js';
import { MS_PER_DAY } from '../../src/time-units.js';

type Monotonic = Extract<OrderVerdict, { kind: 'monotonic' }>;
/** Observations from which a correlation is of high confidence. */
const PAIRS_FOR_HIGH = 5 * LEAST_PAIRS;

export function isSurelyMonotonic({ correlation, field }: Monotonic, line: number, share: number): boolean {
  const seen = { share: Math.min(1, share), byChance: false };
  return correlationWithin(Math.abs(correlation), field.pairs, seen)[0] >= line;
}

export function severityOf(
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

export function confidenceOf(
  { field }: Monotonic,
  { insertionOrder }: KeyOrder,
  { analysis }: ShardKeyEvidence,
): Confidence {
  const server = analysis.present ? analysis.value.monotonicity : 'unknown';
  if (server === 'monotonic') return 'high';
  const byTime = insertionOrder === 'idTime' || insertionOrder === 'creationDate';
  if (server === 'not monotonic') return byTime ? 'medium' : 'low';
  return byTime && field.pairs >= PAIRS_FOR_HIGH ? 'high' : 'medium';
}

export function messageOf(
  key: string,
  verdict: Monotonic,
  sharding: ShardingEvidence,
  { newest }: ShardKeyEvidence,
): string {
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
