import { groupedBy } from '../../../grouped-by.js';
import { MS_PER_DAY } from '../../../time-units.js';
import { shortened } from '../tracked/document-sketch.js';
import type { HistoryRecord } from './history-record.js';

/** A record, and the line it was read from: it may hold keys of a later minor version. */
export interface Entry {
  readonly record: HistoryRecord;
  readonly line: string;
}

/** Sketches of a collection that are kept whatever the time between them. */
const LATEST_SKETCHES = 6;
/** Of the others, one is dropped if those beside it are no further apart than this share of their age, or these days. */
const GAP_PER_AGE = 1 / 2;
const LEAST_GAP_DAYS = 1 / 2;
/** Of all sketches in a file. With more, each is of fewer documents. */
const MOST_SKETCH_BYTES = 64 * 1024 * 1024;
/** Documents of a sketch at most: the first with which all sketches fit. */
const SIZES = [Infinity, 100, 50, 25, 12, 6, 0] as const;

type Collection = HistoryRecord['collections'][number];
type Change = (collection: Collection) => Collection;

/**
 * The older the runs, the fewer sketches are needed of them: some 20 for a collection whatever the number of runs.
 *
 * @param entries in order of time
 */
export function thinSketches(entries: readonly Entry[]): Entry[] {
  const dropped = superfluous(entries);
  const thinned = entries.map((entry) =>
    changed(entry, (collection) => (dropped.has(collection) ? withoutSketch(collection) : collection)),
  );
  const most = documentsPerSketch(thinned);
  if (most === Infinity) return thinned;
  return thinned.map((entry) =>
    changed(entry, (collection) => {
      if (collection.sketch === undefined) return collection;
      return most === 0 ? withoutSketch(collection) : { ...collection, sketch: shortened(collection.sketch, most) };
    }),
  );
}

function superfluous(entries: readonly Entry[]): ReadonlySet<Collection> {
  const sketched = entries.flatMap(({ record: { at, collections } }) =>
    collections.flatMap((collection) =>
      collection.sketch === undefined ? [] : [{ collection, days: Date.parse(at) / MS_PER_DAY }],
    ),
  );
  const dropped = new Set<Collection>();
  for (const ofOne of groupedBy(sketched, ({ collection }) => collection.uuid).values()) {
    // The latest may be of a clock that was ahead.
    const latest = (ofOne.at(-2) ?? ofOne.at(-1))?.days ?? 0;
    let older = ofOne[0];
    // From the oldest, which stays, so that the window is as long as it can be.
    for (let index = 1; index < ofOne.length - LATEST_SKETCHES; index += 1) {
      const [one, newer] = [ofOne[index], ofOne[index + 1]];
      if (older === undefined || one === undefined || newer === undefined) break;
      const gap = newer.days - older.days;
      if (gap <= Math.max(LEAST_GAP_DAYS, GAP_PER_AGE * (latest - newer.days))) dropped.add(one.collection);
      else older = one;
    }
  }
  return dropped;
}

/** As many as there is room for. */
function documentsPerSketch(entries: readonly Entry[]): number {
  const sketches = entries.flatMap(({ record }) =>
    record.collections.flatMap(({ sketch }) =>
      sketch === undefined ? [] : [{ bytes: JSON.stringify(sketch).length, documents: sketch.sizes.length }],
    ),
  );
  const bytes = (most: number) =>
    sketches.reduce((sum, sketch) => sum + sketch.bytes * Math.min(1, most / Math.max(1, sketch.documents)), 0);
  return SIZES.find((most) => bytes(most) <= MOST_SKETCH_BYTES) ?? 0;
}

function changed({ record, line }: Entry, change: Change): Entry {
  const collections = record.collections.map(change);
  if (collections.every((collection, index) => collection === record.collections[index])) return { record, line };
  // From the line, so that keys of a later minor version stay.
  const whole = JSON.parse(line) as { readonly collections: readonly object[] };
  const lines = whole.collections.map((collection, index) => {
    return { ...collection, sketch: collections[index]?.sketch };
  });
  return { record: { ...record, collections }, line: JSON.stringify({ ...whole, collections: lines }) };
}

export function withoutSketch(collection: Collection): Collection {
  const { namespace, uuid, documents, complete, sizes, arrays } = collection;
  return { namespace, uuid, documents, complete, sizes, arrays };
}
