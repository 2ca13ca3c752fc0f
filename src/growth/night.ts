import { z } from 'zod';
import type { Plain } from '../plain.js';

const count = () => z.int().nonnegative();

/** What a run came to, for the course over many: totals, and the largest of the arrays that grow. */
export const nightSchema = z.strictObject({
  at: z.iso.datetime().describe('When the run began, in UTC.'),
  findings: z
    .strictObject({
      error: count().describe('Errors.'),
      warning: count().describe('Warnings.'),
      info: count().describe('Findings of severity info.'),
    })
    .describe('Findings by severity, known ones included.'),
  documents: count().nullable().describe('Documents of the collections that were linted; null if not all are known.'),
  bytes: count().nullable().describe('Bytes of BSON of these; null if not all are known.'),
  arrays: z
    .array(
      z.strictObject({
        namespace: z.string().describe('database.collection'),
        path: z.string().describe('The array.'),
        largest: z.number().describe('Elements of the largest one that was seen.'),
      }),
    )
    .describe('The longest of the arrays that were measured to grow.'),
});

export type Night = Plain<typeof nightSchema>;
