import { z } from 'zod';
import { SKIP_REASONS } from '../presence.js';

export const skippedSchema = z.strictObject({
  check: z.string().describe('Id of the check that could not judge; "*" if it holds for every enabled check.'),
  namespace: z.string().optional().describe('database.collection; absent if it holds for more than one collection.'),
  namespaces: z
    .array(z.string())
    .optional()
    .describe('The first ten of several namespaces for which it holds; `detail` is that of the first.'),
  count: z.int().positive().optional().describe('For how many namespaces it holds, if `namespaces` is present.'),
  reason: z.enum(SKIP_REASONS).meta({ description: 'Why, in a word.', examples: [...SKIP_REASONS] }),
  evidence: z
    .string()
    .optional()
    .describe('The evidence that could not be had, such as "documents"; absent if the check had what it needs.'),
  code: z.int().optional().describe("Code of the server's error, if that is why."),
  detail: z.string().describe('Why, in a sentence, and what would help.'),
});

export const excusedSchema = z.strictObject({
  check: z.string().describe('Id of the check that exempts it.'),
  namespace: z.string().describe('database.collection'),
  path: z.string().describe('The field.'),
  detail: z.string().describe('What it is, and what excuses it.'),
});

/** What a check exempts though it is over a line, and why. */
export type Excused = z.infer<typeof excusedSchema>;

/** Something enabled that could not be judged, and why. */
export type Skipped = z.infer<typeof skippedSchema>;
