import { z } from 'zod';
import type { Plain } from '../../plain.js';
import { bsonIdentity } from '../../profile/bson-order.js';
import { fieldOrders, fieldOrderSchema, type FieldOrder } from './key-order.js';
import { valueSpread } from './value-spread.js';

/** A field that might lead a better shard key. */
export const candidateFieldSchema = z.strictObject({
  order: fieldOrderSchema,
  /** Of the documents that have the most frequent value, 0 to 1. */
  mostCommonShare: z.number(),
});

export type CandidateField = Plain<typeof candidateFieldSchema>;

/** One document's time or position of insertion, and its short top-level fields. */
export interface CandidateRow {
  readonly inserted: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function candidateFields(rows: readonly CandidateRow[]): CandidateField[] {
  const [first] = rows;
  if (first === undefined) return [];
  const names = Object.keys(first.fields).filter((name) =>
    rows.every(({ fields }) => fields[name] !== undefined && fields[name] !== null),
  );
  return names.map((path) => {
    const values = rows.map(({ inserted, fields }) => ({ inserted, values: [fields[path]], group: '' }));
    const [order] = fieldOrders([{ path, hashed: false }], values);
    const { mostCommonShare } = valueSpread(
      rows.map(({ fields }) => bsonIdentity(fields[path])),
      false,
    );
    return { order: order as FieldOrder, mostCommonShare };
  });
}
