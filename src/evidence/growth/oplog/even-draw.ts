import { MongoServerError } from 'mongodb';
import type { DrawnWindow } from './drawn-writes.js';
import { MS_PER_SECOND } from '../../../time-units.js';
import { OplogDraws, type UnresolvedWrite } from './oplog-draws.js';
import {
  compareTimes,
  isPassing,
  timeOf,
  type DrawnTime,
  type OplogEntries,
  type ReadEntries,
} from './oplog-entries.js';

/** Entries drawn evenly over a window, or all of it. */
export interface DrawnOplog {
  readonly drawnFrom: Omit<DrawnWindow, 'measuredAt' | 'shareOfArrays'>;
  /** Those that were read, and those of them whose updates could not be. */
  readonly entries: number;
  readonly unread: number;
  /** Writes to arrays, by the UUID of their collection, in hexadecimal. */
  readonly writes: ReadonlyMap<string, readonly UnresolvedWrite[]>;
}

type Window = Pick<DrawnWindow, 'from' | 'to' | 'byChance'>;

/** Entries, of which all are scanned: some 200 ms of the server's time for each hundred thousand. */
export const MOST_SCANNED = 150_000;
/**
 * The server keeps the newest 10 MB on one page in memory, which the random cursor enters as rarely as a page of 32 KB
 * (measured on 6.0.27: no draw from the newest 40 % of 120,000 entries). So many draws are hardly ever of that page: from the
 * first of them on, all is scanned, some so many entries more.
 */
const NEWEST_DRAWN = 4;
const SCANNED_BEFORE = 20_000;
/** The server's code for it. */
const DUPLICATES_ALONE = 28_799;
/** Some 30 ms of the server's time for each thousand. */
const DRAWN = 20_000;
/** A few at first: what entries weigh shows then. */
const DRAWN_FIRST = 500;
/** If none of so many writes to an array, fewer than a dozen of all that may be drawn do: too few to judge one. */
const DRAWN_IN_VAIN = 5_500;
const DRAWN_AT_ONCE = 2_500;
const MOST_DRAWS = 14;
/** Of the entries, in one draw; from 5 % on, the server scans them all and sorts. */
const MOST_SHARE = 0.04;
/** Of the bytes that may be read, as entries differ in size. */
const SHARE_OF_BYTES = 0.9;

/** Draws entries so that each of a window has the same chance. */
export class EvenDraw {
  private readonly draws = new OplogDraws();
  private readonly known = new Set<string>();
  private entries = 0;

  /** @param count entries of the whole oplog */
  constructor(
    private readonly oplog: OplogEntries,
    private readonly count: number,
    private readonly window: Window,
  ) {}

  /** By a scan of all entries. @throws if nothing at all could be read */
  async scan(): Promise<DrawnOplog> {
    let [from, share] = [this.window.from, 0];
    for (const entries of [DRAWN_FIRST, DRAWN_IN_VAIN, DRAWN]) {
      const upTo = Math.min(entries / this.count, this.affordable(share));
      if (upTo <= share) break;
      const read = await this.optional(share > 0, () => this.oplog.scan(from, { above: share, upTo }, this.count));
      if (read === null) break;
      this.add(read);
      const last = read.entries.at(-1);
      // From the newest on, so that a bound cuts off the oldest.
      if (!read.isAll && last !== undefined) from = Math.max(from, timeOf(last));
      share = upTo;
      if (!read.isAll || (entries >= DRAWN_IN_VAIN && this.draws.isEmpty)) break;
    }
    return this.drawn({ ...this.window, from }, share);
  }

  /**
   * By the random cursor, but for the newest entries: they are scanned. So are all, if the cursor fails as it met the same
   * entries a hundred times over. @throws if nothing at all could be read
   */
  async drawAndScan(): Promise<DrawnOplog> {
    try {
      return await this.drawOlder();
    } catch (error) {
      if (!(error instanceof MongoServerError && error.code === DUPLICATES_ALONE)) throw error;
      return new EvenDraw(this.oplog, this.count, this.window).scan();
    }
  }

