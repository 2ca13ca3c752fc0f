import { MongoServerError, type Timestamp } from 'mongodb';
import type { ClusterReader } from '../connect/cluster-reader.js';
import type { Cluster } from '../connect/connect.js';
import { absentBecause, skipReason } from '../connect/server-error.js';
import { formatCount, formatDuration } from '../format.js';
import { absent, present, type Absent, type Evidence } from '../presence.js';
import { MS_PER_DAY, MS_PER_SECOND } from '../time-units.js';
import { READING } from './limits.js';
import { isPassing, OplogEntries, timestampOf, type ReadEntries } from './oplog-entries.js';
import { decoded, OplogWrites, timeIn, type UnresolvedWrite } from './oplog-writes.js';

/** What entries were drawn from. Times in ms since 1970. */
export interface DrawnWindow {
  readonly from: number;
  readonly to: number;
  /** Share of its entries that was read. */
  readonly share: number;
  /** Present if the server's random cursor drew some of them: another run draws others. */
  readonly byChance?: true;
  /** Share of the entries whose updates were not read, because they are too large or of an unknown form. */
  readonly unreadShare: number;
}

/** Entries drawn evenly over a window, or all of it. */
export interface DrawnOplog {
  readonly drawnFrom: DrawnWindow;
  /** Those that were read, and those of them whose updates could not be. */
  readonly entries: number;
  readonly unread: number;
  /** Writes to arrays, by the UUID of their collection, in hexadecimal. */
  readonly writes: ReadonlyMap<string, readonly UnresolvedWrite[]>;
}

type Window = Omit<DrawnWindow, 'unreadShare'>;

/** The server's code for a random cursor that met the same entries a hundred times over. */
const DUPLICATES_ALONE = 28_799;

/** Draws entries of the whole oplog so that each of the window has the same chance; null if the server shows none. @param time in ms */
export async function drawOplog(reader: ClusterReader, time: number): Promise<DrawnOplog | null> {
  const oplog = new OplogEntries(reader, time);
  const [oldest] = (await oplog.find({}, 1, 1)).entries;
  const [newest] = (await oplog.find({}, 1, -1)).entries;
  if (oldest === undefined || newest === undefined) return null;
  const to = timeOf(newest);
  const from = Math.max(timeOf(oldest), to - READING.windowDays * MS_PER_DAY);
  const count = await oplog.count();
  if (count <= READING.mostScanned) return new EvenDraw(oplog, from, to).scan(count);
  try {
    return await new EvenDraw(oplog, from, to).drawAndScan(count);
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === DUPLICATES_ALONE)) throw error;
    return new EvenDraw(oplog, from, to).scan(count);
  }
}

function timeOf(entry: Uint8Array): number {
  return timeIn(decoded(entry));
}

class EvenDraw {
  private readonly writes = new OplogWrites();
  private readonly known = new Set<string>();

  constructor(
    private readonly oplog: OplogEntries,
    private readonly from: number,
    private readonly to: number,
  ) {}

  /** From the newest on, so that a bound cuts off the oldest. A few at first, which show what entries weigh. */
  async scan(count: number): Promise<DrawnOplog> {
    let [from, share] = [this.from, 0];
    for (const wanted of [READING.drawnFirst, READING.drawn]) {
      const above = share;
      const affordable = above === 0 ? 1 : (above * READING.shareOfBytes) / this.oplog.shareOfBytes;
      const upTo = Math.min(1, wanted / count, affordable);
      if (upTo <= above || this.oplog.isExhausted()) break;
      const scan = () => this.oplog.scan(timestampOf(this.from), { above, upTo }, count, -1);
      const read = await this.orCutOff(above > 0, scan);
      if (read === null) break;
      this.add(read.entries);
      share = upTo;
      const last = read.entries.at(-1);
      if (read.isAll) continue;
      if (last !== undefined) from = Math.max(from, timeOf(last));
      break;
    }
    return this.drawn({ from, to: this.to, share });
  }

