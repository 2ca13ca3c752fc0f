import { z } from 'zod';
import { ageGrowthSchema } from '../../growth/growth.js';
import { ofKind } from '../../names.js';
import type { Plain } from '../../plain.js';
import { absentSchema } from '../../presence-schema.js';

const middleAndMost = z.strictObject({ median: z.number(), most: z.number() });

/** How many children a parent has, counted on the server. A family is the children of one parent. */
export const childFamiliesSchema = z.strictObject({
  parent: ofKind('namespace'),
  child: ofKind('namespace'),
  path: z.string(),
  families: z.number(),
  /** False if they are the families of picked children, which favours large ones. */
  complete: z.boolean(),
  childrenSeen: z.number(),
  /** Present if other children would be picked next time. */
  isByChance: z.literal(true).exactOptional(),
  /** `most` is at most `countedTo`. */
  children: middleAndMost,
  /** Children per family at which counting ends; null if all were counted. */
  countedTo: z.number().nullable(),
  /** BSON bytes of a family. */
  bytes: middleAndMost,
  /** Children seen without a parent. */
  orphans: z.number(),
  /** By the time in the ObjectIds of the parents; null if it shows nothing. */
  growth: ageGrowthSchema.nullable(),
});

export type ChildFamilies = Plain<typeof childFamiliesSchema>;

/** The families of each relation by which the workload joins children to parents. */
export const childrenSchema = z.strictObject({
  families: z.array(childFamiliesSchema),
  gaps: z.array(absentSchema),
});

export type Children = Plain<typeof childrenSchema>;
