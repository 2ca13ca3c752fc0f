import { z } from 'zod';
import type { Plain } from '../../plain.js';
import { bsonIdentity } from '../../profile/bson-order.js';
import { fieldOrders, fieldOrderSchema, type FieldOrder } from './key-order.js';
import type { SampledKey } from './key-sample.js';
import { valueSpread } from './value-spread.js';

/** A field that might lead a better shard key. */
export const candidateFieldSchema = z.strictObject({
  order: fieldOrderSchema,
  /** The share of the documents that have the most frequent value, 0 to 1. */
  mostCommonShare: z.number(),
});

export type CandidateField = Plain<typeof candidateFieldSchema>;

/** @param inserted time or position of each document's insertion; null if it is unknown */
export function candidateFields(
  documents: readonly Pick<SampledKey, 'fields'>[],
  inserted: readonly (number | null)[] | null,
): CandidateField[] {
  const rows = documents.flatMap(({ fields }, index) => {
    const at = inserted?.[index] ?? null;
    return at === null ? [] : [{ inserted: at, fields }];
  });
  const [first] = rows;
  if (first === undefined) return [];
  const names = Object.keys(first.fields).filter((name) => rows.every(({ fields }) => (fields[name] ?? null) !== null));
  return names.map((path) => {
    const values = rows.map((row) => ({ inserted: row.inserted, values: [row.fields[path]], group: '' }));
    const [order] = fieldOrders([{ path, hashed: false }], values);
    const { mostCommonShare } = valueSpread(
      rows.map(({ fields }) => bsonIdentity(fields[path])),
      false,
    );
    return { order: order as FieldOrder, mostCommonShare };
  });
}
