import { z } from 'zod';
import { SKIP_REASONS } from '../presence.js';

/** What a difference is about. */
export const DRIFT_SUBJECTS = [
  'server',
  'collection',
  'options',
  'index',
  'validator',
  'view',
  'field',
  'size',
] as const;

/** Which of the two has it; `both` if it differs. */
const SIDES = ['old', 'new', 'both'] as const;

/** Why something was not compared, beside the reasons for which a run skips it. */
const NOT_COMPARED_REASONS = [...SKIP_REASONS, 'not-asked', 'not-kept', 'in-build'] as const;

const namespace = z.string().nullable().describe('database.collection, by the name in the newer run; null if of all.');
const subject = z.enum(DRIFT_SUBJECTS).meta({ description: 'What it is about.', examples: [...DRIFT_SUBJECTS] });
const name = z.string().nullable().describe('Name of the index, or dotted path of the field; null for others.');
const value = z.string().nullable().describe('For people; null if it is not set.');

const differenceSchema = z.strictObject({
  subject,
  namespace,
  name,
  in: z.enum(SIDES).describe('The run that has it; "both" if it differs.'),
  declared: z
    .boolean()
    .describe('True of what somebody declared, which --fail-on drift fails on; false of data and servers.'),
  changes: z
    .array(z.strictObject({ what: z.string().describe('The option or figure.'), old: value, new: value }))
    .describe('What differs; empty if only one run has it.'),
  message: z.string().describe('The difference in a sentence.'),
  known: z.literal(true).optional().describe('Present between siblings that differed so in the run before.'),
});

const notComparedSchema = z.strictObject({
  subject,
  namespace,
  name,
  side: z.enum(SIDES).describe('The run that does not know it.'),
  reason: z.enum(NOT_COMPARED_REASONS).meta({ description: 'Why, in a word.', examples: [...NOT_COMPARED_REASONS] }),
  detail: z.string().describe('Why, in a sentence.'),
});

export const driftSchema = z.strictObject({
  old: z.string().describe('The older run, as it was named on the command line.'),
  new: z.string().describe('The newer run.'),
  compared: z.int().nonnegative().describe('Collections that are in both.'),
  differences: z.array(differenceSchema).describe('What differs, by namespace.'),
  notCompared: z.array(notComparedSchema).describe('What one of the runs does not know. It is not known to be alike.'),
});

export type Drift = z.infer<typeof driftSchema>;
export type Difference = Drift['differences'][number];
export type NotCompared = Drift['notCompared'][number];
export type Change = Difference['changes'][number];
export type DriftSide = 'old' | 'new';
