import { BSON, Timestamp, type Document } from 'mongodb';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import type { Cluster } from '../../connect/connect.js';
import { absentBecause, skipReason } from '../../connect/server-error.js';
import { absent, present, type Evidence } from '../evidence.js';
import type { ArrayActivity } from './array-activity.js';
import { MS_PER_DAY } from './limits.js';
import { OplogActivities } from './oplog-activities.js';
import type { OplogWindow } from './oplog-growth.js';

/** What was read of the oplog. */
export interface OplogReading {
  readonly window: OplogWindow;
  /** Entries read. */
  readonly entries: number;
  /** Entries among them that could not be used: larger than 64 KB, or of a form that is not known. */
  readonly unread: number;
  /** Every array that was written to, by the UUID of its collection, in hexadecimal. */
  readonly arrays: ReadonlyMap<string, readonly ArrayActivity[]>;
}

/** Entries read at most, over the whole window: some 30 ms of the server's time, and twice that here. */
const MOST_ENTRIES = 10_000;
/** Of these, the newest ones that are read without a gap. */
const TAIL_ENTRIES = 2_500;
/** Entries per stretch and turn, for the time before. */
const STRETCH_ENTRIES = 625;
/** Stretches that the time before is divided into. */
const STRETCHES = 12;
/** No further is looked back, in days: what matters is what grows now. */
const WINDOW_DAYS = 7;
/** BSON bytes read at most; the batch that crosses the line is still used. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Larger entries are read without their content. */
const MOST_ENTRY_BYTES = 64 * 1024;
/** Longest time for all of it, in ms. */
const MOST_TIME = 3_000;

const MS_PER_SECOND = 1_000;

const OPLOG = { database: 'local', name: 'oplog.rs' } as const;

/** Of inserts and other entries only what tells time and document; of updates and deletes the content, unless it is large. */
const ENTRY_FIELDS: Document = {
  _id: 0,
  ts: 1,
  wall: 1,
  op: 1,
  ui: 1,
  o2: 1,
  o: {
    $cond: [
      { $and: [{ $in: ['$op', ['u', 'd', 'c']] }, { $lte: [{ $bsonSize: '$$ROOT' }, MOST_ENTRY_BYTES] }] },
      '$o',
      '$$REMOVE',
    ],
  },
};

/** A part of the oplog that is read without a gap. Times in ms since 1970. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly entries: Uint8Array[];
  /** Reading goes on after the one and ends before the other. */
  next: Timestamp;
  readonly end: Timestamp;
  /** Whether it was read to its end. */
  done: boolean;
}

/**
 * Reads the arrays' changes from the oplog: the newest entries without a gap, and stretches spread over the days before.
 * Bounded in entries, bytes and time.
 */
export async function readOplog(reader: ClusterReader, { topology }: Cluster): Promise<Evidence<OplogReading>> {
  if (topology === 'standalone') return absent('unsupported', 'reading the oplog: a standalone server has none.');
  if (topology === 'sharded') {
    return absent('unsupported', 'reading the oplog: mongos shows none; lint a shard directly to see what grows in its part.');
  }
  try {
    return await new OplogReader(reader).readAll();
  } catch (error) {
    return unreadable(error);
  }
}

/**
 * Reads the newest changes in one collection, by an equality on `ns`: the only filter that Atlas allows on its shared tiers.
 * Transactions are not among them.
 */
export async function readOplogOf(reader: ClusterReader, namespace: string): Promise<Evidence<OplogReading>> {
  try {
    return await new OplogReader(reader).readCollection(namespace);
  } catch (error) {
    return unreadable(error);
  }
}

function unreadable(error: unknown): Evidence<OplogReading> {
  return absentBecause(error, 'reading the oplog', 'find on local.oplog.rs');
}

class OplogReader {
  private readonly endsAt = performance.now() + MOST_TIME;
  private entries = 0;
  private bytes = 0;

