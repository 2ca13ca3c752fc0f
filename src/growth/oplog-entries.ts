import { Timestamp, type Document } from 'mongodb';
import { neededFigure } from '../connect/answer.js';
import type { ClusterReader, RawCursor } from '../connect/cluster-reader.js';
import { skipReason } from '../connect/server-error.js';
import type { SkipReason } from '../presence.js';
import { MS_PER_SECOND } from '../time-units.js';
import { isRefusal } from '../profile/sampling/chosen-documents.js';
import { MOST_ENTRY_BYTES, MOST_OPLOG_BYTES } from './limits.js';
import { decoded, LEFT_OUT_UPDATES, timeIn } from './oplog-writes.js';

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

const IS_SMALL: Document = { $lte: [{ $bsonSize: '$$ROOT' }, MOST_ENTRY_BYTES] };

// Of transactions and bulks too large to read, only whether they hold updates: many hold inserts alone.
const ENTRY_FIELDS: Document = {
  _id: 0,
  ts: 1,
  wall: 1,
  op: 1,
  ui: 1,
  o2: 1,
  o: { $cond: [{ $and: [{ $in: ['$op', ['u', 'd', 'c']] }, IS_SMALL] }, '$o', '$$REMOVE'] },
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
export interface HashRange {
  readonly above: number;
  readonly upTo: number;
}

export interface ReadEntries {
  readonly entries: readonly Uint8Array[];
  /** Whether all that was asked for was read: no bound and no failure cut it off. */
  readonly isAll: boolean;
}

/** The server's time of an entry, unique in the oplog: seconds since 1970, and a number within the second. */
export interface EntryTime {
  readonly seconds: number;
  readonly increment: number;
}

export function compareTimes(one: EntryTime, other: EntryTime): number {
  return one.seconds - other.seconds || one.increment - other.increment;
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
    return this.bytes / MOST_OPLOG_BYTES;
  }

  isExhausted(): boolean {
    return this.bytes >= MOST_OPLOG_BYTES || performance.now() >= this.endsAt || this.reader.isOutOfTime;
  }

  /** In natural order, which is that of time. @throws if nothing at all could be read */
  find(filter: Document, limit: number, direction: 1 | -1): Promise<ReadEntries> {
    const cursor = this.reader.findRaw(OPLOG.database, OPLOG.name, filter, {
      limit,
      sort: { $natural: direction },
      projection: ENTRY_FIELDS,
      // The server ends a batch at 16 MB by itself.
      batchSize: limit,
      maxTimeMS: this.timeLeft(),
    });
    return this.drain(cursor);
  }

  /**
   * Scans entries since a time, and gives the updates among those that a hash of their timestamp chooses: the same whenever
   * it is read.
   *
   * @param direction 1: the server seeks the time; -1, the newest first: it scans what is older as well (measured on 6.0.5:
   *   of the newest 500 of 340,000 entries, 501 and 340,000 were examined)
   */
  async scan(
    from: number | EntryTime,
    { above, upTo }: HashRange,
    most: number,
    direction: 1 | -1 = -1,
  ): Promise<ReadEntries> {
    const filter = { ts: { $gte: timestampOf(from) }, op: WITH_UPDATES };
    const read = (chosen: Document) => this.find({ ...filter, $expr: chosen }, most, direction);
    try {
      const hash = { $abs: { $mod: [{ $toHashedIndexKey: '$ts' }, HASH_STEPS] } };
      return await read({
        $and: [{ $gte: [hash, Math.round(above * HASH_STEPS)] }, { $lt: [hash, Math.round(upTo * HASH_STEPS)] }],
      });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return read({ $lt: [{ $rand: {} }, (upTo - above) / (1 - above)] });
    }
  }

  /**
   * Draws entries by the server's random cursor, and gives the updates among those between two times. Only as the first
   * stage does `$sample` use that cursor, and only below 5 % of the entries.
   */
  draw(size: number, from: number, before: EntryTime): Promise<ReadEntries> {
    const stages = [
      { $sample: { size } },
      { $match: { ts: { $gte: timestampOf(from), $lt: timestampOf(before) }, op: WITH_UPDATES } },
      { $project: ENTRY_FIELDS },
    ];
    const bounds = { batchSize: size, maxTimeMS: this.timeLeft() };
    return this.drain(this.reader.aggregateRaw(OPLOG.database, OPLOG.name, stages, bounds));
  }

  /** Which entries the random cursor draws of all, the oldest first. */
  async drawTimes(size: number): Promise<readonly EntryTime[]> {
    const stages = [{ $sample: { size } }, { $project: { _id: 0, ts: 1 } }];
    const bounds = { batchSize: size, maxTimeMS: this.timeLeft() };
    const { entries } = await this.drain(this.reader.aggregateRaw(OPLOG.database, OPLOG.name, stages, bounds));
    return entries.map(timestampIn).toSorted(compareTimes);
  }

  /** Of the whole oplog, by the server's own count. */
  count(): Promise<number> {
    return this.counted({});
  }

  /** The server seeks the time instead of scanning what is older. */
  countSince(time: number | EntryTime): Promise<number> {
    return this.counted({ query: { ts: { $gte: timestampOf(time) } } });
  }

  private async counted(of: Document): Promise<number> {
    const command = { count: OPLOG.name, ...of };
    const answer = await this.reader.command(OPLOG.database, command, { maxTimeMS: this.timeLeft() });
    return neededFigure('count', answer, 'n');
  }

  private timeLeft(): number {
    return Math.max(1, Math.ceil(this.endsAt - performance.now()));
  }

  private async drain(cursor: RawCursor): Promise<ReadEntries> {
    const entries: Uint8Array[] = [];
    let isAll = false;
    try {
      while (!isAll && this.bytes < MOST_OPLOG_BYTES) {
        isAll = !(await cursor.hasNext());
        for (const entry of cursor.readBufferedDocuments()) {
          entries.push(entry);
          this.bytes += entry.length;
        }
      }
    } catch (error) {
      if (entries.length === 0 || !PASSING.has(skipReason(error))) throw error;
    } finally {
      await cursor.close();
    }
    return { entries, isAll };
  }
}

export function isPassing(error: unknown): boolean {
  return PASSING.has(skipReason(error));
}

function timestampOf(time: number | EntryTime): Timestamp {
  const { seconds, increment } =
    typeof time === 'number' ? { seconds: Math.floor(time / MS_PER_SECOND), increment: 0 } : time;
  return new Timestamp({ t: seconds, i: increment });
}

/** In ms since 1970. */
export function timeOf(entry: Uint8Array): number {
  return timeIn(decoded(entry));
}

function timestampIn(entry: Uint8Array): EntryTime {
  const { t: seconds, i: increment } = decoded(entry)['ts'] as Timestamp;
  return { seconds, increment };
}
