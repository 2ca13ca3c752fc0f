/** Written by `npm run docs`. */
import type { Exhibit } from '../exhibit.js';
import { inconsistentIndexes } from './inconsistent-indexes.js';
import { jumboChunk } from './jumbo-chunk.js';
import { lowCardinalityShardKey } from './low-cardinality-shard-key.js';
import { monotonicShardKey } from './monotonic-shard-key.js';
import { unbalancedChunks } from './unbalanced-chunks.js';

/** The exhibits that only a sharded cluster of two shards or more can show, in the order of the checks. */
export const shardedExhibits: readonly Exhibit[] = [
  monotonicShardKey,
  lowCardinalityShardKey,
  jumboChunk,
  unbalancedChunks,
  inconsistentIndexes,
];