  constructor(private readonly reader: ClusterReader) {}

  async readAll(): Promise<Evidence<OplogReading>> {
    const tail = await this.tail({}, TAIL_ENTRIES);
    const oldest = (await this.find({}, 1, 1)).entries[0];
    if (tail === null || oldest === undefined) return absent('insufficient', 'reading the oplog: it is empty.');
    const from = Math.max(timeOf(oldest), tail.to - WINDOW_DAYS * MS_PER_DAY);
    const stretches = stretchesBetween(from, tail);
    await this.readInTurns(stretches);
    return present(this.reading([...stretches, tail]));
  }

  async readCollection(namespace: string): Promise<Evidence<OplogReading>> {
    const tail = await this.tail({ ns: namespace }, STRETCH_ENTRIES);
    return tail === null ? absent('insufficient', `reading the oplog: it has no entry of ${namespace}.`) : present(this.reading([tail]));
  }

  /** The newest entries, or null where there are none. */
  private async tail(filter: Document, limit: number): Promise<Stretch | null> {
    const entries = (await this.find(filter, limit, -1)).entries.toReversed();
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) return null;
    return { from: timeOf(first), to: timeOf(last), entries, next: timestampOf(last), end: timestampOf(first), done: true };
  }

  /** Reads a part of each stretch in turn, so that a bound cuts off as much of one as of another. */
  private async readInTurns(stretches: readonly Stretch[]): Promise<void> {
    for (let open = stretches; open.length > 0; open = open.filter(({ done }) => !done)) {
      for (const stretch of open) {
        if (this.isExhausted()) return;
        await this.readOn(stretch);
      }
    }
  }

  private async readOn(stretch: Stretch): Promise<void> {
    const limit = Math.min(STRETCH_ENTRIES, MOST_ENTRIES - this.entries);
    try {
      const { entries, isAll } = await this.find({ ts: { $gt: stretch.next, $lt: stretch.end } }, limit, 1);
      stretch.entries.push(...entries);
      stretch.done = isAll;
      const last = entries.at(-1);
      if (last !== undefined) stretch.next = timestampOf(last);
    } catch (error) {
      // What was read before is evidence all the same; the time is up for what comes after too.
      if (skipReason(error) !== 'timeout') throw error;
    }
  }

  private isExhausted(): boolean {
    return this.entries >= MOST_ENTRIES || this.bytes >= MOST_BYTES || performance.now() >= this.endsAt || this.reader.isOutOfTime;
  }

  /** @returns `isAll` where no bound kept entries back */
  private async find(filter: Document, limit: number, direction: 1 | -1): Promise<{ entries: Uint8Array[]; isAll: boolean }> {
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
    try {
      while (this.bytes < MOST_BYTES && !isAll) {
        isAll = !(await cursor.hasNext());
        for (const entry of cursor.readBufferedDocuments()) {
          entries.push(entry);
          this.bytes += entry.length;
        }
      }
    } finally {
      await cursor.close();
    }
    this.entries += entries.length;
    return { entries, isAll: isAll && entries.length < limit };
  }

  /** @param stretches in order of time */
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
    return { window: { from, to, covered }, entries: this.entries, unread: activities.unread, arrays: activities.byCollection() };
  }
}

/** Divides the time before the newest entries. Whole seconds, as the oplog's timestamps count. */
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
    };
  });
}

/** Before every entry of the second, whose own counters begin at 1. */
function startOfSecond(time: number): Timestamp {
  return new Timestamp({ t: Math.floor(time / MS_PER_SECOND), i: 0 });
}

function timeOf(entry: Uint8Array): number {
  const { wall, ts } = BSON.deserialize(entry);
  return wall instanceof Date ? wall.getTime() : (ts as Timestamp).getHighBits() * MS_PER_SECOND;
}

function timestampOf(entry: Uint8Array): Timestamp {
  return BSON.deserialize(entry)['ts'] as Timestamp;
}
