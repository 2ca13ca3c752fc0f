import type { ShardKeyEvidence } from '../../evidence/sharding/shard-key-evidence.js';
import { formatBytes, formatCount, formatShare, plural } from '../../format.js';
import type { IndexDescription } from '../../inventory/collection.js';
import { formatShardKey, type ShardKey } from '../../inventory/sharding.js';
import { betterKey, type OrderLimits, orderVerdict } from './better-key.js';
import type { KeyTargeting } from './targeting.js';

export interface KeyAspect {
  readonly aspect: 'fields' | 'cardinality' | 'frequency' | 'monotonicity' | 'targeting';
  readonly verdict: 'good' | 'bad' | 'unknown';
  /** Sentences with figures, and never a document value. */
  readonly text: string;
}

/** A key that somebody considers sharding by, judged by the collection's documents. */
export interface CandidateKeyVerdict {
  readonly namespace: string;
  readonly key: string;
  readonly documentsSampled: number;
  readonly documents: number;
  /** True if nothing is bad; some aspects may be unknown. */
  readonly good: boolean;
  readonly aspects: readonly KeyAspect[];
  /** A key that the data supports, if this one is monotonic. */
  readonly better: string | null;
}

export interface CandidateContext {
  readonly namespace: string;
  readonly documents: number;
  readonly bytes: number;
  readonly shards: number;
  readonly chunkBytes: number;
  readonly indexes: readonly IndexDescription[];
  /** The key of a collection that is sharded. */
  readonly currentKey?: ShardKey;
}

const CORRELATION = 0.7;
const SPREAD_VALUES = 50;
const VALUES_PER_SHARD = 10;
/** Largest part of one shard's even share that a single value may have. */
const SHARE_OF_SHARD = 0.5;
const SCATTERED = 0.2;

/** Judges a key by the default limits of the checks of sharded collections. */
export function candidateKeyVerdict(
  key: ShardKey,
  evidence: ShardKeyEvidence,
  targeting: KeyTargeting | null,
  context: CandidateContext,
): CandidateKeyVerdict {
  const limits = { correlation: CORRELATION, spreadValues: Math.max(SPREAD_VALUES, VALUES_PER_SHARD * context.shards) };
  const { aspect: monotonicity, better } = monotonicityOf(key, evidence, limits, context);
  const aspects = [
    fieldsOf(key, evidence),
    cardinalityOf(evidence, context),
    frequencyOf(evidence, context),
    monotonicity,
    targetingOf(targeting, context.currentKey),
  ];
  return {
    namespace: context.namespace,
    key: formatShardKey(key),
    documentsSampled: evidence.values.sample,
    documents: context.documents,
    good: aspects.every(({ verdict }) => verdict !== 'bad'),
    aspects,
    better,
  };
}

function fieldsOf([leading]: ShardKey, { missingShare, arrayShare }: ShardKeyEvidence): KeyAspect {
  const aspect = 'fields';
  if (arrayShare > 0) {
    const text = `${formatShare(arrayShare)} of the documents have an array in it: the server refuses such documents.`;
    return { aspect, verdict: 'bad', text };
  }
  if (missingShare > 0) {
    const text = `\`${leading?.path}\` is missing or null in ${formatShare(missingShare)} of the documents; all of these would lie in one chunk.`;
    return { aspect, verdict: missingShare >= SHARE_OF_SHARD ? 'bad' : 'good', text };
  }
  return { aspect, verdict: 'good', text: 'Every document has it.' };
}

function cardinalityOf({ values, analysis }: ShardKeyEvidence, { shards, documents }: CandidateContext): KeyAspect {
  const distinct = Math.max(
    values.distinct,
    analysis.present ? analysis.value.distinctValues : values.estimatedDistinct,
  );
  const text = `About ${plural(Math.min(distinct, documents), 'value')} for ${plural(shards, 'shard')}.`;
  return { aspect: 'cardinality', verdict: distinct >= VALUES_PER_SHARD * shards ? 'good' : 'bad', text };
}

function frequencyOf({ values }: ShardKeyEvidence, { shards, bytes, chunkBytes }: CandidateContext): KeyAspect {
  const ofMostCommon = values.mostCommonShare * bytes;
  const isHeavy = ofMostCommon > chunkBytes || (shards > 1 && values.mostCommonShare * shards >= SHARE_OF_SHARD);
  const text =
    `The most frequent value has ${formatShare(values.mostCommonShare)} of the documents, about ${formatBytes(ofMostCommon)}. They can't be ` +
    `divided between chunks; a chunk may have ${formatBytes(chunkBytes)}.`;
  return { aspect: 'frequency', verdict: isHeavy ? 'bad' : 'good', text };
}

function monotonicityOf(
  key: ShardKey,
  { order, candidates }: ShardKeyEvidence,
  limits: OrderLimits,
  { indexes }: CandidateContext,
): { readonly aspect: KeyAspect; readonly better: string | null } {
  const aspect = (verdict: KeyAspect['verdict'], text: string, better: string | null = null) => ({
    aspect: { aspect: 'monotonicity' as const, verdict, text },
    better,
  });
  if (!order.present) return aspect('unknown', `${order.detail}`);
  const verdict = orderVerdict(order.value.fields, limits);
  switch (verdict.kind) {
    case 'unknown':
      return aspect(
        'unknown',
        `${plural(order.value.documents, 'document')} have too few different values or times to tell.`,
      );
    case 'coarse':
      return aspect('good', 'Its values do not follow insertion order.');
    case 'spread': {
      const { path, hashed, effectiveValues } = verdict.field;
      const how = hashed ? `The hash of \`${path}\`` : `\`${path}\``;
      return aspect('good', `${how} spreads inserts over about ${plural(Math.round(effectiveValues), 'value')}.`);
    }
    default: {
      const { field, correlation, insertionPoints } = verdict;
      const points =
        insertionPoints < 2
          ? 'one chunk takes all inserts'
          : `about ${formatCount(Math.round(insertionPoints))} chunks take all inserts`;
      const better = betterKey(key, field, candidates, indexes, limits);
      return aspect(
        'bad',
        `\`${field.path}\` follows insertion order (correlation ${correlation.toFixed(2)}): ${points}.`,
        `${formatShardKey(better.key)}. ${better.reason}`,
      );
    }
  }
}

function targetingOf(targeting: KeyTargeting | null, currentKey: ShardKey | undefined): KeyAspect {
  const aspect = 'targeting';
  if (targeting === null) {
    const text =
      'No operation on the collection was recorded. Turn on the profiler or query stats to learn where queries would go.';
    return { aspect, verdict: 'unknown', text };
  }
  const { source, executions, one, few, all, contacted } = targeting;
  const share = (part: number) => formatShare(part / executions);
  return {
    aspect,
    verdict: all / executions > SCATTERED ? 'bad' : 'good',
    text:
      `Of ${plural(executions, 'recorded operation')}${source === 'routerLog' ? ' in logs of mongos' : ''}, ${share(one)} would go to one shard, ` +
      `${share(few)} to one or few, ${share(all)} to all.${contactedText(contacted, currentKey)}`,
  };
}

function contactedText(contacted: KeyTargeting['contacted'], currentKey: ShardKey | undefined): string {
  if (contacted === null || currentKey === undefined) return '';
  const share = formatShare(contacted.several / contacted.executions);
  return ` With the current key ${formatShardKey(currentKey)}, mongos sent ${share} of ${plural(contacted.executions, 'operation')} to several shards.`;
}
