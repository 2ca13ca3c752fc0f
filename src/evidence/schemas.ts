import { z } from 'zod';
import type { AgeGrowth } from './growth/ages/age-growth.js';
import type { Estimate } from './growth/rates/estimate.js';
import type { GrowthRates } from './growth/rates/growth-rates.js';

const estimateSchema: z.ZodType<Estimate> = z.strictObject({
  low: z.number(),
  estimate: z.number(),
  high: z.number(),
});

export const growthRatesSchema: z.ZodType<GrowthRates> = z.strictObject({
  typical: z.strictObject({ value: estimateSchema, perDay: estimateSchema }),
  largest: z.strictObject({ value: z.number(), perDay: estimateSchema }),
  changePerDay: z.number().exactOptional(),
});

const seen = { documents: z.number(), spanDays: z.number() };

export const ageGrowthSchema: z.ZodType<AgeGrowth> = z.discriminatedUnion('shape', [
  z.strictObject({ shape: z.literal('growing'), ...seen, correlation: z.number(), rates: growthRatesSchema }),
  z.strictObject({ shape: z.enum(['level', 'plateau', 'step', 'survivors', 'import', 'trend']), ...seen }),
]);
