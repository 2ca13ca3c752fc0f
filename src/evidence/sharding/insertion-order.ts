import type { Document } from 'mongodb';
import { z } from 'zod';
import type { ClusterReader } from '../../connect/cluster-reader.js';
import { absentBecause } from '../../connect/server-error.js';
import type { Collection } from '../../inventory/collection.js';
import type { ShardKey } from '../../inventory/sharding.js';
import type { Plain } from '../../plain.js';
import { absent, present, type Evidence } from '../../presence.js';
import type { ReadChunks } from './chunks.js';
import { fieldOrders, type KeyRow, fieldOrderSchema } from './key-order.js';
import { rankCorrelation } from './key-order.js';
import { recordIdRowsWithinChunks, recordIdsOf, type SampledKey } from './key-sample.js';
import { commonKind, kindAndTime, type ValueKind } from './value-kind.js';

export const keyOrderSchema = z.strictObject({
  insertionOrder: z.enum(['idTime', 'creationDate', 'recordId', 'recordIdWithinChunks']),
  /** The field that the order was taken from: `_id`, or a date that proved to be the time of creation. */
  orderField: z.string().nullable(),
  documents: z.number(),
  fields: z.array(fieldOrderSchema),
  /** Between the first and the last insert of the sample, in ms; null if the order carries no times. */
  span: z.number().nullable(),
  /** Since the last insert of the sample, in ms. */
  idle: z.number().nullable(),
});

export type KeyOrder = Plain<typeof keyOrderSchema>;

/** What the order of insertion was taken from, the most trusted first. */
export type InsertionOrder = KeyOrder['insertionOrder'];

export interface ReadKeyOrder {
  readonly order: KeyOrder;
  /** Time or position of each sampled document's insertion; null if unknown. */
  readonly inserted: readonly (number | null)[] | null;
}

/** The current shard key, this one or another, and its chunks; null if the collection is not sharded. */
export type KeyPlacement = {
  readonly key: ShardKey;
  readonly chunkFilter: Document;
  readonly chunks: ReadChunks;
} | null;

type Times = readonly (number | null)[];

/** Correlation with the time in `_id` from which a date is proven to be the time of creation. */
const PROOF = 0.9;
/** Different times from which documents can be put in order; a bulk load has one. */
const LEAST_TIMES = 10;
const NEARLY_ALL = 0.9;
const NO_PRIMARY =
  'neither _id nor a date shows when a document was inserted, and only a primary keeps that order. None can be read here.';
const TIMED_KINDS: ReadonlySet<ValueKind | null> = new Set<ValueKind>([
  'objectId',
  'objectIdString',
  'uuidV1',
  'uuidV7',
  'ulid',
  'ksuid',
]);
const DATE_KINDS: ReadonlySet<ValueKind | null> = new Set<ValueKind>(['date', 'timestamp', 'dateString']);

// Measures the key against the best order that does not depend on it:
// 1. the time in `_id`, unless the key orders by `_id` itself;
// 2. a date that agrees with the time in `_id`: two clocks that agree both show the time of creation;
// 3. RecordIds of the primary, if one mongod holds the documents, or else within chunks.
export async function readKeyOrder(
  reader: ClusterReader,
  collection: Collection,
  key: ShardKey,
  documents: readonly SampledKey[],
  placement: KeyPlacement,
): Promise<Evidence<ReadKeyOrder>> {
  const ofId = timesOfId(documents);
  const ordersById = key.some(({ path, hashed }) => path === '_id' && !hashed);
  if (ofId !== null && !ordersById) return present(orderedBy(ofId, 'idTime', '_id', key, documents));
  const created = ofId === null ? null : creationDate(key, documents, ofId);
  if (created !== null) return present(orderedBy(created.times, 'creationDate', created.field, key, documents));
  const { namespace } = collection;
  const operation = `reading the order of insertion of ${namespace}`;
  try {
    const primary = await reader.ofPrimary();
    if (primary === null) return absent('insufficient', `${operation}: ${NO_PRIMARY}`);
    const order = await orderedByRecordId(primary, collection, key, documents, placement, ofId);
    if (order !== null) return present(order);
    const obstacle = collection.clustered ? 'a clustered collection' : 'this key';
    return absent(
      'insufficient',
      `${operation}: neither _id nor a date shows when a document was inserted, and ${obstacle} leaves no RecordIds to compare.`,
    );
  } catch (error) {
    return absentBecause(error, operation, `find on ${namespace}`);
  }
}