  private async drawOlder(): Promise<DrawnOplog> {
    const { from, to } = this.window;
    const enough = (NEWEST_DRAWN * this.count) / SCANNED_BEFORE;
    const times = Math.ceil(Math.min(DRAWN_AT_ONCE, Math.max(DRAWN_FIRST, enough)));
    const drawn = await this.oplog.drawTimes(this.sizeOf(times));
    const start = drawn.at(-NEWEST_DRAWN);
    const startAt = (start?.seconds ?? 0) * MS_PER_SECOND;
    if (start === undefined || startAt <= from)
      return new EvenDraw(this.oplog, await this.oplog.countSince(from), this.window).scan();
    const newer = await this.oplog.countSince(start);
    const ofNewer = new EvenDraw(this.oplog, newer, { from: startAt, to });
    if (newer >= this.count) return ofNewer.scan();
    const share = await this.drawBefore(start, this.count - newer, drawn);
    if (share === 0) return ofNewer.scan();
    const read = await this.optional(true, () => this.oplog.scan(start, { above: 0, upTo: share }, this.count, 1));
    if (read === null) return this.drawn({ from, to: startAt, byChance: true }, share);
    this.add(read, false);
    return this.drawn({ from, to, byChance: true }, share);
  }

  /** Returns the share of the entries before another one that was drawn, of so many. @param all what the random cursor draws */
  private async drawBefore(start: DrawnTime, entries: number, all: readonly DrawnTime[]): Promise<number> {
    const older = all.filter((drawn) => compareTimes(drawn, start) < 0);
    const given = older.filter(
      ({ seconds, mayHoldUpdates }) => seconds * MS_PER_SECOND >= this.window.from && mayHoldUpdates,
    );
    const [shareOlder, shareGiven] = [older.length / all.length, given.length / all.length];
    const mostBytes = SHARE_OF_BYTES * (entries / this.count);
    // Entries that were drawn for their times show, too, that none holds an update.
    let [missed, drawn] = [1, given.length === 0 ? older.length : 0];
    for (let draw = 0; draw < MOST_DRAWS && 1 - missed < DRAWN / this.count; draw += 1) {
      const size = this.sizeOf(draw === 0 ? DRAWN_FIRST : DRAWN_AT_ONCE);
      const read = await this.optional(draw > 0, () => this.oplog.draw(size, this.window.from, start));
      if (read === null) break;
      this.add(read);
      // A draw that was cut off gave only updates: of how many entries, their share says.
      const count = read.isAll ? size : Math.min(size, read.entries.length / Math.max(shareGiven, 1 / size));
      missed *= 1 - (count * shareOlder) / entries;
      drawn += size;
      if (this.oplog.isExhausted() || this.oplog.shareOfBytes >= mostBytes) break;
      if (drawn >= DRAWN_IN_VAIN && this.draws.isEmpty) break;
    }
    return 1 - missed;
  }

  private sizeOf(entries: number): number {
    return Math.min(entries, Math.floor(MOST_SHARE * this.count));
  }

  /** The share that may be drawn in all, as a share of the entries has shown what they weigh. */
  private affordable(share: number): number {
    return share === 0 ? 1 : Math.min(1, (share * SHARE_OF_BYTES) / this.oplog.shareOfBytes);
  }

  /** Null if it was cut off and what was drawn before is evidence all the same: of how many entries it is, is not known. */
  private async optional(hasEarlier: boolean, read: () => Promise<ReadEntries>): Promise<ReadEntries | null> {
    if (!hasEarlier) return read();
    if (this.oplog.isExhausted()) return null;
    try {
      const entries = await read();
      return entries.isAll ? entries : null;
    } catch (error) {
      if (!isPassing(error)) throw error;
      return null;
    }
  }

  /** @param mayRepeat whether one of them may have been read before: chance may choose an entry twice */
  private add({ entries }: ReadEntries, mayRepeat = true): void {
    for (const entry of entries) {
      if (mayRepeat && this.isKnown(entry)) continue;
      this.draws.add(entry);
      this.entries += 1;
    }
  }

  private isKnown(entry: Uint8Array): boolean {
    const identity = identityOf(entry);
    const isKnown = this.known.has(identity);
    this.known.add(identity);
    return isKnown;
  }

  private drawn(window: Window, share: number): DrawnOplog {
    return drawnOplog(this.draws, this.entries, { ...window, share });
  }
}

export function drawnOplog(
  { unread, byCollection }: OplogDraws,
  entries: number,
  window: Pick<DrawnWindow, 'from' | 'to' | 'share' | 'byChance'>,
): DrawnOplog {
  const drawnFrom = { ...window, unreadShare: unread / Math.max(1, entries) };
  return { drawnFrom, entries, unread, writes: byCollection };
}

/** The server gives each entry a timestamp of its own; its bytes lie at the same place in entries that are the same. */
function identityOf(entry: Uint8Array): string {
  return Buffer.from(entry.buffer, entry.byteOffset, entry.length).toString('latin1');
}
