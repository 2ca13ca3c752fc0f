import type { Document } from 'mongodb';
import pLimit from 'p-limit';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { batchesOf } from '../connect/raw-cursor.js';
import { absentBecause } from '../connect/server-error.js';
import { formatDuration } from '../format.js';
import { groupedBy } from '../grouped-by.js';
import type { Collection } from '../inventory/collection.js';
import { absent, present, type Evidence } from '../presence.js';
import { RATES, READING } from './limits.js';
import { decoded, idOf, idText, type SampledWrite, type UnresolvedWrite } from './oplog-writes.js';
import type { OplogSample, SampledWindow } from './oplog.js';

/** What was drawn from the oplog about one collection, and what has become of it. */
export interface OplogOfCollection {
  readonly window: SampledWindow;
  readonly writes: readonly SampledWrite[];
  /** When the lengths were looked up, by the server's clock, in ms since 1970. */
  readonly measuredAt: number;
  /** Share of the documents in drawn entries whose lengths were looked up. */
  readonly shareOfDocuments: number;
}

/** Of an `_id` with its lengths, for the first batch. */
const ANSWER_BYTES = 100;
const TIME = 'at';
const LENGTH = 'l';

/** Looks up how long arrays are now that drawn entries wrote to: one query by `_id` a collection, whose answer holds lengths alone. */
export class PresentLengths {
  private readonly limit = pLimit(READING.lookUpsAtOnce);
  private left = READING.mostTimeTogether;

  constructor(private readonly reader: ClusterReader) {}

  /** @param averageBytes of a document; null if unknown */
  async of(
    collection: Collection,
    averageBytes: number | null,
    drawn: OplogSample,
  ): Promise<Evidence<OplogOfCollection>> {
    return this.limit(() => this.bounded(collection, averageBytes, drawn));
  }

  private async bounded(
    collection: Collection,
    averageBytes: number | null,
    { window, writes: drawn }: OplogSample,
  ): Promise<Evidence<OplogOfCollection>> {
    const operation = `looking up lengths of arrays in ${collection.namespace}`;
    const time = Math.min(READING.mostTime, this.left);
    if (time <= 0) {
      const limit = formatDuration(READING.mostTimeTogether);
      return absent('bound', `${operation}: the ${limit} for all collections were used up before.`);
    }
    const affordable = Math.floor(READING.lookedUp.bytes / Math.max(1, averageBytes ?? READING.lookedUp.unknownBytes));
    const most = Math.min(READING.lookedUp.most, Math.max(READING.lookedUp.least, affordable));
    const started = performance.now();
    try {
      const writes = drawn.get(collection.uuid ?? '') ?? [];
      const found = await lookUp(this.reader, collection, writes, { documents: most, time });
      return present({ window, ...found, measuredAt: Math.max(window.to, found.measuredAt) });
    } catch (error) {
      return absentBecause(error, operation, `find on ${collection.namespace}`);
    } finally {
      this.left -= performance.now() - started;
    }
  }
}

/** @param bounds documents to look up, and time in ms */
async function lookUp(
  reader: ClusterReader,
  { database, name }: Collection,
  writes: readonly UnresolvedWrite[],
  bounds: { readonly documents: number; readonly time: number },
): Promise<Omit<OplogOfCollection, 'window'>> {
  const byPath = [...groupedBy(writes, ({ path }) => path)].filter(([path]) => lengthExpression(path) !== null);
  const busiest = byPath.sort(([, one], [, other]) => other.length - one.length).slice(0, READING.mostPaths);
  const paths = busiest.map(([path]) => path);
  const drawn = busiest.flatMap(([, of]) => of);
  const documents = [...groupedBy(drawn, ({ document }) => document)];
  // At equal distances, if there are too many.
  const step = Math.max(1, documents.length / Math.min(bounds.documents, RATES.mostArrays * paths.length));
  const chosen = documents.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
  const shareOfDocuments = documents.length === 0 ? 1 : chosen.length / documents.length;
  if (chosen.length === 0) return { writes: [], measuredAt: 0, shareOfDocuments };
  const expressions = paths.map((path, index) => [`${LENGTH}${index}`, lengthExpression(path)]);
  const cursor = reader.findRaw(
    database,
    name,
    { _id: { $in: chosen.map(([document]) => idOf(document)) } },
    {
      projection: { _id: 1, ...Object.fromEntries(expressions), [TIME]: '$$NOW' },
      documentBytes: ANSWER_BYTES,
      maxTimeMS: Math.max(1, Math.ceil(bounds.time)),
    },
  );
  const answers = new Map<string, Document>();
  for await (const batch of batchesOf(cursor))
    for (const answer of batch.map(decoded)) answers.set(idText(answer['_id']), answer);
  const [first] = answers.values();
  const resolved = chosen.flatMap(([document, ofDocument]) => {
    const answer = answers.get(document);
    return ofDocument.flatMap((write) => resolve(write, answer, `${LENGTH}${paths.indexOf(write.path)}`));
  });
  return { writes: resolved, measuredAt: (first?.[TIME] as Date | undefined)?.getTime() ?? 0, shareOfDocuments };
}

/** Nothing if the document holds no array there any more. */
function resolve(write: UnresolvedWrite, answer: Document | undefined, field: string): SampledWrite[] {
  if (answer === undefined) return [{ ...write, now: null }];
  const now = indexesIn(write).reduce<unknown>(
    (at, index) => (Array.isArray(at) ? at[index] : undefined),
    answer[field],
  );
  return typeof now === 'number' ? [{ ...write, now }] : [];
}

/** Of the elements on the way to the array: 1 and 4 for `threads.1.posts.4.likes` at `threads[].posts[].likes`. */
function indexesIn({ path, place }: UnresolvedWrite): number[] {
  if (!path.includes('[]')) return [];
  const steps = place.split('.');
  let at = -1;
  return path.split('.').flatMap((step) => {
    at += 1;
    const levels = (step.length - step.replace(/(?:\[\])+$/, '').length) / 2;
    const indexes = steps.slice(at + 1, at + 1 + levels).map(Number);
    at += levels;
    return indexes;
  });
}

/** The length of the array at a path, or, below arrays, lists of lengths; null if a name of it stands for something else in expressions. */
export function lengthExpression(path: string): Document | null {
  if (path.split(/\.|\[\]/).some((name) => name.startsWith('$')) || path === '') return null;
  const [first = '', ...rest] = path.split('[]');
  return lengthBelow(`$${first}`, rest, 0);
}

function lengthBelow(array: string, [next, ...others]: readonly string[], level: number): Document {
  const element = `e${level}`;
  const lengths =
    next === undefined
      ? { $size: array }
      : { $map: { input: array, as: element, in: lengthBelow(`$$${element}${next}`, others, level + 1) } };
  return { $cond: [{ $isArray: [array] }, lengths, null] };
}