async function orderedByRecordId(
  reader: ClusterReader,
  collection: Collection,
  key: ShardKey,
  documents: readonly SampledKey[],
  placement: KeyPlacement,
  ofId: Times | null,
): Promise<ReadKeyOrder | null> {
  if (collection.clustered) return null;
  if (placement === null || placement.chunks.evidence.parts.filter(({ chunks }) => chunks > 0).length <= 1) {
    const recordIds = await recordIdsOf(reader, collection, documents);
    const rows = rowsOf(recordIds, documents);
    return rows.length === 0 ? null : { order: keyOrder(key, rows, 'recordId', null), inserted: recordIds };
  }
  const rows = await recordIdRowsWithinChunks(reader, collection, key, placement);
  if (rows.length === 0) return null;
  // A few chunks show few values of the first fields, so these are counted in the sample.
  const fields = fieldOrders(
    key,
    rows,
    documents.map(({ values }) => values),
  );
  return { order: { ...keyOrder(key, rows, 'recordIdWithinChunks', null), fields }, inserted: ofId };
}

function orderedBy(
  times: Times,
  insertionOrder: InsertionOrder,
  orderField: string,
  key: ShardKey,
  documents: readonly SampledKey[],
): ReadKeyOrder {
  const rows = rowsOf(times, documents);
  const order = keyOrder(key, rows, insertionOrder, orderField);
  const first = Math.min(...rows.map(({ inserted }) => inserted));
  const last = Math.max(...rows.map(({ inserted }) => inserted));
  return { order: { ...order, span: last - first, idle: Math.max(0, Date.now() - last) }, inserted: times };
}

function rowsOf(times: Times, documents: readonly SampledKey[]): KeyRow[] {
  return documents.flatMap(({ values }, index): KeyRow[] => {
    const inserted = times[index] ?? null;
    return inserted === null ? [] : [{ inserted, values, group: '' }];
  });
}

function keyOrder(
  key: ShardKey,
  rows: readonly KeyRow[],
  insertionOrder: InsertionOrder,
  orderField: string | null,
): KeyOrder {
  return { insertionOrder, orderField, documents: rows.length, fields: fieldOrders(key, rows), span: null, idle: null };
}

/** Null if the `_id`s carry no time, or all nearly the same one. */
function timesOfId(documents: readonly SampledKey[]): Times | null {
  const carried = documents.map(({ id }) => kindAndTime(id));
  const times = carried.map(({ time }) => time);
  const isTimed = TIMED_KINDS.has(commonKind(carried.map(({ kind }) => kind)));
  return isTimed && new Set(times).size >= LEAST_TIMES ? times : null;
}

function creationDate(
  key: ShardKey,
  documents: readonly SampledKey[],
  ofId: Times,
): { readonly field: string; readonly times: Times } | null {
  const names = new Set(documents.flatMap(({ fields }) => Object.keys(fields)));
  for (const { path } of key) names.delete(path);
  for (const field of names) {
    const carried = documents.map(({ fields }) => kindAndTime(fields[field]));
    if (!DATE_KINDS.has(commonKind(carried.map(({ kind }) => kind)))) continue;
    const pairs = carried.flatMap(({ time }, index) => {
      const inserted = ofId[index] ?? null;
      return time === null || inserted === null ? [] : [{ inserted, value: time }];
    });
    const isProven = pairs.length >= NEARLY_ALL * documents.length && (rankCorrelation(pairs) ?? 0) >= PROOF;
    if (isProven) return { field, times: carried.map(({ time }) => time) };
  }
  return null;
}
