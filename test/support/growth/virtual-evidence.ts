import { BSON, ObjectId } from 'mongodb';
import type { GrowthEvidence, GrowthSource } from '../../../src/growth/growth.js';
import { READING } from '../../../src/growth/limits.js';
import { type KeptRun, keptGrowth, measureGrowth, type GrowthInput } from '../../../src/growth/measure-growth.js';
import type { OplogOfCollection } from '../../../src/growth/present-lengths.js';
import { absent, present } from '../../../src/presence.js';
import { DocumentProfiler } from '../../../src/profile/document-profiler.js';
import { MS_PER_DAY, MS_PER_SECOND } from '../../../src/time-units.js';
import { lengthAt, type VirtualDocument, type VirtualWorld, type VirtualWrite } from './virtual-world.js';

/** In ms since 1970. */
export const NOW = Date.UTC(2026, 5, 1);
export const WINDOW_DAYS = 7;
/** Entries of the oplog, of which those of the virtual collection are a few, and those that are drawn. */
const OPLOG_ENTRIES = 500_000;
const DRAWN_ENTRIES = 20_000;
export const PATH = 'log';
const SAMPLED = 1_000;
const SALT = 'salt';
/** Four daily runs before this one. */
const EARLIER_RUNS = [-4, -3, -2, -1];

/** A virtual collection as mongolint would see it, from some of its sources. @param at in days; 0 is now */
export function virtualInput(world: VirtualWorld, sources: readonly GrowthSource[], at = 0): GrowthInput {
  const isAged = sources.includes('age');
  const isRecorded = sources.includes('history');
  const { profiler, documents } = profiled(world, at, isAged);
  return {
    sample: { method: documents <= SAMPLED ? 'whole-collection' : 'id-hash' },
    profile: profiler.profile(),
    profiled: profiler.growth(),
    documents,
    oplog: sources.includes('oplog') ? present(oplogOf(world, at)) : absent('unsupported', 'none'),
    earlier: isRecorded ? earlierRuns(world, at, isAged) : [],
    salt: isRecorded ? SALT : null,
    now: NOW + at * MS_PER_DAY,
  };
}

function earlierRuns(world: VirtualWorld, at: number, isAged: boolean): KeptRun[] {
  const earlier: KeptRun[] = [];
  for (const days of EARLIER_RUNS) {
    const input = {
      ...virtualInput(world, isAged ? ['age'] : [], at + days),
      earlier: [...earlier],
      salt: SALT,
    };
    const kept = keptGrowth(input, measureGrowth(input), SALT);
    if (kept !== null) earlier.push({ at: NOW + (at + days) * MS_PER_DAY, kept });
  }
  return earlier;
}

/** In days: as many runs, the last of them now. */
const DAILY_RUNS = 30;

/** What is said by each of 30 daily runs with a history. @param beside the history; none by default */
export function dailyVerdicts<Verdict>(
  world: VirtualWorld,
  judge: (growth: GrowthEvidence, input: GrowthInput) => Verdict,
  beside: readonly Exclude<GrowthSource, 'history'>[] = [],
): Verdict[] {
  const earlier: KeptRun[] = [];
  return Array.from({ length: DAILY_RUNS }, (_, run) => {
    const at = run + 1 - DAILY_RUNS;
    const input = { ...virtualInput(world, beside, at), earlier: [...earlier], salt: SALT };
    const growth = measureGrowth(input);
    const kept = keptGrowth(input, growth, SALT);
    if (kept !== null) earlier.push({ at: NOW + at * MS_PER_DAY, kept });
    return judge(growth, input);
  });
}

function profiled(world: VirtualWorld, at: number, isAged: boolean) {
  const profiler = new DocumentProfiler();
  let documents = 0;
  for (const [index, document] of world.documents.entries()) {
    const length = lengthAt(document, at);
    if (length === null) continue;
    documents += 1;
    if (documents > SAMPLED) continue;
    const _id = isAged ? idOf(document, index) : `document ${index}`;
    profiler.add(BSON.serialize({ _id, [PATH]: Array.from({ length }, () => 1) }));
  }
  return { profiler, documents };
}

function idOf({ createdAt }: VirtualDocument, index: number): ObjectId {
  const seconds = Math.floor((NOW + createdAt * MS_PER_DAY) / MS_PER_SECOND);
  return new ObjectId(seconds.toString(16).padStart(8, '0') + index.toString(16).padStart(16, '0'));
}

interface SeenWrite extends VirtualWrite {
  readonly document: number;
}

function writesIn({ documents }: VirtualWorld, from: number, to: number): SeenWrite[] {
  return documents
    .flatMap(({ writes }, document) =>
      writes.filter(({ at }) => at >= from && at < to).map((write) => Object.assign({ document }, write)),
    )
    .sort((a, b) => a.at - b.at);
}

function oplogOf(world: VirtualWorld, at: number): OplogOfCollection {
  const share = DRAWN_ENTRIES / OPLOG_ENTRIES;
  // Document by document, as the look-up of lengths returns them.
  const drawn = writesIn(world, at - WINDOW_DAYS, at)
    .filter((write) => (timeAt(write.at) / MS_PER_SECOND) % READING.sliceSeconds < share * READING.sliceSeconds)
    .sort((one, other) => one.document - other.document);
  return {
    window: {
      from: timeAt(at - WINDOW_DAYS),
      to: timeAt(at),
      share,
      unreadShare: 0,
    },
    measuredAt: timeAt(at),
    shareOfDocuments: 1,
    writes: drawn.map(({ document, at: written, kind, from, elements }) => ({
      path: PATH,
      document: String(document),
      at: timeAt(written),
      kind,
      from,
      elements,
      now: lengthAt(world.documents[document] as VirtualDocument, at),
    })),
  };
}

function timeAt(days: number): number {
  return NOW + days * MS_PER_DAY;
}
