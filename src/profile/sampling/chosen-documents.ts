import { createHash, type Hash } from 'node:crypto';
import { BSON, Long, MongoServerError, type Document, Decimal128 } from 'mongodb';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { batchesOf } from '../../connect/raw-cursor.js';
import { skipReason } from '../../connect/server-error.js';
import type { Collection } from '../../inventory/collection.js';
import {
  ARRAY,
  DECIMAL,
  DOUBLE,
  INT,
  LONG,
  MAX_KEY,
  MIN_KEY,
  NULL,
  OBJECT,
  UNDEFINED,
  scalarBytes,
} from '../bson-types.js';
import { planWithout, type SampleMethod, type SamplePlan } from './sample-plan.js';

/** Where the first element of a document begins: after its length. */
const FIRST_ELEMENT = 4;
const NUMBER = 10;

/** By type byte, so that types that can be equal share one. Source: `canonicalizeBSONType` of the server. */
const CANONICAL: Readonly<Record<number, number>> = {
  [UNDEFINED]: 0,
  [NULL]: 5,
  [DOUBLE]: NUMBER,
  [INT]: NUMBER,
  [LONG]: NUMBER,
  [DECIMAL]: NUMBER,
  0x02: 15,
  0x0e: 15,
  [OBJECT]: 20,
  [ARRAY]: 25,
  0x05: 30,
  0x07: 35,
  0x08: 40,
  0x09: 45,
  0x11: 47,
  0x0b: 50,
  0x0c: 55,
  0x0d: 60,
  0x0f: 65,
  [MAX_KEY]: 127,
  [MIN_KEY]: -1,
};

const LARGEST = 2n ** 63n - 1n;
const SMALLEST = -(2n ** 63n);

// The one place that chooses documents. A document is chosen by the hash of its `_id`, the smallest first: whatever the
// node, the natural order and the time, unchanged data give the same documents. Only the random cursor, for collections
// too large to be scanned, gives others each time.

/** Which documents were chosen, as the first stages of a pipeline. */
export interface Choice {
  readonly method: SampleMethod;
  readonly stages: readonly Document[];
  /** In the order of their hashes, if they were hashed here. */
  readonly ids: readonly unknown[] | null;
}

// A plan can't be followed with these, or with what is not supported, although the collection can be read: 168
// InvalidPipelineOperator (a server without `$toHashedIndexKey`), 292 QueryExceededMemoryLimitNoDiskUseAllowed (a
// sort over large documents, measured on 6.0.5), 28799 (the random cursor met the same documents a hundred times over)
// and 2 BadValue (no index on `_id`).
const REFUSED = new Set([2, 168, 292, 28799]);

/** So many more than wanted pass the threshold, in standard deviations of their number, that nearly never too few do. */
const DEVIATIONS_ABOVE = 6;
const THRESHOLD_BITS = 53n;

/**
 * @param read reads from the chosen documents; called again with others if the server can't follow the plan
 * @param project a stage that keeps `_id`, so that less is sorted
 */
export async function readChosen<Result>(
  reader: ClusterReader,
  collection: Collection,
  plan: SamplePlan,
  read: (choice: Choice) => Promise<Result>,
  project: readonly Document[] = [],
): Promise<Result> {
  try {
    return await read(await choose(reader, collection, plan, project));
  } catch (error) {
    if (!isRefusal(error) || plan.method === 'natural-order') throw error;
    return readChosen(reader, collection, planWithout(plan, collection.clustered), read, project);
  }
}

/** Whether the server can't follow a plan, though it can read the collection. */
export function isRefusal(error: unknown): boolean {
  return error instanceof MongoServerError && (REFUSED.has(Number(error.code)) || skipReason(error) === 'unsupported');
}

async function choose(
  reader: ClusterReader,
  collection: Collection,
  { method, documents, count }: SamplePlan,
  project: readonly Document[],
): Promise<Choice> {
  switch (method) {
    case 'random-cursor':
      return { method, stages: [{ $sample: { size: documents } }, ...project], ids: null };
    case 'id-hash':
      return { method, stages: [...project, ...smallestHashes(documents, count)], ids: null };
    case 'id-index': {
      const ids = await hashedIds(reader, collection, documents);
      return { method, stages: [{ $match: { _id: { $in: ids } } }, ...project], ids };
    }
    default:
      return { method, stages: [{ $limit: documents }, ...project], ids: null };
  }
}

/** Reads by stages that hash, or, on a server that can't, of so many that are drawn at random. */
export async function readHashed<Result>(
  hashing: readonly Document[],
  wanted: number,
  read: (stages: readonly Document[]) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(hashing);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return read([{ $sample: { size: wanted } }]);
  }
}

