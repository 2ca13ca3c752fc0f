import { BSON, Timestamp, type Document } from 'mongodb';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { skipReason } from '../../connect/server-error.js';
import { MS_PER_DAY, MS_PER_SECOND } from '../../time-units.js';
import type { SkipReason } from '../../presence.js';
import type { ArrayActivity } from './array-activity.js';
import { LEFT_OUT_UPDATES, OplogActivities } from './oplog-activities.js';
import type { OplogWindow } from './oplog-growth.js';

export interface OplogReading {
  readonly window: OplogWindow;
  readonly entries: number;
  readonly unread: number;
  /** Arrays that were written to, by the UUID of their collection, in hexadecimal. */
  readonly arrays: ReadonlyMap<string, readonly ArrayActivity[]>;
}

/** Over the whole window: some 20 ms of the server's time, and a few times that here. */
const MOST_ENTRIES = 6_000;
const TAIL_ENTRIES = 1_500;
/** Entries per stretch and turn, for the time before. */
const STRETCH_ENTRIES = 375;
const STRETCHES = 12;
const WINDOW_DAYS = 7;
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

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly entries: Uint8Array[];
  /** Reading continues after `next` and ends before `end`. */
  next: Timestamp;
  readonly end: Timestamp;
  done: boolean;
  /** Whether it can't be read further: the time was up, or the server removed its entries meanwhile. */
  lost: boolean;
}

// The newest entries without a gap, and stretches spread over the days before. Bounded in entries, bytes and time.
export class OplogReader {
  private readonly endsAt: number;
  private entries = 0;
  private bytes = 0;

  constructor(
    private readonly reader: ClusterReader,
    time: number,
  ) {
    this.endsAt = performance.now() + time;
  }

  async readAll(): Promise<OplogReading | null> {
    const [oldest] = (await this.find({}, 1, 1)).entries;
    const tail = await this.tail({}, TAIL_ENTRIES);
    if (tail === null || oldest === undefined) return null;
    const from = Math.max(timeOf(oldest), tail.to - WINDOW_DAYS * MS_PER_DAY);
    const stretches = stretchesBetween(from, tail);
    await this.readInTurns(stretches);
    return this.reading([...stretches, tail]);
  }

  async readCollection(namespace: string): Promise<OplogReading | null> {
    const tail = await this.tail({ ns: namespace }, TAIL_ENTRIES);
    return tail === null ? null : this.reading([tail]);
  }

  private async tail(filter: Document, limit: number): Promise<Stretch | null> {
    const entries = (await this.find(filter, limit, -1)).entries.toReversed();
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) return null;
    return {
      from: timeOf(first),
      to: Math.max(timeOf(first), timeOf(last)),
      entries,
      next: timestampOf(last),
      end: timestampOf(first),
      done: true,
      lost: false,
    };
  }

  /** Reads a part of each stretch in turn, so that a bound cuts off as much of one as of another. */
  private async readInTurns(stretches: readonly Stretch[]): Promise<void> {
    for (let open = stretches; open.length > 0; open = open.filter(({ done, lost }) => !done && !lost)) {
      for (const stretch of open) {
        if (this.isExhausted()) return;
        await this.readOn(stretch);
      }
    }
  }

  private async readOn(stretch: Stretch): Promise<void> {
    const limit = Math.min(STRETCH_ENTRIES, MOST_ENTRIES - this.entries);
    try {
      const { entries, isAll, isLost } = await this.find({ ts: { $gt: stretch.next, $lt: stretch.end } }, limit, 1);
      stretch.entries.push(...entries);
      stretch.done = isAll;
      stretch.lost = isLost;
      const last = entries.at(-1);
      if (last !== undefined) stretch.next = timestampOf(last);
    } catch (error) {
      // What was read before is evidence all the same.
      if (!PASSING.has(skipReason(error))) throw error;
      stretch.lost = true;
    }
  }

  private isExhausted(): boolean {
    return (
      this.entries >= MOST_ENTRIES ||
      this.bytes >= MOST_BYTES ||
      performance.now() >= this.endsAt ||
      this.reader.isOutOfTime
    );
  }

  private async find(
    filter: Document,
    limit: number,
    direction: 1 | -1,
  ): Promise<{ entries: Uint8Array[]; isAll: boolean; isLost: boolean }> {
    const cursor = this.reader.findRaw(OPLOG.database, OPLOG.name, filter, {
      limit,
      sort: { $natural: direction },
      projection: ENTRY_FIELDS,
      // The server ends a batch at 16 MB by itself.
      batchSize: limit,
      maxTimeMS: Math.max(1, Math.ceil(this.endsAt - performance.now())),
    });
    const entries: Uint8Array[] = [];
    let isAll = false;
    let isLost = false;
    try {
      while (this.bytes < MOST_BYTES && !isAll) {
        isAll = !(await cursor.hasNext());
        for (const entry of cursor.readBufferedDocuments()) {
          entries.push(entry);
          this.bytes += entry.length;
        }
      }
    } catch (error) {
      if (entries.length === 0 || !PASSING.has(skipReason(error))) throw error;
      isLost = true;
    } finally {
      await cursor.close();
    }
    this.entries += entries.length;
    return { entries, isAll: isAll && entries.length < limit, isLost };
  }

  private reading(stretches: readonly Stretch[]): OplogReading {
    const activities = new OplogActivities();
    let covered = 0;
    let number = 0;
    for (const { entries, from, to, done } of stretches) {
      for (const entry of entries) activities.add(entry, number);
      const last = entries.at(-1);
      covered += done ? to - from : Math.max(0, (last === undefined ? from : timeOf(last)) - from);
      if (!done) number += 1;
    }
    const from = (stretches[0] as Stretch).from;
    const to = (stretches.at(-1) as Stretch).to;
    const { unread } = activities;
    const unreadShare = unread / Math.max(1, this.entries);
    return {
      window: { from, to, covered, unreadShare },
      entries: this.entries,
      unread,
      arrays: activities.byCollection(),
    };
  }
}

/** The values that an entry wrote are unused. JavaScript would throw on some of the server's regular expressions. */
const DECODING: BSON.DeserializeOptions = { bsonRegExp: true, validation: { utf8: false } };

/** Whole seconds, as the oplog's timestamps count. */
function stretchesBetween(from: number, tail: Stretch): Stretch[] {
  if (tail.from <= from) return [];
  const width = Math.max(MS_PER_SECOND, (tail.from - from) / STRETCHES);
  const starts = Array.from({ length: Math.ceil((tail.from - from) / width) }, (_, index) =>
    index === 0 ? from : Math.floor((from + index * width) / MS_PER_SECOND) * MS_PER_SECOND,
  );
  return starts.map((start, index) => {
    const next = starts[index + 1];
    return {
      from: start,
      to: next ?? tail.from,
      entries: [],
      next: startOfSecond(start),
      end: next === undefined ? tail.end : startOfSecond(next),
      done: false,
      lost: false,
    };
  });
}

/** Before every entry of the second, whose own counters begin at 1. */
function startOfSecond(time: number): Timestamp {
  return new Timestamp({ t: Math.floor(time / MS_PER_SECOND), i: 0 });
}

function timeOf(entry: Uint8Array): number {
  const { wall, ts } = BSON.deserialize(entry, DECODING);
  return wall instanceof Date ? wall.getTime() : (ts as Timestamp).getHighBits() * MS_PER_SECOND;
}

function timestampOf(entry: Uint8Array): Timestamp {
  return BSON.deserialize(entry, DECODING)['ts'] as Timestamp;
}
