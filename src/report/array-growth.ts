import { z } from 'zod';
import type { FindingEvidence } from '../finding.js';

const range = z.tuple([z.number().nonnegative(), z.number().nonnegative()]);

const arrayGrowthSchema = z.object({
  elementsPerDay: z.number().nonnegative(),
  elementsPerDayRange: range,
  largestElementsPerDay: z.number().nonnegative(),
  typicalLength: z.number().nonnegative(),
  largestLength: z.number().nonnegative(),
  windowDays: z.number().positive(),
  forecastDays: z.record(z.string(), z.object({ typical: range.nullable(), largest: range.nullable() })),
});

/**
 * Lengths in elements, rates in elements per day. `forecastDays` has, by limit ("200 elements"), the days from now between
 * which the typical and the largest array pass it; null if no forecast is possible.
 */
export type ReportedArrayGrowth = Readonly<z.infer<typeof arrayGrowthSchema>>;

/** The growth that a finding's evidence carries; null if it is absent or incomplete. */
export function arrayGrowthOf(evidence: FindingEvidence): ReportedArrayGrowth | null {
  return arrayGrowthSchema.safeParse(evidence).data ?? null;
}