/** Stages that keep so many of the different values of a field `value`, in bounded memory. */
export function valuesByHash(wanted: number): Document[] {
  const hash = { $toHashedIndexKey: '$value' };
  return [
    { $group: { _id: { $abs: { $mod: [hash, wanted] } }, least: { $min: { hash, value: '$value' } } } },
    { $replaceWith: '$least' },
  ];
}

/** @param among documents that come in, so that a threshold spares most of them the sort; 0 if it is not known */
export function smallestHashes(wanted: number, among: number): Document[] {
  const hash = { $toHashedIndexKey: '$_id' };
  const share = (wanted + DEVIATIONS_ABOVE * Math.sqrt(wanted)) / Math.max(1, among);
  return [
    ...(share < 1 ? [{ $match: { $expr: { $lt: [hash, threshold(share)] } } }] : []),
    // Within another document, it stays as it is, byte by byte.
    { $replaceWith: { document: '$$ROOT', hash } },
    { $sort: { hash: 1 } },
    { $limit: wanted },
    { $replaceWith: '$document' },
  ];
}

function threshold(share: number): Long {
  const steps = BigInt(Math.floor(share * 2 ** Number(THRESHOLD_BITS)));
  return Long.fromBigInt(SMALLEST + (steps << (64n - THRESHOLD_BITS)));
}

async function hashedIds(reader: ClusterReader, { database, name }: Collection, wanted: number): Promise<unknown[]> {
  const hashed: { readonly hash: bigint; readonly raw: Uint8Array }[] = [];
  for await (const batch of batchesOf(reader.findIds(database, name)))
    for (const raw of batch) hashed.push({ hash: idHash(raw), raw });
  hashed.sort((one, other) => (one.hash < other.hash ? -1 : Number(one.hash > other.hash)));
  // As BSON types, so that no `_id` loses precision.
  return hashed.slice(0, wanted).map(({ raw }) => BSON.deserialize(raw, { promoteValues: false })['_id']);
}

/**
 * The hash of the first field of a document, `_id`: the same as of `$toHashedIndexKey` and of a hashed index, a signed
 * number of 64 bits. Numbers are hashed as whole ones, so that `5`, `5.0` and `NumberLong(5)` are one.
 * Source: `BSONElementHasher` of the server, and live tests against it; JavaScript with a scope differs.
 *
 * @param document valid BSON of one field at least
 */
export function idHash(document: Uint8Array): bigint {
  const view = new DataView(document.buffer, document.byteOffset, document.byteLength);
  // The hash begins with its seed.
  const hash = createHash('md5').update(int32(0));
  addElement(hash, document, view, FIRST_ELEMENT, false);
  return hash.digest().readBigInt64LE(0);
}

/** Returns where the next element begins. */
function addElement(hash: Hash, bytes: Uint8Array, view: DataView, start: number, isNamed: boolean): number {
  const type = bytes[start] as number;
  const at = bytes.indexOf(0, start + 1) + 1;
  hash.update(int32(CANONICAL[type] ?? type));
  if (isNamed) hash.update(bytes.subarray(start + 1, at));
  if (type === OBJECT || type === ARRAY) {
    const end = at + view.getInt32(at, true);
    for (let element = at + FIRST_ELEMENT; element < end - 1;) element = addElement(hash, bytes, view, element, true);
    // As if the end were an element.
    hash.update(int32(0));
    return end;
  }
  const end = at + scalarBytes(view, bytes, type, at);
  hash.update(CANONICAL[type] === NUMBER ? int64(wholeNumber(bytes, view, type, at)) : bytes.subarray(at, end));
  return end;
}

function wholeNumber(bytes: Uint8Array, view: DataView, type: number, at: number): bigint {
  if (type === INT) return BigInt(view.getInt32(at, true));
  if (type === LONG) return view.getBigInt64(at, true);
  return type === DOUBLE ? within(view.getFloat64(at, true)) : wholeDecimal(bytes.slice(at, at + 16));
}

function within(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= Number(LARGEST)) return LARGEST;
  return value <= Number(SMALLEST) ? SMALLEST : BigInt(Math.trunc(value));
}

/** Decimals are rounded, half to even. */
function wholeDecimal(bytes: Uint8Array): bigint {
  const text = new Decimal128(Buffer.from(bytes)).toString();
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,18})(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole === undefined) return within(Number(text));
  const half = fraction.replace(/0+$/, '');
  const isUp = half === '5' ? BigInt(whole) % 2n === 1n : half > '5';
  const rounded = BigInt(whole) + (isUp ? 1n : 0n);
  return sign === '-' ? -rounded : rounded;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}
