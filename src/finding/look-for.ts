import { z } from 'zod';

/** What shows by itself that a rare finding is still there, so that a later run can search for it. Never a value. */
export const lookForSchema = z
  .union([
    z.strictObject({
      path: z.string().min(1).describe('The field, as queries write it.'),
      types: z.array(z.string()).min(1).describe('BSON types of its values: one value of any of them shows it.'),
    }),
    z.strictObject({ bytes: z.int().positive().describe('BSON bytes: one document of as many shows it.') }),
  ])
  .describe('What a later run searches for if its sample does not show the finding.');

/** How a search for a known finding ended: "unfinished" says nothing of the finding. */
const LOOK_UP_STATES = ['found', 'absent', 'unfinished'] as const;

export const lookUpSchema = z.strictObject({
  namespace: z.string().describe('database.collection'),
  fingerprint: z.string().describe('The finding of the baseline that was searched for.'),
  state: z.enum(LOOK_UP_STATES).meta({
    description: '"found": a document shows it; "absent": none does; "unfinished": not known, `detail` says why.',
    examples: [...LOOK_UP_STATES],
  }),
  detail: z.string().optional().describe('Why the search was not made, or not finished.'),
});

export type LookFor = z.infer<typeof lookForSchema>;

/** What became of the search for a known finding. */
export type LookUp = z.infer<typeof lookUpSchema>;

/** A known finding that can be searched for. */
export interface KnownFinding {
  readonly namespace: string;
  readonly fingerprint: string;
  readonly lookFor: LookFor;
}
