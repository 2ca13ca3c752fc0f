import { neededFigure } from '../connect/answer.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { batchesOf, type RawCursor } from '../connect/raw-cursor.js';
import { absentBecause, isKilled, skipReason } from '../connect/server-error.js';
import type { Collection } from '../inventory/collection.js';
import type { StorageStatistics } from '../inventory/storage.js';
import { absent, type Evidence, present, type SkipReason } from '../presence.js';
import type { DocumentEvidence, SampleEnd } from './document-profile.js';
import { DocumentProfiler, type ProfiledGrowth } from './document-profiler.js';
import type { GroupedDocuments } from './grouped-documents.js';
import { findLargerDocuments, type LargerDocuments, withExtremes } from './larger-documents.js';
import { type Choice, readChosen } from './sampling/chosen-documents.js';
import { planSample, type SampleBounds, type SampleMethod, type SamplePlan } from './sampling/sample-plan.js';

/** If fewer of the chosen `_id`s were found again, the collection must have been dropped or emptied. */
const VANISHED_SHARE = 0.5;

const ENDS: ReadonlyMap<SkipReason, SampleEnd> = new Map([
  ['timeout', 'time'],
  ['max-time', 'time'],
  ['interrupted', 'interruption'],
  ['connection', 'connection'],
  ['vanished', 'vanished'],
]);

export interface SampledDocuments {
  readonly evidence: DocumentEvidence;
  readonly sizes: readonly number[];
  readonly growth: ProfiledGrowth;
}

/** Profiles the documents as they arrive, so that no more than a batch is held. */
export async function sampleDocuments(
  reader: ClusterReader,
  collection: Collection,
  storage: StorageStatistics | null,
  bounds: SampleBounds,
  grouped?: GroupedDocuments,
): Promise<Evidence<SampledDocuments>> {
  const started = performance.now();
  const operation = `reading documents of ${collection.namespace}`;
  const privilege = `find on ${collection.namespace}`;
  try {
    const count = storage?.count ?? (await estimatedCount(reader, collection));
    const plan = planSample(storage, count, bounds, collection.clustered);
    const readOnce = () =>
      readChosen(reader, collection, plan, async (choice) => {
        const read = choice.method === 'whole-collection' ? ((await grouped?.of(collection)) ?? null) : null;
        const batches = read === null ? chosenBatches(reader, collection, plan, choice) : [read];
        return drain(batches, plan, choice.method, bounds);
      });
    const readTwice = () =>
      readOnce().catch((error: unknown) => (isKilled(error) ? readOnce() : Promise.reject(error)));
    const drained = await reader.readAgainIfLost(readTwice, ({ error }) => error);
    const profile = drained.profiler.profile();
    if (profile.documents === 0 && drained.error !== null) {
      return absentBecause(drained.error, operation, privilege);
    }
    const read = profile.documents + profile.malformed.documents;
    const isGone =
      drained.method === 'id-index' && drained.boundedBy === null && read < plan.documents * VANISHED_SHARE;
    if (isGone || (read === 0 && count > 0)) {
      return absent('vanished', `${operation}: the collection was dropped or emptied during the run.`);
    }
    const isWhole = drained.method === 'whole-collection' && drained.boundedBy === null;
    const complete = isWhole && drained.sizes.length <= bounds.documents;
    // A sample that took a scan on the server can have the documents that are larger by another one.
    const isScanned = drained.method === 'id-hash' && drained.boundedBy === null && profile.documents > 0;
    const larger = isScanned ? await searchedLarger(reader, collection, profile.sizes.max, bounds) : null;
    const evidence: DocumentEvidence = {
      sample: {
        method: drained.method,
        complete,
        boundedBy: drained.boundedBy ?? (plan.boundedByBytes ? 'bytes' : null),
        ...(larger !== null && { larger: larger.sizes.length }),
        elapsed: performance.now() - started,
      },
      profile: larger === null ? profile : withExtremes(profile, larger.profile),
    };
    const sizes = [...drained.sizes, ...(larger?.sizes ?? [])];
    return present({ evidence, sizes, growth: drained.profiler.growth() });
  } catch (error) {
    return absentBecause(error, operation, privilege);
  }
}

