import { BSON, ObjectId } from 'mongodb';
import { ArrayActivity } from '../../../src/evidence/growth/array-activity.js';
import { DocumentProfiler } from '../../../src/evidence/documents/document-profiler.js';
import type { GrowthInput } from '../../../src/evidence/growth/measure-growth.js';
import type { GrowthSource } from '../../../src/evidence/growth/growth.js';
import type { HistoryRecord } from '../../../src/evidence/growth/history-record.js';
import { recordedCollection } from '../../../src/evidence/growth/recorded-collection.js';
import { absent, present } from '../../../src/presence.js';
import { MS_PER_DAY, MS_PER_SECOND } from '../../../src/time-units.js';
import type { RandomDistributions } from '../random-distributions.js';
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
    oplog: sources.includes('oplog') ? present(oplogOf(world, random, at)) : absent('unsupported', 'none'),
    uuid: UUID,
    records: sources.includes('history') ? records(world, at, isAged) : [],
    now: NOW + at * MS_PER_DAY,
    elapsed: 0,
  };
}

/** Four daily runs before this one. */
const EARLIER_RUNS = [-4, -3, -2, -1];

function records(world: VirtualWorld, at: number, isAged: boolean): HistoryRecord[] {
  return EARLIER_RUNS.map((days) => {
    const input = virtualInput(world, isAged ? ['age'] : [], null as never, at + days);
    const recorded = recordedCollection({ namespace: 'shop.virtual', uuid: UUID }, input);
    return {
      schemaVersion: 1,
      at: new Date(NOW + (at + days) * MS_PER_DAY).toISOString(),
      collections: recorded === null ? [] : [recorded],
    };
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

const STRETCHES = 12;
const READ_ENTRIES = 6_000;

/** As contiguous parts of the oplog show it: a quarter of what is read from its end, the rest in twelve stretches before. */
function oplogOf(world: VirtualWorld, _: RandomDistributions, at: number) {
  const from = at - WINDOW_DAYS;
  const perDay = OPLOG_ENTRIES / WINDOW_DAYS;
  const [tail, stretch] = [READ_ENTRIES / 4 / perDay, (READ_ENTRIES * 0.75) / STRETCHES / perDay];
  const parts = Array.from({ length: STRETCHES }, (__, index) => {
    const start = from + (index * (WINDOW_DAYS - tail)) / STRETCHES;
    return { start, end: start + stretch };
  });
  parts.push({ start: at - tail, end: at });
  const arrays = new Map<number, ArrayActivity>();
  for (const [index, { start, end }] of parts.entries())
    for (const write of writesIn(world, start, end)) {
      const change = { kind: write.kind, from: write.from, elements: write.elements, path: PATH, place: PATH };
      const known = arrays.get(write.document);
      if (known !== undefined) known.change(change, timeAt(write.at), index);
      else
        arrays.set(
          write.document,
          new ArrayActivity(
            PATH,
            String(write.document),
            creationOf(world, write.document),
            change,
            timeAt(write.at),
            index,
          ),
        );
    }
  const covered = parts.reduce((sum, { start, end }) => sum + (end - start) * MS_PER_DAY, 0);
  return { window: { from: timeAt(from), to: timeAt(at), covered, unreadShare: 0 }, activities: [...arrays.values()] };
}

function timeAt(days: number): number {
  return NOW + days * MS_PER_DAY;
}

function creationOf({ documents }: VirtualWorld, document: number): number {
  return NOW + (documents[document] as VirtualDocument).createdAt * MS_PER_DAY;
}
