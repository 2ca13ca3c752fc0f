import { BSON, ObjectId } from 'mongodb';
import { DocumentProfiler } from '../../../src/profile/document-profiler.js';
import {
  measureGrowth,
  type GrowthInput,
  type OplogOfCollection,
} from '../../../src/evidence/growth/measure-growth.js';
import type { GrowthEvidence, GrowthSource } from '../../../src/evidence/growth/growth.js';
import type { HistoryRecord } from '../../../src/evidence/growth/history/history-record.js';
import { thinSketches, type Entry } from '../../../src/evidence/growth/history/history-sketches.js';
import { recordedCollection } from '../../../src/evidence/growth/recorded-collection.js';
import { absent, present } from '../../../src/presence.js';
import { MS_PER_DAY, MS_PER_SECOND } from '../../../src/time-units.js';
import { RandomDistributions } from '../random-distributions.js';
import { lengthAt, type VirtualDocument, type VirtualWorld, type VirtualWrite } from './virtual-world.js';

/** In ms since 1970. */
export const NOW = Date.UTC(2026, 5, 1);
export const WINDOW_DAYS = 7;
/** Entries of the oplog, of which those of the virtual collection are a few. */
export const OPLOG_ENTRIES = 500_000;
export const PATH = 'log';
const SAMPLED = 1_000;
const UUID = 'c0ffee';

/** A virtual collection as mongolint would see it, from some of its sources. */
export function virtualInput(
  world: VirtualWorld,
  sources: readonly GrowthSource[],
  random: RandomDistributions,
  at = 0,
): GrowthInput {
  const isAged = sources.includes('age');
  const { profiler, documents } = profiled(world, at, isAged);
  const profile = profiler.profile();
  return {
    sample: {
      method: documents <= SAMPLED ? 'whole-collection' : 'hash',
      complete: documents <= SAMPLED,
      boundedBy: null,
      elapsed: 0,
    } as GrowthInput['sample'],
    profile,
    profiled: profiler.growth(),
    isInOrder: false,
    documents,
    bytes: bytesOf(world, at),
    oplog: sources.includes('oplog') ? present(oplogOf(world, random, at, isAged)) : absent('unsupported', 'none'),
    uuid: UUID,
    records: sources.includes('history') ? records(world, at, isAged) : [],
    salt: 'salt',
    now: NOW + at * MS_PER_DAY,
    elapsed: 0,
  };
}

/** Each with its index, as whole numbers have it in BSON. */
const BYTES_PER_ELEMENT = 8;
const OTHER_BYTES = 40;

function bytesOf({ documents }: VirtualWorld, at: number): number {
  const lengths = documents.map((document) => lengthAt(document, at)).filter((length) => length !== null);
  return lengths.reduce((sum, length) => sum + BYTES_PER_ELEMENT * length + OTHER_BYTES, 0);
}

/** Four daily runs before this one. */
const EARLIER_RUNS = [-4, -3, -2, -1];

function records(world: VirtualWorld, at: number, isAged: boolean): HistoryRecord[] {
  const earlier: HistoryRecord[] = [];
  for (const days of EARLIER_RUNS) {
    const input = { ...virtualInput(world, isAged ? ['age'] : [], null as never, at + days), records: [...earlier] };
    const recorded = recordedCollection({ namespace: 'shop.virtual', uuid: UUID }, input, measureGrowth(input));
    earlier.push({
      schemaVersion: 1,
      at: new Date(NOW + (at + days) * MS_PER_DAY).toISOString(),
      salt: 'salt',
      collections: recorded === null ? [] : [recorded],
    });
  }
  return earlier;
}

/** In days: as many runs, the last of them now. */
const DAILY_RUNS = 30;

/** What is said by each of 30 daily runs whose history is kept as in the file. @param beside the history; none by default */
export function dailyVerdicts<Verdict>(
  world: VirtualWorld,
  judge: (growth: GrowthEvidence, input: GrowthInput) => Verdict,
  beside: readonly Exclude<GrowthSource, 'history'>[] = [],
  random = new RandomDistributions(1),
): Verdict[] {
  let entries: Entry[] = [];
  return Array.from({ length: DAILY_RUNS }, (_, run) => {
    const at = run + 1 - DAILY_RUNS;
    const input = { ...virtualInput(world, beside, random, at), records: entries.map(({ record }) => record) };
    const growth = measureGrowth(input);
    const recorded = recordedCollection({ namespace: 'shop.virtual', uuid: UUID }, input, growth);
    const record: HistoryRecord = {
      schemaVersion: 1,
      at: new Date(NOW + at * MS_PER_DAY).toISOString(),
      salt: 'salt',
      collections: recorded === null ? [] : [recorded],
    };
    entries = thinSketches([...entries, { record, line: JSON.stringify(record) }]);
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

/** Entries that are drawn of those of the whole oplog. */
const DRAWN_ENTRIES = 20_000;

function oplogOf(world: VirtualWorld, random: RandomDistributions, at: number, isAged: boolean): OplogOfCollection {
  const share = DRAWN_ENTRIES / OPLOG_ENTRIES;
  // Document by document, as the look-up of lengths returns them.
  const drawn = writesIn(world, at - WINDOW_DAYS, at)
    .filter(() => random.chance(share))
    .sort((one, other) => one.document - other.document);
  return {
    drawnFrom: {
      from: timeAt(at - WINDOW_DAYS),
      to: timeAt(at),
      measuredAt: timeAt(at),
      share,
      shareOfArrays: 1,
      unreadShare: 0,
    },
    writes: drawn.map(({ document, at: written, kind, from, elements }) => ({
      path: PATH,
      place: PATH,
      document: String(document),
      at: timeAt(written),
      kind,
      from,
      elements,
      createdAt: isAged ? creationOf(world, document) : null,
      now: lengthAt(world.documents[document] as VirtualDocument, at),
    })),
  };
}

function timeAt(days: number): number {
  return NOW + days * MS_PER_DAY;
}

function creationOf({ documents }: VirtualWorld, document: number): number {
  return NOW + (documents[document] as VirtualDocument).createdAt * MS_PER_DAY;
}
