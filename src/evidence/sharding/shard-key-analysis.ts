import { MongoServerError, type Document } from 'mongodb';
import { figureIn, neededFigure } from '../../connect/answer.js';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { absentBecause } from '../../connect/server-error.js';
import type { Collection } from '../../inventory/collection.js';
import { isBefore } from '../../connect/server-version.js';
import { formatShardKey, keyPattern, type ShardKey } from '../../inventory/shard-key.js';
import { absent, present, type Absent, type Evidence } from '../../presence.js';
import { shellCollection } from '../../shell-collection.js';

/** What `analyzeShardKey` says of a key, without the values that it quotes. */
export interface ShardKeyAnalysis {
  readonly documentsSampled: number;
  readonly distinctValues: number;
  readonly unique: boolean;
  /** Of the sampled documents that have the most common value, 0 to 1; null if the server gave none. */
  readonly mostCommonShare: number | null;
  readonly monotonicity: 'monotonic' | 'not monotonic' | 'unknown';
  /** Pearson's, of the place in the index with the RecordId; null if unknown. */
  readonly correlation: number | null;
}

/** Since this version the server has the command. Source: MongoDB manual, "analyzeShardKey". */
const SINCE = '7.0.0';
/** What 7.0.28 answers for a key without a supporting index (measured). */
const ILLEGAL_OPERATION = 20;
const COMMAND = 'analyzeShardKey';
/** Its default is 10 million. */
const SAMPLE_SIZE = 10_000;

// To analyze reads and writes, the server would write split points into its config database.
export async function readShardKeyAnalysis(
  reader: ClusterReader,
  { namespace }: Collection,
  key: ShardKey,
  version: string,
): Promise<Evidence<ShardKeyAnalysis>> {
  if (isBefore(version, SINCE))
    return absent('unsupported', `analyzeShardKey on ${namespace}: MongoDB ${version} does not have it.`);
  try {
    const answer = await reader.command('admin', {
      analyzeShardKey: namespace,
      key: keyPattern(key),
      keyCharacteristics: true,
      readWriteDistribution: false,
      sampleSize: SAMPLE_SIZE,
    });
    return shardKeyAnalysis(answer) ?? withoutIndex(namespace, key);
  } catch (error) {
    if (error instanceof MongoServerError && error.code === ILLEGAL_OPERATION) return withoutIndex(namespace, key);
    return absentBecause(error, `analyzeShardKey on ${namespace}`, `analyzeShardKey on ${namespace}`);
  }
}

function withoutIndex(namespace: string, key: ShardKey): Absent {
  const index = formatShardKey(key);
  return absent(
    'insufficient',
    `analyzeShardKey on ${namespace}: no index supports the key. To have it analyzed, run ${shellCollection(namespace)}.createIndex(${index}) and then mongolint again; the build reads every document.`,
  );
}

// Null without characteristics, as for a key that no index supports. Shape: MongoDB manual, for 7.0 and 8.0.
export function shardKeyAnalysis(answer: Document): Evidence<ShardKeyAnalysis> | null {
  const characteristics: Document | undefined = answer['keyCharacteristics'];
  if (characteristics === undefined || characteristics['numDistinctValues'] === undefined) return null;
  const documentsSampled =
    figureIn(characteristics, 'numDocsSampled') ?? neededFigure(COMMAND, characteristics, 'numDocsTotal');
  // Without an index to read them from, it gives none.
  const frequencies = ((characteristics['mostCommonValues'] ?? []) as Document[]).map((common) =>
    neededFigure(COMMAND, common, 'frequency'),
  );
  const { type, recordIdCorrelationCoefficient }: Document = characteristics['monotonicity'] ?? {};
  return present({
    documentsSampled,
    distinctValues: neededFigure(COMMAND, characteristics, 'numDistinctValues'),
    unique: characteristics['isUnique'] === true,
    mostCommonShare:
      frequencies.length === 0 || documentsSampled === 0 ? null : Math.max(...frequencies) / documentsSampled,
    monotonicity: type === 'monotonic' || type === 'not monotonic' ? type : 'unknown',
    correlation: figureIn({ recordIdCorrelationCoefficient }, 'recordIdCorrelationCoefficient'),
  });
}
