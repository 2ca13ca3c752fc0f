import { defineCheck, type RemedyStep } from '../src/check.js';
import { formatBytes, formatShare, plural } from '../src/format.js';
import { formatShardKey } from '../src/inventory/sharding.js';
import { knownSizes } from '../src/inventory/storage.js';
import { sizesUnknown } from '../src/judgement/judged-size.js';
import { spreadingFields } from '../src/judgement/shard-keys/better-key.js';
import { distributionStep, refineRemedy } from '../src/judgement/shard-keys/reshard-remedy.js';

/** Effective values from which a further field makes chunks divisible. */
const DIVISIBLE_VALUES = 50;

export const jumboChunk = defineCheck({
  id: 'jumbo-chunk',
  title: 'Jumbo chunks',
  summary: 'chunks that the balancer no longer moves, because they are too large and cannot be split',
  appliesTo: ['collection'],
  appliesWhere: 'sharded',
  needs: ['sharding', 'shardKey', 'indexes', 'storage'],
  thresholds: {
    error: {
      default: 0.1,
      unit: 'share',
      description: 'share of chunks that are jumbo; below, a warning',
      source: 'judgement: nothing can move a tenth of the collection',
    },
  },
  judge({ collection, sharding, shardKey, indexes, storage }, { error }) {
    const { chunks, jumboChunks, parts } = sharding;
    if (jumboChunks === 0) return [];
    const sizes = knownSizes(storage);
    if (sizes === null) return [sizesUnknown(collection.namespace)];
    const key = collection.sharding?.key ?? [];
    const chunkBytes = collection.sharding?.chunkBytes ?? Infinity;
    const holders = parts.filter((part) => part.jumboChunks > 0);
    const share = jumboChunks / chunks;
    const { mostCommonShare } = shardKey.values;
    const isIndivisible = mostCommonShare * sizes.size > chunkBytes;
    const [leading] = spreadingFields(key, shardKey.candidates, indexes, {
      correlation: 1,
      spreadValues: DIVISIBLE_VALUES,
    });
    return [
      {
        severity: share >= error && chunks > 1 ? 'error' : 'warning',
        confidence: 'high',
        path: null,
        message:
          `${plural(jumboChunks, 'chunk')} of ${chunks} ${jumboChunks === 1 ? 'is' : 'are'} flagged jumbo, on ${holders.map(({ shard }) => shard).join(', ')}. ` +
          `The balancer never moves them, however full that shard gets. ` +
          (isIndivisible
            ? `One value of the shard key ${formatShardKey(key)} has ${formatShare(mostCommonShare)} of the documents, about ` +
              `${formatBytes(mostCommonShare * sizes.size)}, and can't be split.`
            : `No single value of the shard key ${formatShardKey(key)} fills a chunk, so they can be split.`),
        restsOn: ['sample'],
        evidence: {
          source: 'config.chunks, sample',
          window: plural(chunks, 'chunk'),
          jumboChunks,
          chunks,
          shareOfChunks: share,
          shards: holders.map((part) => ({ shard: part.shard, jumboChunks: part.jumboChunks })),
          mostCommonShare,
          chunkBytes,
        },
        ...(isIndivisible
          ? refineRemedy(collection, leading && { path: leading.order.path, hashed: false }, indexes, sizes.count)
          : { remedy: { steps: splittingSteps(collection.namespace) } }),
      },
    ];
  },
});

/** Bounds of chunks are document values, so no command can be given here. */
function splittingSteps(namespace: string): RemedyStep[] {
  return [
    { text: 'List the flagged chunks.', code: 'db.getSiblingDB("config").chunks.find({ jumbo: true })' },
    {
      text: 'Split each one, which clears the flag. Splitting moves no data.',
      code: `sh.splitFind(${JSON.stringify(namespace)}, <the chunk's min>)`,
    },
    {
      text: 'Clear the flag only of chunks that have shrunk on their own.',
      code: `db.adminCommand(\n  { clearJumboFlag: ${JSON.stringify(namespace)}, bounds: [<min>, <max>] }\n)`,
    },
    distributionStep(namespace),
  ];
}
