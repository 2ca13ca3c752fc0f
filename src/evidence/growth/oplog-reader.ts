import type { ClusterReader } from '../../connect/cluster-reader.js';
import { MS_PER_DAY } from '../../time-units.js';
import type { ArrayActivity } from './array-activity.js';
import type { DrawnWindow } from './drawn-writes.js';
import { OplogActivities } from './oplog-activities.js';
import { OplogDraws, type UnresolvedWrite } from './oplog-draws.js';
import { isPassing, OplogEntries, timeOf, type ReadEntries } from './oplog-entries.js';
import type { OplogWindow } from './oplog-growth.js';

/** Entries drawn evenly over a window, or all of it. */
export interface DrawnOplog {
  readonly drawnFrom: Omit<DrawnWindow, 'measuredAt' | 'shareOfArrays'>;
  /** Those that were read, and those of them whose updates could not be. */
  readonly entries: number;
  readonly unread: number;
  /** Writes to arrays, by the UUID of their collection, in hexadecimal. */
  readonly writes: ReadonlyMap<string, readonly UnresolvedWrite[]>;
}

/** The newest entries of one collection, without a gap. */
export interface OplogTail {
  readonly window: OplogWindow;
  /** Arrays that were written to, by the UUID of their collection, in hexadecimal. */
  readonly arrays: ReadonlyMap<string, readonly ArrayActivity[]>;
}

/** A shorter oplog is read whole: the server would scan it for a sample of this size. */
const MOST_WHOLE = 15_000;
/** Some 30 ms of the server's time for each thousand. */
const DRAWN = 20_000;
const DRAWN_AT_ONCE = 2_500;
/** A few at first: what entries weigh shows then. */
const DRAWN_FIRST = 500;
const MOST_DRAWS = 12;
/** If none of so many writes to an array, fewer than a dozen of all that may be drawn do: too few to judge one. */
const DRAWN_IN_VAIN = 5_500;
/** Of the entries, in one draw; from 5 % on, the server scans them all and sorts. */
const MOST_SHARE = 0.04;
const TAIL_ENTRIES = 1_500;
const WINDOW_DAYS = 7;

/** Bounded in entries, bytes and time. */
export class OplogReader {
  private readonly oplog: OplogEntries;

  /** @param time in ms */
  constructor(reader: ClusterReader, time: number) {
    this.oplog = new OplogEntries(reader, time);
  }

  /** Null if the server shows no entry. */
  async readAll(): Promise<DrawnOplog | null> {
    const [oldest] = (await this.oplog.find({}, 1, 1)).entries;
    const [newest] = (await this.oplog.find({}, 1, -1)).entries;
    if (oldest === undefined || newest === undefined) return null;
    const to = timeOf(newest);
    const from = Math.max(timeOf(oldest), to - WINDOW_DAYS * MS_PER_DAY);
    const count = await this.oplog.count();
    return count <= MOST_WHOLE ? this.readWhole(from, to) : this.draw(count, from, to);
  }

  async readCollection(namespace: string): Promise<OplogTail | null> {
    const entries = (await this.oplog.find({ ns: namespace }, TAIL_ENTRIES, -1)).entries.toReversed();
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) return null;
    const activities = new OplogActivities();
    for (const entry of entries) activities.add(entry, 0);
    const from = timeOf(first);
    const to = Math.max(from, timeOf(last));
    const unreadShare = activities.unread / entries.length;
    return { window: { from, to, covered: to - from, unreadShare }, arrays: activities.byCollection() };
  }

  /** From its end, so that a bound cuts off the oldest entries. */
  private async readWhole(start: number, to: number): Promise<DrawnOplog> {
    const { entries, isAll } = await this.oplog.find({}, MOST_WHOLE, -1);
    const last = entries.at(-1);
    const from = isAll || last === undefined ? start : Math.max(start, timeOf(last));
    const draws = new OplogDraws();
    for (const entry of entries) draws.add(entry);
    return drawnOplog(draws, entries.length, { from, to, share: 1 });
  }

  private async draw(count: number, from: number, to: number): Promise<DrawnOplog> {
    const draws = new OplogDraws();
    const entries = new Set<string>();
    let [missed, drawn] = [1, 0];
    for (let draw = 0; draw < MOST_DRAWS && drawn < DRAWN; draw += 1) {
      const size = Math.min(draw === 0 ? DRAWN_FIRST : DRAWN_AT_ONCE, Math.floor(MOST_SHARE * count));
      const read = await this.drawOnce(size, from, draw === 0);
      // Cut off, it would not be known of how many entries these are the updates.
      if (read === null || (!read.isAll && draw > 0)) break;
      for (const entry of read.entries) {
        const identity = identityOf(entry);
        if (!entries.has(identity)) draws.add(entry);
        entries.add(identity);
      }
      missed *= 1 - (read.isAll ? size : read.entries.length) / count;
      drawn += size;
      if (this.oplog.isExhausted() || (drawn >= DRAWN_IN_VAIN && draws.isEmpty)) break;
    }
    return drawnOplog(draws, entries.size, { from, to, share: 1 - missed });
  }

  private async drawOnce(size: number, from: number, isFirst: boolean): Promise<ReadEntries | null> {
    try {
      return await this.oplog.draw(size, from);
    } catch (error) {
      // What was drawn before is evidence all the same.
      if (isFirst || !isPassing(error)) throw error;
      return null;
    }
  }
}

function drawnOplog(
  { unread, byCollection }: OplogDraws,
  entries: number,
  window: Pick<DrawnWindow, 'from' | 'to' | 'share'>,
): DrawnOplog {
  const drawnFrom = { ...window, unreadShare: unread / Math.max(1, entries) };
  return { drawnFrom, entries, unread, writes: byCollection };
}

/** The server gives each entry a timestamp of its own; its bytes lie at the same place in entries that are the same. */
function identityOf(entry: Uint8Array): string {
  return Buffer.from(entry.buffer, entry.byteOffset, entry.length).toString('latin1');
}
