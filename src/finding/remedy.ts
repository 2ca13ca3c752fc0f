import { z } from 'zod';

/** One schema, so that the published one has one definition of it. */
export const jsonValue = z.json();

const remedyCommandSchema = z.strictObject({
  db: z.string().describe('Database that the command is run on.'),
  command: z
    .record(z.string(), jsonValue)
    .describe('The command as db.runCommand() takes it; its name is the first key.'),
});

/** One action of a remedy. */
export const remedyStepSchema = z.strictObject({
  text: z.string().describe('The action, what it costs, and what cannot be undone, in one to three short sentences.'),
  command: remedyCommandSchema.optional().describe('The database command that does it.'),
  code: z
    .string()
    .optional()
    .describe(
      'What goes with the step and is not the fix itself: a mongosh statement that lists or checks, or a change of the application.',
    ),
  givesUp: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Names of the indexes of the collection that it hides or drops.'),
});

/** What to do about a finding. The commands, if there are any, make it go away. */
export const remedySchema = z.strictObject({
  steps: z.array(remedyStepSchema).min(1).describe('What to do, one action a step, in this order.'),
  text: z.string().describe('The texts of the steps, joined.'),
  commands: z
    .array(remedyCommandSchema)
    .min(1)
    .optional()
    .describe('The commands of the steps: run in this order, they make the finding go away.'),
});

/** A database command of a remedy, and the database that it is run on. */
export type RemedyCommand = z.infer<typeof remedyCommandSchema>;
/** One action of a remedy. */
export type RemedyStep = z.infer<typeof remedyStepSchema>;
/** A remedy as it is reported: its steps, and their texts and commands joined. */
export type ReportedRemedy = z.infer<typeof remedySchema>;

/** What to do about a problem, as a check says it. */
export interface Remedy {
  readonly steps: readonly RemedyStep[];
}

/** Steps of a remedy: one that is nothing but a text is given as the text; what does not apply is left out. */
export function stepsOf(...steps: readonly (string | RemedyStep | false | undefined)[]): RemedyStep[] {
  return steps.flatMap((step) =>
    step === false || step === undefined ? [] : typeof step === 'string' ? { text: step } : step,
  );
}
