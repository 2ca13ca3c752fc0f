import type { z } from 'zod';
import { SKIP_REASONS, type Absent, type Evidence } from '../presence.js';
import type { ObjectShape, Shape } from '../workload/shapes/shape.js';
import { BSON_TYPES, type Distribution, type TypeCounts } from '../profile/document-profile.js';
import type { IdConversion } from '../references/references.js';
import type { FieldOrder } from './sharding/key-order.js';
import { VALUE_KIND_NAMES, type ValueKind } from './sharding/value-kind.js';
import type { Zod } from './source.js';

/** Why evidence is absent, without the error that was thrown: it may quote document values. */
export function absentSchema(z: Zod): z.ZodType<Absent> {
  return z.object({
    present: z.literal(false),
    reason: z.enum(SKIP_REASONS),
    detail: z.string(),
    code: z.number().exactOptional(),
  });
}

export function evidenceSchema<T>(z: Zod, value: z.ZodType<T>): z.ZodType<Evidence<T>> {
  return z.union([z.strictObject({ present: z.literal(true), value }), absentSchema(z)]) as z.ZodType<Evidence<T>>;
}

export function typeCountsSchema(z: Zod): z.ZodType<TypeCounts> {
  return z.partialRecord(z.enum(BSON_TYPES), z.number()) as z.ZodType<TypeCounts>;
}

export function distributionSchema(z: Zod): z.ZodType<Distribution> {
  const figure = z.number();
  const interval = z.tuple([figure, figure]);
  return z.strictObject({
    count: figure,
    sum: figure,
    min: figure,
    max: figure,
    mean: figure,
    standardDeviation: figure,
    median: figure,
    p90: figure,
    p95: figure,
    p99: figure,
    intervals: z.strictObject({ median: interval, p90: interval, p95: interval, p99: interval }),
    fifthLargest: figure,
    mode: figure,
    shareAtMode: figure,
    countAtMax: figure,
    shareAtMax: figure,
    distinct: figure,
    separateGroup: z.strictObject({ count: figure, min: figure, spread: figure }).exactOptional(),
    buckets: z.array(z.strictObject({ from: figure, to: figure, count: figure })),
  });
}

export function fieldOrderSchema(z: Zod): z.ZodType<FieldOrder> {
  const kinds = Object.keys(VALUE_KIND_NAMES) as ValueKind[];
  return z.strictObject({
    path: z.string(),
    hashed: z.boolean(),
    kind: z.enum(kinds).nullable(),
    correlation: z.number().nullable(),
    timeCorrelation: z.number().nullable(),
    pairs: z.number(),
    effectiveValues: z.number(),
  });
}

export function gapsSchema(z: Zod): z.ZodType<readonly Absent[]> {
  return z.array(absentSchema(z));
}

const ID_CONVERSIONS = [
  'string to objectId',
  'objectId to string',
  'string to number',
  'number to string',
  'string to UUID',
  'UUID to string',
] as const satisfies readonly IdConversion[];

export function idConversionSchema(z: Zod): z.ZodType<IdConversion | null> {
  return z.enum(ID_CONVERSIONS).nullable();
}

export function shapeSchema(z: Zod): z.ZodType<Shape> {
  const shape: z.ZodType<Shape> = z.lazy(() =>
    z.union([z.string(), z.boolean(), z.number(), z.array(shape), z.record(z.string(), shape)]),
  );
  return shape;
}

export function objectShapeSchema(z: Zod): z.ZodType<ObjectShape> {
  return z.record(z.string(), shapeSchema(z));
}

export function windowSchema(z: Zod): z.ZodType<{ from: number; to: number }> {
  return z.strictObject({ from: z.number(), to: z.number() });
}
