import { type Document, MongoServerError, Timestamp } from 'mongodb';
import { neededFigure } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import type { Cluster } from '../connect/connect.js';
import { batchesOf, type RawCursor } from '../connect/raw-cursor.js';
import { absentBecause, skipReason } from '../connect/server-error.js';
import { formatCount, formatDuration } from '../format.js';
import { absent, present, type Absent, type Evidence } from '../presence.js';
import { MS_PER_SECOND, SECONDS_PER_DAY } from '../time-units.js';
import { READING } from './limits.js';
import { decoded, LEFT_OUT_UPDATES, OplogWrites, timeIn, type UnresolvedWrite } from './oplog-writes.js';

/** The time that was sampled. In ms since 1970. */
export interface SampledWindow {
  readonly from: number;
  readonly to: number;
  /** Share of it that was read. */
  readonly share: number;
  /** Share of the entries whose updates were not read, because they are too large or of an unknown form. */
  readonly unreadShare: number;
}

/** Entries in short periods, evenly spread over the latest days: how many were read, and of how many the updates could not be. */
export interface OplogSample {
  readonly window: SampledWindow;
  readonly entries: number;
  readonly unread: number;
  /** Writes to arrays, by the UUID of their collection, in hexadecimal. */
  readonly writes: ReadonlyMap<string, readonly UnresolvedWrite[]>;
}

const [DATABASE, NAME] = ['local', 'oplog.rs'];

const IS_SMALL: Document = { $lte: [{ $bsonSize: '$$ROOT' }, READING.mostEntryBytes] };

const HOLDS_UPDATES: Document = { $in: ['u', { $ifNull: ['$o.applyOps.op', []] }] };

// For transactions and bulks too large to read, only whether they hold updates: many hold inserts alone.
const ENTRY_FIELDS: Document = {
  _id: 0,
  ts: 1,
  wall: 1,
  op: 1,
  ui: 1,
  o2: 1,
  o: { $cond: [{ $and: [{ $in: ['$op', ['u', 'c']] }, IS_SMALL] }, '$o', '$$REMOVE'] },
  [LEFT_OUT_UPDATES]: { $cond: [{ $and: [{ $eq: ['$op', 'c'] }, { $not: IS_SMALL }] }, HOLDS_UPDATES, '$$REMOVE'] },
};

/** In seconds since 1970. */
type Period = Readonly<Record<'from' | 'before', number>>;

/** The times of the oldest and the newest entry, in ms since 1970; null if the server shows none. @throws the server's or driver's error */
export async function oplogTimes(
  reader: ClusterReader,
  maxTimeMS: number,
): Promise<{ from: number; to: number } | null> {
  const ends = ([1, -1] as const).map(async ($natural) => {
    const bounds = { limit: 1, sort: { $natural }, projection: { ts: 1, wall: 1 }, batchSize: 1, maxTimeMS };
    const { entries } = await readEntries(reader.findRaw(DATABASE, NAME, {}, bounds));
    return entries.map((entry) => timeIn(decoded(entry)));
  });
  const [from, to] = (await Promise.all(ends)).flat();
  return from === undefined || to === undefined ? null : { from, to: Math.max(from, to) };
}

/** Null if the server shows no entry. @param time in ms  @throws the server's or driver's error */
export async function sampleOplog(reader: ClusterReader, time: number): Promise<OplogSample | null> {
  const endsAt = performance.now() + time;
  const timeLeft = () => ({ maxTimeMS: Math.max(1, Math.ceil(endsAt - performance.now())) });
  const times = await oplogTimes(reader, timeLeft().maxTimeMS);
  if (times === null) return null;
  const [oldest, to] = [times.from, times.to].map((at) => Math.floor(at / MS_PER_SECOND)) as [number, number];
  const from = Math.max(oldest, to - READING.windowDays * SECONDS_PER_DAY);
  const count = neededFigure('count', await reader.command(DATABASE, { count: NAME }, timeLeft()), 'n');
  const share = (READING.entries * (to - oldest + 1)) / (to - from + 1) / Math.max(1, count);
  const { periods, shareOfTime } = periodsOf(from, to, Math.min(1, share));
  const [first, ...others] = periods.map(stagesOf) as [Document[], ...Document[][]];
  const pipeline = [...first, ...others.map((stages) => ({ $unionWith: { coll: NAME, pipeline: stages } }))];
  const bounds = { batchSize: READING.batch, ...timeLeft() };
  const { entries, isAll } = await readEntries(reader.aggregateRaw(DATABASE, NAME, pipeline, bounds));
  // The last of them may have been read in part.
  const read = isAll ? periods.length : periodIn(periods, entries.at(-1)) + 1;
  const writes = new OplogWrites();
  for (const entry of entries) writes.add(entry);
  const { unread, byCollection } = writes;
  return {
    window: {
      from: Math.max(times.from, from * MS_PER_SECOND),
      to: times.to,
      share: (shareOfTime * read) / periods.length,
      unreadShare: unread / Math.max(1, entries.length),
    },
    entries: entries.length,
    unread,
    writes: byCollection,
  };
}

