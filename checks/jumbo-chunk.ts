import { defineCheck, type Problem, type TextRemedy } from '../src/check.js';
import { formatBytes, formatShardKey, formatShare, plural, refineRemedy, spreadingFields } from '../src/helpers.js';

/** Effective values from which a further field makes chunks divisible. */
const DIVISIBLE_VALUES = 50;

export const jumboChunk = defineCheck({
  id: 'jumbo-chunk',
  title: 'Jumbo chunks',
  summary: 'chunks that the balancer has given up on, because they are too large to move and cannot be split',
  appliesTo: ['collection'],
  appliesWhere: 'sharded',
  needs: ['sharding', 'shardKey', 'indexes', 'storage'],
  thresholds: {
    error: {
      default: 0.1,
      unit: 'share',
      description: 'share of the chunks that are jumbo from which an error is given (a warning below)',
      source: 'judgement: a tenth of the collection that nothing can move',
    },
  },
  judge({ collection, sharding, shardKey, indexes, storage }, { error }) {
    const { chunks, jumboChunks, parts } = sharding;
    if (jumboChunks === 0) return [];
    const key = collection.sharding?.key ?? [];
    const chunkBytes = collection.sharding?.chunkBytes ?? Infinity;
    const holders = parts.filter((part) => part.jumboChunks > 0);
    const share = jumboChunks / chunks;
    const { mostCommonShare } = shardKey.values;
    const isIndivisible = mostCommonShare * storage.size > chunkBytes;
    const [leading] = spreadingFields(key, shardKey.candidates, indexes, {
      correlation: 1,
      spreadValues: DIVISIBLE_VALUES,
    });
    const problem: Problem = {
      severity: share >= error && chunks > 1 ? 'error' : 'warning',
      confidence: 'high',
      path: null,
      message:
        `${plural(jumboChunks, 'chunk')} of ${chunks} ${jumboChunks === 1 ? 'is' : 'are'} flagged jumbo, on ${holders.map(({ shard }) => shard).join(', ')}: ` +
        `the balancer leaves them where they are, however full that shard gets. ` +
        (isIndivisible
          ? `One value of the shard key ${formatShardKey(key)} has ${formatShare(mostCommonShare)} of the documents, some ` +
            `${formatBytes(mostCommonShare * storage.size)}, and can't be split.`
          : `No single value of the shard key ${formatShardKey(key)} fills a chunk, so that they can be split.`),
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
      remedy: isIndivisible
        ? refineRemedy(collection, leading && { path: leading.order.path, hashed: false }, indexes, storage.count)
        : splitRemedy(collection.namespace),
    };
    return [problem];
  },
});

/** Bounds of chunks are document values, so that no command can be given here. */
function splitRemedy(namespace: string): TextRemedy {
  return {
    text:
      'Split each flagged chunk, which clears the flag: list them with `db.getSiblingDB("config").chunks.find({ jumbo: true })`, then ' +
      `\`sh.splitFind(${JSON.stringify(namespace)}, <the chunk's min>)\`. Where a chunk has become smaller by itself, \`clearJumboFlag\` is enough. Then the ` +
      'balancer moves them.',
  };
}