  /** By the random cursor, but for the newest entries, which it hardly enters: they are scanned. */
  async drawAndScan(count: number): Promise<DrawnOplog> {
    const most = Math.floor(READING.mostShare * count);
    const enough = Math.ceil(Math.max(READING.drawnFirst, (READING.newestDrawn * count) / READING.newestScanned));
    const times = await this.oplog.drawTimes(Math.min(most, READING.drawnAtOnce, enough));
    const start = times.at(-READING.newestDrawn);
    const startAt = (start?.t ?? 0) * MS_PER_SECOND;
    if (start === undefined || startAt <= this.from) return this.scan(await this.oplog.count(timestampOf(this.from)));
    const newer = await this.oplog.count(start);
    const older = times.filter((time) => time.lessThan(start)).length / times.length;
    const share = await this.drawBefore(start, most, older / Math.max(1, count - newer), count);
    const scan = () => this.oplog.scan(start, { above: 0, upTo: share }, count, 1);
    const read = await this.orCutOff(true, scan);
    this.add(read?.entries ?? []);
    const last = read?.entries.at(-1);
    const to = last === undefined ? startAt : timeOf(last);
    return this.drawn({ from: this.from, to: read?.isAll === true ? this.to : to, share, byChance: true });
  }

  /** Returns the share that was drawn of the entries before the start. @param chance of each, at each entry that the cursor draws */
  private async drawBefore(start: Timestamp, most: number, chance: number, count: number): Promise<number> {
    let missed = 1;
    for (let draw = 0; draw < READING.mostDraws && 1 - missed < READING.drawn / count; draw += 1) {
      const size = Math.min(most, draw === 0 ? READING.drawnFirst : READING.drawnAtOnce);
      const read = await this.orCutOff(draw > 0, () => this.oplog.draw(size, timestampOf(this.from), start));
      // Of how many entries those are that a bound cut off is not known.
      if (read === null || (!read.isAll && draw > 0)) break;
      this.add(read.entries);
      missed *= 1 - size * chance;
      // The newest entries need their part of the bytes.
      if (!read.isAll || this.oplog.shareOfBytes >= READING.shareOfBytes) break;
    }
    return 1 - missed;
  }

  /** Null if it failed, and what was read before it stays evidence. */
  private async orCutOff(hasEarlier: boolean, read: () => Promise<ReadEntries>): Promise<ReadEntries | null> {
    try {
      return await read();
    } catch (error) {
      if (!hasEarlier || !isPassing(error)) throw error;
      return null;
    }
  }

  /** Chance may choose an entry twice. */
  private add(entries: ReadEntries['entries']): void {
    for (const entry of entries) {
      // The server gives each entry a timestamp of its own.
      const identity = Buffer.from(entry.buffer, entry.byteOffset, entry.length).toString('latin1');
      if (this.known.has(identity)) continue;
      this.known.add(identity);
      this.writes.add(entry);
    }
  }

  private drawn(window: Window): DrawnOplog {
    const { unread, byCollection } = this.writes;
    const drawnFrom = { ...window, unreadShare: unread / Math.max(1, this.known.size) };
    return { drawnFrom, entries: this.known.size, unread, writes: byCollection };
  }
}

/** Reads the oplog of the whole server. */
export async function readOplog(reader: ClusterReader, { topology }: Cluster): Promise<Evidence<DrawnOplog>> {
  if (topology === 'standalone') return absent('unsupported', 'reading the oplog: a standalone server has none.');
  if (topology === 'sharded') {
    return absent('unsupported', 'reading the oplog: mongos has none; lint a shard directly to see what grows on it.');
  }
  try {
    const drawn = await drawOplog(reader, READING.mostTime);
    return drawn === null ? absent('insufficient', 'reading the oplog: the server returned no entry.') : present(drawn);
  } catch (error) {
    if (skipReason(error) !== 'timeout' || !(error instanceof MongoServerError))
      return absentBecause(error, 'reading the oplog', 'find on local.oplog.rs');
    const limit = formatDuration(READING.mostTime);
    return absent('timeout', `reading the oplog: the server took longer than the limit of ${limit}.`, error);
  }
}

/** What of the oplog could not be read, although checks judge growth by other evidence all the same; null if next to nothing. */
export function oplogGap(reading: Evidence<DrawnOplog>): Absent | null {
  if (!reading.present) return reading;
  const { entries, unread, drawnFrom } = reading.value;
  if (drawnFrom.unreadShare < READING.saidUnread) return null;
  const detail = `reading the oplog: the updates in ${formatCount(unread)} of ${formatCount(entries)} entries were not read: they are larger than 64 KB, parts of prepared transactions, or of an unknown form.`;
  return absent('bound', detail);
}
