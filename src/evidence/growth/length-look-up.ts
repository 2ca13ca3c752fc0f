import pLimit from 'p-limit';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { absentBecause } from '../../connect/server-error.js';
import { formatDuration } from '../../format.js';
import type { Collection } from '../../inventory/collection.js';
import { absent, present, type Evidence } from '../../presence.js';
import type { GrowthInput } from './measure-growth.js';
import type { DrawnOplog } from './oplog/even-draw.js';
import { lookUpLengths } from './oplog/present-lengths.js';

/** In ms, for one collection; and for all together. */
const MOST_TIME = 3_000;
const MOST_TIME_TOGETHER = 15_000;
/** Documents of one collection; fewer if they are large: the server reads each of them whole. */
const MOST_DOCUMENTS = 1_000;
const FEWEST_DOCUMENTS = 20;
const MOST_BYTES = 64 * 1024 * 1024;
const UNKNOWN_BYTES = 256 * 1024;
const AT_ONCE = 2;

/** Looks up the lengths of arrays that drawn entries wrote to, bounded over a run in time, and each time in bytes. */
export class LengthLookUp {
  private readonly limit = pLimit(AT_ONCE);
  private left = MOST_TIME_TOGETHER;

  constructor(private readonly reader: ClusterReader) {}

  /** @param averageBytes of a document; null if unknown */
  lookUp(
    collection: Collection,
    averageBytes: number | null,
    { drawnFrom, writes }: DrawnOplog,
  ): Promise<GrowthInput['oplog']> {
    const unresolved = writes.get(collection.uuid ?? '') ?? [];
    const lookUp = async (): Promise<GrowthInput['oplog']> => {
      const found = await this.bounded(collection, averageBytes, unresolved);
      if (!found.present) return found;
      const { writes: resolved, measuredAt, shareOfArrays } = found.value;
      return present({
        drawnFrom: { ...drawnFrom, measuredAt: Math.max(drawnFrom.to, measuredAt ?? 0), shareOfArrays },
        writes: resolved,
      });
    };
    return this.limit(lookUp);
  }

  private async bounded(
    collection: Collection,
    averageBytes: number | null,
    writes: Parameters<typeof lookUpLengths>[2],
  ): Promise<Evidence<Awaited<ReturnType<typeof lookUpLengths>>>> {
    const operation = `looking up lengths of arrays in ${collection.namespace}`;
    const time = Math.min(MOST_TIME, this.left);
    if (time <= 0) {
      const limit = formatDuration(MOST_TIME_TOGETHER);
      return absent('bound', `${operation}: the ${limit} for all collections were used up before.`);
    }
    const documents = Math.floor(MOST_BYTES / Math.max(1, averageBytes ?? UNKNOWN_BYTES));
    const bounds = { time, documents: Math.min(MOST_DOCUMENTS, Math.max(FEWEST_DOCUMENTS, documents)) };
    const started = performance.now();
    try {
      return present(await lookUpLengths(this.reader, collection, writes, bounds));
    } catch (error) {
      return absentBecause(error, operation, `find on ${collection.namespace}`);
    } finally {
      this.left -= performance.now() - started;
    }
  }
}
