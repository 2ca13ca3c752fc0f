import { z } from 'zod';
import { ofKind } from '../names.js';
import type { Plain } from '../plain.js';
import { absentSchema } from '../presence-schema.js';
import { ID_CONVERSIONS } from './references.js';

/** Found in no collection they may refer to, neither at first nor again. */
export const danglingSchema = z.strictObject({
  references: z.number(),
  values: z.number(),
  documents: z.number(),
  /** Relaxed Extended JSON; only with `--show-values`. */
  ids: z.array(z.string()).exactOptional(),
});

export type Dangling = Plain<typeof danglingSchema>;

/** By the order of the copies in time. */
export const copyHistorySchema = z.strictObject({
  /** Referred-to documents with an equal copy older than a differing one: it was changed after it was written. */
  updated: z.number(),
  /** Those whose differing copies are all older than the equal ones, as if copies are never changed. */
  untouched: z.number(),
});

export type CopyHistory = Plain<typeof copyHistorySchema>;

/** A field beside a reference that is named as a field of the target, and mostly equals it. */
export const copiedFieldSchema = z.strictObject({
  path: z.string(),
  sourcePath: z.string(),
  family: z.enum(['string', 'date', 'objectId', 'binData']),
  /** True if the `_id` of the target lies beside it: `customer: {_id, name}`. */
  isBesideId: z.boolean(),
  compared: z.number(),
  differing: z.number(),
  /** Expected share of equal pairs by chance: the sum over all values of the product of their shares on both sides. */
  agreementByChance: z.number(),
  valuesAgreed: z.number(),
  /** 1 if all referred-to documents hold different values. */
  valuesPerSource: z.number(),
  history: copyHistorySchema,
  /** Relaxed Extended JSON; only with `--show-values`. */
  ids: z.array(z.string()).exactOptional(),
});

export type CopiedField = Plain<typeof copiedFieldSchema>;

export type CopyFamily = CopiedField['family'];

/** A reference of the target to this collection. */
export const backReferenceSchema = z.strictObject({
  path: z.string(),
  isInArray: z.boolean(),
  followed: z.number(),
  /** Without targets whose list may be full, or that refer to one other document. */
  compared: z.number(),
  oneSided: z.number(),
  /** Relaxed Extended JSON; only with `--show-values`. */
  ids: z.array(z.string()).exactOptional(),
});

export type BackReference = Plain<typeof backReferenceSchema>;

/** Counts only, except for `_id`s with `--show-values`. */
export const comparedReferenceSchema = z.strictObject({
  namespace: ofKind('namespace'),
  /** Dotted, with `[]` for array elements on the way. */
  path: z.string(),
  isInArray: z.boolean(),
  /** The collection that the field refers to, as far as its name and its values tell. */
  target: ofKind('namespace'),
  furtherTargets: z.array(ofKind('namespace')),
  /** True if missing values were looked for in every collection that may hold them. */
  isSoughtEverywhere: z.boolean(),
  conversion: z.enum(ID_CONVERSIONS).nullable(),
  sampled: z.number(),
  complete: z.boolean(),
  /** Present if the random cursor drew the documents, which may pick neighbours that refer to the same. */
  byChance: z.literal(true).exactOptional(),
  documents: z.number(),
  references: z.number(),
  values: z.number(),
  dangling: danglingSchema,
  copies: z.array(copiedFieldSchema),
  backReferences: z.array(backReferenceSchema),
});

export type ComparedReference = Plain<typeof comparedReferenceSchema>;

/** What following the references showed. */
export const referenceIntegritySchema = z.strictObject({
  references: z.array(comparedReferenceSchema),
  gaps: z.array(absentSchema),
});

export type ReferenceIntegrity = Plain<typeof referenceIntegritySchema>;
