import type { Document } from 'mongodb';
import type { BuiltCollection } from './rehearsal.js';
import { ScaledCollection } from './scaled-collection.js';
import type { Scratch } from './scratch.js';
import type { Source, SourceCollection } from './source.js';

/** Documents of a collection at most, unless a number is asked for. Judgement: an index pays off, and building takes seconds. */
export const MOST_DOCUMENTS = 50_000;
/** The same in bytes. Judgement: what a small scratch server keeps in memory. */
const MOST_BYTES = 256 * 1024 * 1024;
/** The options of an index that the server writes by itself. */
const OWN_OPTIONS = new Set(['v', 'ns', 'background', 'buildUUID', 'indexBuildInfo']);

/** @param documents of each collection; by default as many as it is judged at, up to {@link MOST_DOCUMENTS} */
export function scaledCollections(
  { collections, links }: Pick<Source, 'collections' | 'links'>,
  documents: number | undefined,
): ReadonlyMap<string, ScaledCollection> {
  const scaled = new Map(
    [...collections].map(([namespace, source]) => [
      namespace,
      new ScaledCollection(source.documents, documents ?? sizeOf(source)),
    ]),
  );
  for (const { from, to } of links) {
    const target = scaled.get(to.namespace);
    if (target !== undefined) scaled.get(from.namespace)?.link(from.path, { target, path: to.path });
  }
  return scaled;
}

function sizeOf({ judged, averageBytes }: SourceCollection): number {
  return Math.max(1, Math.min(judged, MOST_DOCUMENTS, Math.floor(MOST_BYTES / Math.max(1, averageBytes))));
}

/** Builds a collection with today's indexes. */
export async function buildCollection(
  scratch: Scratch,
  { collection, documents, indexes, judged }: SourceCollection,
  scaled: ScaledCollection,
): Promise<BuiltCollection> {
  const { namespace, name, collation } = collection;
  await scratch.create(name, collation === undefined ? {} : { collation });
  const inserted = await scratch.insert(name, scaled.size, (index) => scaled.document(index));
  const changed: { index: string; how: string }[] = [];
  for (const index of indexes) {
    const how = await createIndex(scratch, name, index);
    if (how !== null) changed.push({ index: String(index['name']), how });
  }
  return {
    namespace,
    documents: inserted,
    sampled: documents.length,
    judged,
    indexes: indexes.map((index) => String(index['name'])),
    changed,
  };
}

/** Null, or what became of it. It expires nothing: half of the sample might be gone before the replay. */
async function createIndex(scratch: Scratch, collection: string, index: Document): Promise<string | null> {
  const { expireAfterSeconds: _, ...lasting } = index;
  const options = Object.entries(lasting).filter(([option]) => !OWN_OPTIONS.has(option));
  const create = (entries: [string, unknown][]) =>
    scratch.change({ createIndexes: collection, indexes: [Object.fromEntries(entries)] });
  const refused = await create(options);
  if (refused === null) return null;
  if (index['unique'] !== true) return `not built (${refused})`;
  const again = await create(options.filter(([option]) => option !== 'unique'));
  return again === null ? 'built without unique: scaled values repeat' : `not built (${again})`;
}
