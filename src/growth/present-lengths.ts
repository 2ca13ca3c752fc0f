import type { Document } from 'mongodb';
import pLimit from 'p-limit';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { batchesOf } from '../connect/raw-cursor.js';
import { absentBecause } from '../connect/server-error.js';
import { formatDuration } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import type { Collection } from '../inventory/collection.js';
import { absent, present, type Evidence } from '../presence.js';
import { READING } from './limits.js';
import { decoded, idOf, idText, type SampledWrite } from './oplog-writes.js';
import type { OplogSample, SampledWindow } from './oplog.js';

/** What the oplog shows of one collection, and what has become of it. */
export interface OplogOfCollection {
  readonly window: SampledWindow;
  readonly writes: readonly SampledWrite[];
  /** When the lengths were looked up, by the server's clock, in ms since 1970. */
  readonly measuredAt: number;
  /** Share of the documents in entries whose lengths were looked up. */
  readonly shareOfDocuments: number;
}

/** The size of an `_id` with its lengths, for the first batch. */
const ANSWER_BYTES = 100;

/** Looks up how long arrays are now that were written to: one query by `_id` a collection, whose answer holds lengths alone. */
export class PresentLengths {
  private readonly limit = pLimit(READING.lookedUp.atOnce);
  private left = READING.mostTimeTogether;

  constructor(private readonly reader: ClusterReader) {}

  /** @param averageBytes of a document; null if unknown */
  of(collection: Collection, averageBytes: number | null, sample: OplogSample): Promise<Evidence<OplogOfCollection>> {
    return this.limit(async () => {
      const operation = `looking up lengths of arrays in ${collection.namespace}`;
      if (this.left <= 0) {
        const limit = formatDuration(READING.mostTimeTogether);
        return absent('bound', `${operation}: the ${limit} for all collections were already used up.`);
      }
      const started = performance.now();
      try {
        return present(await this.lookUp(collection, averageBytes ?? READING.lookedUp.unknownBytes, sample));
      } catch (error) {
        return absentBecause(error, operation, `find on ${collection.namespace}`);
      } finally {
        this.left -= performance.now() - started;
      }
    });
  }

  private async lookUp(
    { database, name, uuid = '' }: Collection,
    averageBytes: number,
    { window, writes }: OplogSample,
  ): Promise<OplogOfCollection> {
    const byPath = [...groupedBy(writes.get(uuid) ?? [], ({ path }) => path)].filter(([path]) => isPlain(path));
    const busiest = byPath.sort(([, one], [, other]) => other.length - one.length).slice(0, READING.lookedUp.paths);
    const ofBusiest = busiest.flatMap(([, ofPath]) => ofPath);
    const documents = [...groupedBy(ofBusiest, ({ document }) => document)];
    const { bytes, most, least } = READING.lookedUp;
    const affordable = Math.min(most, Math.max(least, Math.floor(bytes / Math.max(1, averageBytes))));
    // At equal distances, if there are too many.
    const step = Math.max(1, documents.length / Math.min(affordable, READING.lookedUp.ofPath * busiest.length));
    const chosen = documents.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
    if (chosen.length === 0) return { window, writes: [], measuredAt: window.to, shareOfDocuments: 1 };
    const lengths = busiest.map(([path], index) => [
      `l${index}`,
      { $cond: [{ $isArray: [`$${path}`] }, { $size: `$${path}` }, null] },
    ]);
    const ids = chosen.map(([document]) => idOf(document));
    const cursor = this.reader.findRaw(
      database,
      name,
      { _id: { $in: ids } },
      {
        projection: { _id: 1, ...Object.fromEntries(lengths), at: '$$NOW' },
        documentBytes: ANSWER_BYTES,
        maxTimeMS: Math.ceil(Math.min(READING.mostTime, this.left)),
      },
    );
    const answers = new Map<string, Document>();
    for await (const batch of batchesOf(cursor))
      for (const answer of batch.map(decoded)) answers.set(idText(answer['_id']), answer);
    const fields = new Map(busiest.map(([path], index) => [path, `l${index}`]));
    const [first] = answers.values();
    return {
      window,
      measuredAt: Math.max(window.to, (first?.['at'] as Date | undefined)?.getTime() ?? 0),
      shareOfDocuments: chosen.length / documents.length,
      writes: chosen.flatMap(([document, ofDocument]) => {
        const answer = answers.get(document);
        return ofDocument.flatMap((write) => {
          const now = answer === undefined ? null : (answer[fields.get(write.path) ?? ''] as unknown);
          // Nothing if the document holds no array there any more.
          return now === null && answer !== undefined ? [] : [{ ...write, now: now as number | null }];
        });
      }),
    };
  }
}

/** False if a name of the path stands for something else in expressions. */
function isPlain(path: string): boolean {
  return path !== '' && !path.split('.').some((name) => name.startsWith('$') || name === '');
}