/** Null if the server can't search by size, or the search did not end: the sample stands without it. */
async function searchedLarger(...search: Parameters<typeof findLargerDocuments>): Promise<LargerDocuments | null> {
  try {
    return await findLargerDocuments(...search);
  } catch (error) {
    if (ENDS.has(skipReason(error))) return null;
    throw error;
  }
}

async function estimatedCount(reader: ClusterReader, { database, name }: Collection): Promise<number> {
  return neededFigure('count', await reader.command(database, { count: name }), 'n');
}

interface Drained {
  readonly method: SampleMethod;
  readonly profiler: DocumentProfiler;
  readonly sizes: number[];
  readonly boundedBy: SampleEnd | null;
  readonly error: unknown;
}

function chosenBatches(
  reader: ClusterReader,
  { database, name }: Collection,
  { batchSize, documentBytes, documents }: SamplePlan,
  { method, stages, ids }: Choice,
): AsyncGenerator<Uint8Array[]> {
  const bounds = { batchSize, documentBytes };
  // In slices: the server answers in the order of the index, and a bound on bytes would cut off the newest. The limit spares
  // the round trip by which a cursor learns that it has ended.
  if (ids !== null)
    return slicedBatches(
      ids,
      batchSize,
      () => reader.batchesAhead(batchSize * documentBytes),
      (slice) => reader.findRaw(database, name, { _id: { $in: slice } }, { ...bounds, limit: slice.length }),
    );
  return batchesOf(
    method === 'whole-collection' || method === 'natural-order'
      ? reader.findRaw(database, name, {}, { ...bounds, limit: documents })
      : reader.aggregateRaw(database, name, stages, bounds),
  );
}

async function drain(
  batches: AsyncIterable<readonly Uint8Array[]> | Iterable<readonly Uint8Array[]>,
  plan: SamplePlan,
  method: SampleMethod,
  bounds: SampleBounds,
): Promise<Drained> {
  const profiler = new DocumentProfiler();
  const sizes: number[] = [];
  const drained = { method, profiler, sizes };
  try {
    for await (const batch of batches) {
      for (const document of batch) {
        profiler.add(document);
        sizes.push(document.length);
        if (profiler.bytes >= bounds.bytes && sizes.length < plan.documents) {
          return { ...drained, boundedBy: 'bytes', error: null };
        }
      }
    }
    return { ...drained, boundedBy: null, error: null };
  } catch (error) {
    const boundedBy = ENDS.get(skipReason(error));
    if (boundedBy === undefined) throw error;
    return { ...drained, boundedBy, error };
  }
}

interface Slice {
  readonly cursor: RawCursor;
  /** What its first batch says; null once it was asked for. */
  begun: Promise<boolean> | null;
}

/** Documents by `_id`, in slices of so many. @param ahead slices that are asked for beside the one that is being read */
async function* slicedBatches(
  ids: readonly unknown[],
  sliceSize: number,
  ahead: () => number,
  open: (slice: readonly unknown[]) => RawCursor,
): AsyncGenerator<Uint8Array[]> {
  const slices: Slice[] = [];
  let next = 0;
  try {
    for (;;) {
      for (; next < ids.length && slices.length <= ahead(); next += sliceSize)
        slices.push(begunSlice(open(ids.slice(next, next + sliceSize))));
      const [slice] = slices;
      if (slice === undefined) return;
      const hasNext = slice.begun ?? slice.cursor.hasNext();
      slice.begun = null;
      if (await hasNext) {
        yield slice.cursor.readBufferedDocuments();
        continue;
      }
      await slice.cursor.close();
      slices.shift();
    }
  } finally {
    await Promise.all(slices.map(({ cursor }) => cursor.close()));
  }
}

function begunSlice(cursor: RawCursor): Slice {
  const begun = cursor.hasNext();
  // Whoever reads the slice hears of it; if nobody does, it does not matter.
  begun.catch(() => {});
  return { cursor, begun };
}
