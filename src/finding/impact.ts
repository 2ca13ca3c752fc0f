import { z } from 'zod';

/** What a finding costs by the recorded workload, or how much is at stake. What is unknown is absent. */
export const impactSchema = z.strictObject({
  source: z.string().optional().describe('Source of the recorded operations, such as "profiler". Absent if none were.'),
  window: z.string().optional().describe('What the figures cover, for example "1,200 executions in 3.1 h".'),
  executions: z.number().optional().describe('Recorded executions of the operations that the finding is about.'),
  documents: z
    .number()
    .optional()
    .describe('Waste: documents that these executions examined beyond those that they returned or wrote.'),
  bytes: z.number().optional().describe("The waste in bytes: those documents times the collection's average size."),
  milliseconds: z.number().optional().describe('Time of these executions on the server, in ms.'),
  share: z
    .number()
    .optional()
    .describe('Documents and index keys examined in vain, as share of all that the source saw examined, 0 to 1.'),
  shareOfTime: z.number().optional().describe('Their share of the time of all operations of the source, 0 to 1.'),
  shareOfTimeSaved: z
    .number()
    .optional()
    .describe('What of it the remedy saves, in proportion to what is no longer examined: an estimate, 0 to 1.'),
  executionsPerDay: z.number().optional().describe('Executions a day, if an hour or more was recorded in full.'),
  documentsPerDay: z.number().optional().describe('The waste a day in documents, on the same condition.'),
  bytesPerDay: z.number().optional().describe('The waste a day in bytes, on the same condition.'),
  msPerDay: z.number().optional().describe('Time a day in ms, on the same condition.'),
  operations: z
    .array(
      z.strictObject({
        id: z.string().describe('Hash of what the operations have in common, the same in each run.'),
        share: z.number().optional().describe('Their part of `share`.'),
        shareOfTimeSaved: z.number().optional().describe('Their part of `shareOfTimeSaved`.'),
      }),
    )
    .optional()
    .describe('The kinds of operations that it is about, so that one that two findings name is counted once.'),
  bytesAtStake: z
    .number()
    .optional()
    .describe('Bytes of the indexes that it is about, or those that are free, or else of the collection.'),
  daysLeft: z.number().optional().describe('Days until the first of the forecast limits is reached, at the earliest.'),
});

/** An application and user that run the operations that a finding is about. */
export const ranBySchema = z.strictObject({
  appName: z.string().nullable().describe('Name that the application gives itself; null if it gives none.'),
  user: z.string().optional().describe('User, with the database that knows it.'),
  driver: z.string().optional().describe('Driver and its version, if the source or another one has it.'),
  addresses: z.array(z.string()).optional().describe('Network addresses of clients, up to five; with --show-values.'),
  share: z.number().describe('Its share of the executions that the source saw, 0 to 1.'),
});

/** What a finding costs, or how much is at stake. */
export type Impact = z.infer<typeof impactSchema>;
/** Who runs the operations that a finding is about. */
export type RanBy = z.infer<typeof ranBySchema>;
