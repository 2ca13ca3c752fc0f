import { BSON, ObjectId, type Document } from 'mongodb';
import type { ClusterReader } from '../../../connect/cluster-reader.js';
import { groupedBy } from '../../../grouped-by.js';
import type { Collection } from '../../../inventory/collection.js';
import { ARRAY, DATE, INT, OBJECT_ID, OBJECT_ID_BYTES } from '../../../profile/bson-types.js';
import { MOST_ARRAYS } from '../writes/drawn-growth.js';
import { BsonBuffer } from './bson-fields.js';
import type { DrawnWrite } from './drawn-writes.js';
import { evenly } from './evenly.js';
import type { UnresolvedWrite } from './oplog-draws.js';

/** A drawn write to an array whose length was looked up. */
export type ResolvedWrite = DrawnWrite & { readonly path: string };

export interface PresentLengths {
  readonly writes: readonly ResolvedWrite[];
  /** By the server's clock, in ms since 1970; null if no document was there. */
  readonly measuredAt: number | null;
  /** Share of the arrays whose lengths were looked up. */
  readonly shareOfArrays: number;
  /** Paths that could not be looked up, by how they are written in the entries. */
  readonly leftOut: number;
}

export interface LookUpBounds {
  /** Documents to look up. */
  readonly documents: number;
  /** In ms. */
  readonly time: number;
}

/** Expressions that one query carries. */
const MOST_PATHS = 20;
/** Of an `_id` with its lengths, for the first batch. */
const ANSWER_BYTES = 100;
const TIME = 'at';
const LENGTH = 'l';
/** `promoteValues` would make numbers of one type of another. */
const EXACT: BSON.DeserializeOptions = { promoteValues: false, bsonRegExp: true, validation: { utf8: false } };

/** Looks up how long arrays are now that drawn entries wrote to: one query by `_id`, whose answer holds lengths alone. */
export async function lookUpLengths(
  reader: ClusterReader,
  { database, name }: Pick<Collection, 'database' | 'name'>,
  writes: readonly UnresolvedWrite[],
  bounds: LookUpBounds,
): Promise<PresentLengths> {
  const byPath = groupedBy(writes, ({ path }) => path);
  const paths = [...byPath]
    .filter(([path]) => lengthExpression(path) !== null)
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, MOST_PATHS)
    .map(([path]) => path);
  const judged = paths.flatMap((path) => byPath.get(path) ?? []);
  const documents = groupedBy(judged, ({ document }) => document);
  const chosen = evenly([...documents.values()], Math.min(bounds.documents, MOST_ARRAYS * paths.length));
  const answers = await find(reader, { database, name }, chosen, paths, bounds.time);
  return {
    writes: chosen.flat().flatMap((write) => resolved(write, answers.byId.get(idOf(write)), paths)),
    measuredAt: answers.at,
    shareOfArrays: documents.size === 0 ? 1 : chosen.length / documents.size,
    leftOut: byPath.size - paths.length,
  };
}

interface Answers {
  /** The lengths at each path, in nested lists below arrays on the way; by `_id`. */
  readonly byId: ReadonlyMap<string, readonly unknown[]>;
  readonly at: number | null;
}

async function find(
  reader: ClusterReader,
  { database, name }: Pick<Collection, 'database' | 'name'>,
  documents: readonly (readonly UnresolvedWrite[])[],
  paths: readonly string[],
  maxTimeMS: number,
): Promise<Answers> {
  const byId = new Map<string, readonly unknown[]>();
  let at: number | null = null;
  if (documents.length === 0) return { byId, at };
  const ids = documents.map(([write]) => idValue(idOf(write as UnresolvedWrite)));
  const lengths = Object.fromEntries(paths.map((path, index) => [fieldOf(index), lengthExpression(path)]));
  const projection = { _id: 1, ...lengths, [TIME]: '$$NOW' };
  const bounds = { projection, documentBytes: ANSWER_BYTES, maxTimeMS: Math.max(1, Math.ceil(maxTimeMS)) };
  let buffer = new BsonBuffer(new ArrayBuffer(0));
  const cursor = reader.findRaw(database, name, { _id: { $in: ids } }, bounds);
  try {
    while (await cursor.hasNext()) {
      for (const answer of cursor.readBufferedDocuments()) {
        if (answer.buffer !== buffer.bytes.buffer) buffer = new BsonBuffer(answer.buffer);
        const { id, time, lengths: found } = readAnswer(buffer, answer.byteOffset);
        at ??= time;
        byId.set(id, found);
      }
    }
  } finally {
    await cursor.close();
  }
  return { byId, at };
}

function fieldOf(index: number): string {
  return `${LENGTH}${index}`;
}

interface Answer {
  readonly id: string;
  readonly lengths: readonly unknown[];
  readonly time: number | null;
}

/** The server projects `_id` first. */
function readAnswer(buffer: BsonBuffer, start: number): Answer {
  let id = '';
  const lengths: unknown[] = [];
  let time: number | null = null;
  const fields = buffer.fields(start);
  if (fields.next()) id = buffer.key(fields.nameAt - 1, fields.end);
  while (fields.next()) {
    const { type, at, end } = fields;
    const name = buffer.text(fields.nameAt, fields.nameEnd);
    if (type === DATE && name === TIME) time = Number(buffer.view.getBigInt64(at, true));
    else if (name.startsWith(LENGTH)) lengths[Number(name.slice(LENGTH.length))] = lengthsAt(buffer, type, at, end);
  }
  return { id, lengths, time };
}

/** A length, or, of arrays in arrays, a list of them; null if there is no array. */
function lengthsAt(buffer: BsonBuffer, type: number, at: number, end: number): unknown {
  if (type === INT) return buffer.view.getInt32(at, true);
  return type === ARRAY ? Object.values(BSON.deserialize(buffer.bytes.subarray(at, end))) : null;
}

function resolved(
  write: UnresolvedWrite,
  lengths: readonly unknown[] | undefined,
  paths: readonly string[],
): ResolvedWrite[] {
  if (lengths === undefined) return [{ ...write, now: null }];
  const now = indexesIn(write).reduce<unknown>(
    (at, index) => (Array.isArray(at) ? at[index] : undefined),
    lengths[paths.indexOf(write.path)],
  );
  return typeof now === 'number' ? [{ ...write, now }] : [];
}

/** Of the elements on the way to the array: 1 and 4 for `threads.1.posts.4.likes` at `threads[].posts[].likes`. */
function indexesIn({ path, place }: Pick<DrawnWrite & { path: string }, 'path' | 'place'>): number[] {
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

function lengthBelow(array: string, rest: readonly string[], level: number): Document {
  const [next, ...others] = rest;
  const element = `e${level}`;
  const lengths =
    next === undefined
      ? { $size: array }
      : { $map: { input: array, as: element, in: lengthBelow(`$$${element}${next}`, others, level + 1) } };
  return { $cond: [{ $isArray: [array] }, lengths, null] };
}

function idOf({ document }: UnresolvedWrite): string {
  return document.slice(document.indexOf(' ') + 1);
}

/** @param id the field as BSON, a character a byte */
function idValue(id: string): unknown {
  const element = Buffer.from(id, 'latin1');
  if (element[0] === OBJECT_ID) return new ObjectId(element.subarray(-OBJECT_ID_BYTES));
  const document = new Uint8Array(element.length + 5);
  new DataView(document.buffer).setInt32(0, document.length, true);
  document.set(element, 4);
  return BSON.deserialize(document, EXACT)['_id'];
}
