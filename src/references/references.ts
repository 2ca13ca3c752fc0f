import { z } from 'zod';
import type { Collection, IndexDescription } from '../inventory/collection.js';
import type { StorageStatistics } from '../inventory/storage.js';
import { ofKind } from '../names.js';
import type { Plain } from '../plain.js';
import { absentSchema } from '../presence-schema.js';
import type { Evidence } from '../presence.js';
import type { FieldTypes } from '../profile/field-types.js';

/** What references between collections are found by; absent if the run does not collect it. */
export interface ReadPieces {
  readonly fieldTypes?: Evidence<FieldTypes>;
  readonly indexes?: Evidence<readonly IndexDescription[]>;
  readonly storage?: Evidence<StorageStatistics>;
}

/** A collection whose documents were read. */
export interface ReadCollection {
  readonly collection: Collection;
  readonly evidence: ReadPieces;
}

export const ID_CONVERSIONS = [
  'string to objectId',
  'objectId to string',
  'string to number',
  'number to string',
  'string to UUID',
  'UUID to string',
] as const;

/** The conversion from the stored value to an `_id` of the other collection; null if it needs no conversion. */
export type IdConversion = (typeof ID_CONVERSIONS)[number];

/** Counts only; no value is kept. */
export const referenceSchema = z.strictObject({
  namespace: ofKind('namespace'),
  /** Dotted, with `[]` for array elements on the way. */
  path: z.string(),
  isInArray: z.boolean(),
  target: ofKind('namespace'),
  values: z.number(),
  /** Those that are `_id`s of the target. */
  found: z.number(),
  conversion: z.enum(ID_CONVERSIONS).nullable(),
  /** True if several sampled documents held the same value. */
  isRepeated: z.boolean(),
  /** Present if other values would be looked up next time. */
  isByChance: z.literal(true).exactOptional(),
});

export type Reference = Plain<typeof referenceSchema>;

/** Fields that hold the `_id`s of other collections. */
export const referencesSchema = z.strictObject({
  /** The target with the most values comes first. */
  references: z.array(referenceSchema),
  gaps: z.array(absentSchema),
});

export type References = Plain<typeof referencesSchema>;
