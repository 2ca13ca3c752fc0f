import { BSON, Timestamp, type Document } from 'mongodb';
import { neededFigure } from '../../connect/answer.js';
import type { ClusterReader, RawCursor } from '../../connect/cluster-reader.js';
import { skipReason } from '../../connect/server-error.js';
import type { SkipReason } from '../../presence.js';
import { MS_PER_SECOND } from '../../time-units.js';
import { isRefusal } from '../sampling/chosen-documents.js';
import { LEFT_OUT_UPDATES } from './oplog-operations.js';

/** BSON bytes; the batch that crosses the line is still used. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Larger entries are read without their content. */
const MOST_ENTRY_BYTES = 64 * 1024;

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

const NEWEST_FIRST = { $natural: -1 } as const;

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
const WITH_UPDATES = { $in: ['u', 'c'] } as const;
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
    return this.bytes / MOST_BYTES;
  }

  isExhausted(): boolean {
    return this.bytes >= MOST_BYTES || performance.now() >= this.endsAt || this.reader.isOutOfTime;
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
   * Scans entries since a time, the newest first, and gives the updates among those that a hash of their timestamp chooses:
   * the same whenever it is read.
   */
  async scan(from: number, { above, upTo }: HashRange, most: number): Promise<ReadEntries> {
    const filter = { ts: { $gte: timestampOf(from) }, op: WITH_UPDATES };
    const read = (chosen: Document) => this.find({ ...filter, $expr: chosen }, most, -1);
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
  draw(size: number, from: number, before: number): Promise<ReadEntries> {
    const stages = [
      { $sample: { size } },
      { $match: { ts: { $gte: timestampOf(from), $lt: timestampOf(before) }, op: WITH_UPDATES } },
      { $project: ENTRY_FIELDS },
    ];
    const bounds = { batchSize: size, maxTimeMS: this.timeLeft() };
    return this.drain(this.reader.aggregateRaw(OPLOG.database, OPLOG.name, stages, bounds));
  }

  /** Of what the random cursor draws, the share that is older than a time, and the share that `draw` gives of it. */
  async sharesDrawn(size: number, from: number, before: number): Promise<{ older: number; given: number }> {
    const isBefore = { $lt: ['$ts', timestampOf(before)] };
    const isGiven = { $and: [isBefore, { $gte: ['$ts', timestampOf(from)] }, { $in: ['$op', WITH_UPDATES.$in] }] };
    const stages = [
      { $sample: { size } },
      { $group: { _id: null, older: shareOf(isBefore), given: shareOf(isGiven) } },
    ];
    const [answer] = await this.reader
      .aggregate<Document>(OPLOG.database, OPLOG.name, stages, { maxTimeMS: this.timeLeft() })
      .toArray();
    const figure = (name: string) => neededFigure('aggregate', answer ?? {}, name);
    return { older: figure('older'), given: figure('given') };
  }

  /** The time of the oldest of so many newest entries. */
  async startOfNewest(count: number): Promise<number | null> {
    const bounds = { skip: count - 1, limit: 1, sort: NEWEST_FIRST, projection: { _id: 0, ts: 1 }, batchSize: 1 };
    const { entries } = await this.drain(
      this.reader.findRaw(OPLOG.database, OPLOG.name, {}, { ...bounds, maxTimeMS: this.timeLeft() }),
    );
    return entries[0] === undefined ? null : timestampIn(entries[0]).getHighBits() * MS_PER_SECOND;
  }

  /** Of the whole oplog, by the server's own count. */
  async count(): Promise<number> {
    const answer = await this.reader.command(OPLOG.database, { count: OPLOG.name }, { maxTimeMS: this.timeLeft() });
    return neededFigure('count', answer, 'n');
  }

  private timeLeft(): number {
    return Math.max(1, Math.ceil(this.endsAt - performance.now()));
  }

  private async drain(cursor: RawCursor): Promise<ReadEntries> {
    const entries: Uint8Array[] = [];
    let isAll = false;
    try {
      while (!isAll && this.bytes < MOST_BYTES) {
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

function shareOf(condition: Document): Document {
  return { $avg: { $cond: [condition, 1, 0] } };
}

export function isPassing(error: unknown): boolean {
  return PASSING.has(skipReason(error));
}

/** The values that an entry wrote are unused. JavaScript would throw on some of the server's regular expressions. */
const DECODING: BSON.DeserializeOptions = { bsonRegExp: true, validation: { utf8: false } };

function timestampOf(time: number): Timestamp {
  return new Timestamp({ t: Math.floor(time / MS_PER_SECOND), i: 0 });
}

/** In ms since 1970. */
export function timeOf(entry: Uint8Array): number {
  const { wall } = BSON.deserialize(entry, DECODING);
  return wall instanceof Date ? wall.getTime() : timestampIn(entry).getHighBits() * MS_PER_SECOND;
}

function timestampIn(entry: Uint8Array): Timestamp {
  return BSON.deserialize(entry, DECODING)['ts'] as Timestamp;
}