const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * The beginnings of slices of time: the same whenever they are read, so that two runs see the same. Any number of them, in this
 * order, is spread over all of the time, whatever bound ends the reading.
 */
function periodsOf(from: number, to: number, share: number): { periods: Period[]; shareOfTime: number } {
  let slice: number = READING.sliceSeconds;
  while (slice > 1 && (to - from) / slice < READING.fewestSlices) slice = Math.ceil(slice / 2);
  const seconds = Math.max(1, Math.round(share * slice));
  const first = Math.floor(from / slice);
  const periods = Array.from({ length: Math.floor(to / slice) - first + 1 }, (_, index) => {
    const start = (first + index) * slice;
    return { from: start, before: start + seconds, order: (index * GOLDEN_RATIO) % 1 };
  });
  return { periods: periods.sort((one, other) => one.order - other.order), shareOfTime: seconds / slice };
}

/** The server seeks both ends of it (measured on 6.0.5). Timestamps hold seconds in 32 bits, and clocks may be set to any year. */
function stagesOf({ from, before }: Period): Document[] {
  const [$gte, $lt] = [from, before].map((t) => new Timestamp({ t: Math.min(Math.max(0, t), 2 ** 32 - 1), i: 0 }));
  return [{ $match: { ts: { $gte, $lt }, op: { $in: ['u', 'c'] } } }, { $project: ENTRY_FIELDS }];
}

function periodIn(periods: readonly Period[], entry: Uint8Array | undefined): number {
  const { ts } = entry === undefined ? {} : (decoded(entry) as { ts?: Timestamp });
  return ts === undefined ? 0 : periods.findIndex(({ from, before }) => ts.t >= from && ts.t < before);
}

/** What came before a failure is evidence all the same. @throws if nothing came */
async function readEntries(cursor: RawCursor): Promise<{ entries: Uint8Array[]; isAll: boolean }> {
  const entries: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const batch of batchesOf(cursor)) {
      entries.push(...batch);
      bytes += batch.reduce((sum, { length }) => sum + length, 0);
      if (bytes >= READING.mostBytes) return { entries, isAll: false };
    }
    return { entries, isAll: true };
  } catch (error) {
    if (entries.length === 0) throw error;
    return { entries, isAll: false };
  }
}

/** Samples the oplog of the whole server. */
export async function readOplog(reader: ClusterReader, { topology }: Cluster): Promise<Evidence<OplogSample>> {
  if (topology === 'standalone') return absent('unsupported', 'reading the oplog: a standalone server has none.');
  if (topology === 'sharded') {
    return absent('unsupported', 'reading the oplog: mongos has none; lint a shard directly to see what grows on it.');
  }
  try {
    const sample = await sampleOplog(reader, READING.mostTime);
    return sample === null
      ? absent('insufficient', 'reading the oplog: the server returned no entry.')
      : present(sample);
  } catch (error) {
    if (skipReason(error) !== 'timeout' || !(error instanceof MongoServerError))
      return absentBecause(error, 'reading the oplog', 'find on local.oplog.rs');
    const limit = formatDuration(READING.mostTime);
    return absent('timeout', `reading the oplog: the server took longer than the limit of ${limit}.`, error);
  }
}

/** What of the oplog could not be read, although checks judge growth by other evidence all the same; null if next to nothing. */
export function oplogGap(reading: Evidence<OplogSample>): Absent | null {
  if (!reading.present) return reading;
  const { entries, unread, window } = reading.value;
  if (window.unreadShare < READING.unread.said) return null;
  const detail = `reading the oplog: the updates in ${formatCount(unread)} of ${formatCount(entries)} entries were not read: they are larger than 64 KB, parts of prepared transactions, or of an unknown form.`;
  return absent('bound', detail);
}
