import { z } from 'zod';
import { ofKind } from './names.js';
import { type Absent, type Evidence, SKIP_REASONS } from './presence.js';

/** Without the error that was thrown. */
export const absentSchema: z.ZodType<Absent> = z.object({
  present: z.literal(false),
  reason: z.enum(SKIP_REASONS),
  detail: ofKind('sentence'),
  code: z.number().exactOptional(),
});

export function evidenceSchema<T>(value: z.ZodType<T>): z.ZodType<Evidence<T>> {
  return z.union([z.strictObject({ present: z.literal(true), value }), absentSchema]) as z.ZodType<Evidence<T>>;
}
