import type { ClusterReader } from '../../../connect/cluster-reader.js';
import { MS_PER_DAY } from '../../../time-units.js';
import type { ArrayActivity, OplogWindow } from './array-activity.js';
import { drawnOplog, EvenDraw, MOST_SCANNED, type DrawnOplog } from './even-draw.js';
import { OplogActivities } from './oplog-activities.js';
import { OplogDraws } from './oplog-draws.js';
import { OplogEntries, timeOf } from './oplog-entries.js';

/** The newest entries of one collection, without a gap. */
export interface OplogTail {
  readonly window: OplogWindow;
  /** Arrays that were written to, by the UUID of their collection, in hexadecimal. */
  readonly arrays: ReadonlyMap<string, readonly ArrayActivity[]>;
}

/** A shorter oplog is read whole. */
const MOST_WHOLE = 15_000;
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
    if (count <= MOST_WHOLE) return this.readWhole(from, to);
    const draw = new EvenDraw(this.oplog, count, { from, to });
    return count <= MOST_SCANNED ? draw.scan() : draw.drawAndScan();
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
}
