import { defineCheck, type Severity } from '../src/check.js';
import { formatBytes, formatCount, formatShare, plural } from '../src/format.js';
import { formatShardKey } from '../src/inventory/sharding.js';
import { knownSizes } from '../src/inventory/storage.js';
import { judgedAt, judgedAtText, judgedSize, sizesUnknown } from '../src/judgement/judged-size.js';
import { countAtMost, shareWithin } from '../src/judgement/margins.js';
import { spreadingFields } from '../src/judgement/shard-keys/better-key.js';
import { refineRemedy } from '../src/judgement/shard-keys/reshard-remedy.js';

/** Sampled values from which their number and frequencies can be estimated; if each is frequent, fewer do. */
const LEAST_SAMPLE = 100;
/** Times that each value was sampled on average, from which hardly any value was missed. */
const SURELY_SEEN = 10;
/** Share of the documents in fewer values than there are shards, from which some shards are left with next to nothing. */
const NEARLY_ALL = 0.95;
/** Documents per value up to which a key has about as many values as documents. */
const FEW_PER_VALUE = 5;

export const lowCardinalityShardKey = defineCheck({
  id: 'low-cardinality-shard-key',
  title: 'Shard key of few values',
  summary: 'a shard key with so few values, or one value so frequent, that documents cannot be spread over the shards',
  appliesTo: ['collection'],
  appliesWhere: 'sharded',
  needs: ['sharding', 'shardKey', 'indexes', 'storage'],
  thresholds: {
    valuesPerShard: {
      default: 10,
      unit: 'values',
      description:
        'values of the whole key per shard; fewer are a warning, and fewer than shards an error, if the collection fills a chunk',
      source: 'judgement: a chunk holds at least one value, and ten chunks per shard can be balanced',
    },
    shareOfShard: {
      default: 0.5,
      unit: 'share',
      description: "one value's documents, as a share of an even shard, for a warning",
      source: 'judgement: half of a shard that can only be moved as a whole',
    },
  },
  judge({ collection, sharding, shardKey, indexes, storage }, { valuesPerShard, shareOfShard }) {
    const { values, analysis } = shardKey;
    const { mostCommonShare, sample } = values;
    const sizes = knownSizes(storage);
    if (sizes === null) return [sizesUnknown(collection.namespace)];
    const shards = sharding.parts.length;
    const { key = [], chunkBytes = Infinity } = collection.sharding ?? {};
    // The server's own count if it has analysed the key, else the estimate from the sample.
    const estimated = analysis.present ? analysis.value.distinctValues : values.estimatedDistinct;
    const distinct = Math.max(values.distinct, estimated);
    const mostCommonBytes = mostCommonShare * sizes.size;
    const seen = { share: Math.min(1, sample / Math.max(1, sizes.count)), byChance: false };
    const [surelyMostCommon] = shareWithin(Math.round(mostCommonShare * sample), sample, seen);
    const isFew = distinct < valuesPerShard * shards && distinct * FEW_PER_VALUE <= sizes.count;
    // The server's own count is of as many keys as it takes.
    const atMost = analysis.present ? distinct : countAtMost(distinct, values.seenOnce, seen);
    const isHeavy = shards > 1 && surelyMostCommon * shards >= shareOfShard && distinct > 1;
    const isIndivisible = surelyMostCommon * sizes.size > chunkBytes;
    const isSurelySeen = sample >= SURELY_SEEN * distinct;
    if (sample < LEAST_SAMPLE && !(isFew && isSurelySeen)) {
      const detail = `the shard key of ${collection.namespace} has too few sampled values: ${plural(values.sample, 'document')}.`;
      return [{ notJudged: 'insufficient', detail, nothingJudged: true }];
    }
    if (!isFew && !isHeavy && !isIndivisible) return [];
    // A sharded collection is expected to be large, so few values are a warning at any size; an error once it fills chunks.
    const size = judgedSize(collection, sizes.count);
    const isLarge = sizes.averageDocumentSize * size.documents >= chunkBytes;
    const inFewer = values.shares.slice(0, shards - 1).reduce((sum, share) => sum + share, 0);
    const [surelyInFewer] = shareWithin(Math.round(inFewer * sample), sample, seen);
    const graded = (count: number, share: number): Severity => {
      if (isLarge && share >= NEARLY_ALL) return 'error';
      return isHeavy || isIndivisible || count < valuesPerShard * shards ? 'warning' : 'info';
    };
    const limits = { correlation: 1, spreadValues: valuesPerShard * shards };
    const [leading] = spreadingFields(key, shardKey.candidates, indexes, limits);
    const [severity, severityIfSure] = [graded(atMost, surelyInFewer), graded(distinct, inFewer)];
    return [
      {
        severity,
        ...(severity !== severityIfSure && { severityIfSure }),
        confidence: isSurelySeen || isHeavy || isIndivisible ? 'high' : 'medium',
        ...judgedAt(size),
        path: key[0]?.path ?? null,
        message:
          [
            `The shard key ${formatShardKey(key)} has about ${plural(distinct, 'value')} for ${plural(shards, 'shard')} and ${plural(sharding.chunks, 'chunk')}` +
              ` (${formatCount(sizes.count)} documents). A value can't be divided between chunks.`,
            ...(distinct < shards ? [`Only ${formatCount(distinct)} of the shards can ever hold documents.`] : []),
            `The most frequent value has ${formatShare(mostCommonShare)} of the documents, about ${formatBytes(mostCommonBytes)}` +
              `${isIndivisible ? `: more than the ${formatBytes(chunkBytes)} that a chunk may have` : ''}.`,
          ].join(' ') + judgedAtText(size),
        restsOn: ['sample'],
        evidence: {
          source: analysis.present ? 'analyzeShardKey, sample, collStats' : 'sample, collStats',
          window: `${formatCount(values.sample)} of ${plural(sizes.count, 'document')}`,
          shardKey: formatShardKey(key),
          distinctValues: distinct,
          effectiveValues: Math.round(values.effectiveValues * 10) / 10,
          mostCommonShare,
          mostCommonBytes: Math.round(mostCommonBytes),
          missingShare: shardKey.missingShare,
          chunkBytes,
          chunks: sharding.chunks,
          shards,
        },
        ...refineRemedy(collection, leading && { path: leading.order.path, hashed: false }, indexes, sizes.count),
      },
    ];
  },
});
