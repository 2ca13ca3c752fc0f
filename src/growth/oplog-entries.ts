import { Timestamp, type Document } from 'mongodb';
import { neededFigure } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import type { RawCursor } from '../connect/raw-cursor.js';
import { skipReason } from '../connect/server-error.js';
import type { SkipReason } from '../presence.js';
import { isRefusal } from '../profile/sampling/chosen-documents.js';
import { MS_PER_SECOND } from '../time-units.js';
import { READING } from './limits.js';
import { decoded, LEFT_OUT_UPDATES } from './oplog-writes.js';

/** Failures that leave what was read before them as it is. */
const PASSING: ReadonlySet<SkipReason> = new Set([
  'timeout',
  'max-time',
  'server-load',
  'interrupted',
  'connection',
  'vanished',
]);

const OPLOG = { database: 'local', name: 'oplog.rs' } as const;

const IS_SMALL: Document = { $lte: [{ $bsonSize: '$$ROOT' }, READING.mostEntryBytes] };

// Of transactions and bulks too large to read, only whether they hold updates: many hold inserts alone.
const ENTRY_FIELDS: Document = {
  _id: 0,
  ts: 1,
  wall: 1,
  op: 1,
  ui: 1,
  o2: 1,
  o: { $cond: [{ $and: [{ $in: ['$op', ['u', 'c']] }, IS_SMALL] }, '$o', '$$REMOVE'] },
  [LEFT_OUT_UPDATES]: {
    $cond: [
      { $and: [{ $eq: ['$op', 'c'] }, { $not: IS_SMALL }] },
      { $in: ['u', { $ifNull: ['$o.applyOps.op', []] }] },
      '$$REMOVE',
    ],
  },
};

/** Entries that hold updates, or a transaction with some. */
const WITH_UPDATES = { $in: ['u', 'c'] };
/** Hashes are told apart by so many steps. */
const HASH_STEPS = 1_000_000;

/** Part of the hashes, from 0 to 1. */
interface HashRange {
  readonly above: number;
  readonly upTo: number;
}

export interface ReadEntries {
  readonly entries: readonly Uint8Array[];
  /** Whether all that was asked for was read: no bound and no failure cut it off. */
  readonly isAll: boolean;
}

/** Reads entries of the oplog, bounded in bytes and time over all reads. */
export class OplogEntries {
  private readonly endsAt: number;
  private bytes = 0;

  /** @param time in ms */
  constructor(
    private readonly reader: ClusterReader,
    time: number,
  ) {
    this.endsAt = performance.now() + time;
  }

  /** Of the bytes that may be read, those that were. */
  get shareOfBytes(): number {
    return this.bytes / READING.mostBytes;
  }

  isExhausted(): boolean {
    return this.shareOfBytes >= 1 || performance.now() >= this.endsAt || this.reader.isOutOfTime;
  }

  /** In natural order, which is that of time. @throws if nothing at all could be read */
  find(filter: Document, limit: number, direction: 1 | -1): Promise<ReadEntries> {
    const bounds = { limit, sort: { $natural: direction }, batchSize: limit, maxTimeMS: this.timeLeft() };
    return this.drain(this.reader.findRaw(OPLOG.database, OPLOG.name, filter, { ...bounds, projection: ENTRY_FIELDS }));
  }

  /**
   * Scans entries since a time, and gives the updates among those that a hash of their timestamp chooses: the same whenever
   * it is read. Forwards, the server seeks the time; backwards, it scans what is older as well (measured on 6.0.5).
   */
  async scan(from: Timestamp, { above, upTo }: HashRange, most: number, direction: 1 | -1): Promise<ReadEntries> {
    const filter = { ts: { $gte: from }, op: WITH_UPDATES };
    const read = (chosen: Document) => this.find({ ...filter, $expr: chosen }, most, direction);
    try {
      const hash = { $abs: { $mod: [{ $toHashedIndexKey: '$ts' }, HASH_STEPS] } };
      const [least, end] = [above, upTo].map((share) => Math.round(share * HASH_STEPS));
      return await read({ $and: [{ $gte: [hash, least] }, { $lt: [hash, end] }] });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return read({ $lt: [{ $rand: {} }, (upTo - above) / (1 - above)] });
    }
  }

  /**
   * Draws entries by the server's random cursor, and gives the updates among those between two times. Only as the first
   * stage does `$sample` use that cursor, and only below 5 % of the entries.
   */
  draw(size: number, from: Timestamp, before: Timestamp): Promise<ReadEntries> {
    return this.sample(size, [
      { $match: { ts: { $gte: from, $lt: before }, op: WITH_UPDATES } },
      { $project: ENTRY_FIELDS },
    ]);
  }

  /** The times of entries that the random cursor draws of all, the oldest first. */
  async drawTimes(size: number): Promise<readonly Timestamp[]> {
    const { entries } = await this.sample(size, [{ $project: { _id: 0, ts: 1 } }]);
    const times = entries.map((entry) => decoded(entry)['ts'] as unknown);
    return times.filter((time) => time instanceof Timestamp).toSorted((one, other) => one.compare(other));
  }

  /** By the server's own count; since a time, which it seeks. */
  async count(since?: Timestamp): Promise<number> {
    const command = { count: OPLOG.name, ...(since !== undefined && { query: { ts: { $gte: since } } }) };
    const answer = await this.reader.command(OPLOG.database, command, { maxTimeMS: this.timeLeft() });
    return neededFigure('count', answer, 'n');
  }

  private sample(size: number, stages: readonly Document[]): Promise<ReadEntries> {
    const bounds = { batchSize: size, maxTimeMS: this.timeLeft() };
    return this.drain(this.reader.aggregateRaw(OPLOG.database, OPLOG.name, [{ $sample: { size } }, ...stages], bounds));
  }

  private timeLeft(): number {
    return Math.max(1, Math.ceil(this.endsAt - performance.now()));
  }

  private async drain(cursor: RawCursor): Promise<ReadEntries> {
    const entries: Uint8Array[] = [];
    let isAll = false;
    try {
      while (!isAll && this.bytes < READING.mostBytes) {
        isAll = !(await cursor.hasNext());
        for (const entry of cursor.readBufferedDocuments()) {
          entries.push(entry);
          this.bytes += entry.length;
        }
      }
    } catch (error) {
      if (entries.length === 0 || !isPassing(error)) throw error;
    } finally {
      await cursor.close();
    }
    return { entries, isAll };
  }
}

export function isPassing(error: unknown): boolean {
  return PASSING.has(skipReason(error));
}

/** Timestamps hold seconds in 32 bits. */
const MOST_SECONDS = 2 ** 32 - 1;

/** @param time in ms since 1970 */
export function timestampOf(time: number): Timestamp {
  const seconds = Math.min(Math.max(0, Math.floor(time / MS_PER_SECOND)), MOST_SECONDS);
  return new Timestamp({ t: seconds, i: 0 });
}
