import { z } from 'zod';
import { topShapeSchema } from '../findings/top-shapes.js';
import { WAITING_CAUSES } from '../workload/operations/waiting-cause.js';
import { growing } from './published-schema.js';

/** What a report says of the recorded workload as a whole. */
export const workloadShape = {
  topShapes: z
    .array(topShapeSchema)
    .optional()
    .describe(
      'The shapes of operations that cost most, by their share of the time or of what is examined, whichever is larger. Absent if nothing was recorded.',
    ),
  waiting: z
    .array(
      z.strictObject({
        namespace: z.string().describe('The collection.'),
        operation: z.string().describe('In words and without values.'),
        source: z.string().describe('Source of operations, such as "profiler".'),
        cause: growing(WAITING_CAUSES, 'What it waits for most.'),
        executions: z.number().describe('Recorded executions.'),
        averageMs: z.number().describe('Milliseconds per execution.'),
        waitedMs: z
          .number()
          .nullable()
          .describe(
            'Of them, milliseconds of waiting; null for write conflicts, whose time the server does not count.',
          ),
      }),
    )
    .optional()
    .describe(
      'Recorded operations that wait rather than work, so that no index makes them faster. Absent if there are none.',
    ),
  unfinished: z
    .array(
      z.strictObject({
        namespace: z.string().describe('The collection.'),
        operation: z.string().describe('In words and without values.'),
        source: z.string().describe('Source of operations, such as "log file".'),
        executions: z.number().describe('Executions that were seen running, and no end of them.'),
        longestMs: z.number().describe('Milliseconds that the longest had run when it was last seen.'),
      }),
    )
    .optional()
    .describe('Operations that a log of 8.3 or later saw running, and no end of them. Absent if there are none.'),
  notUnderstood: z
    .array(
      z.strictObject({
        source: z.string().describe('Source of operations, such as "profiler".'),
        kind: z.string().describe("The server's word for it: a command, or the message of a line."),
        entries: z.number().describe('How many there were.'),
      }),
    )
    .optional()
    .describe(
      'Recorded operations on data of kinds that mongolint does not know: no finding counts them. Absent if none.',
    ),
  rejected: z
    .array(
      z.strictObject({
        namespace: z.string().describe('The collection.'),
        command: z.string().describe('"find", "aggregate", "distinct"; "query" if unknown.'),
      }),
    )
    .optional()
    .describe('Shapes that query settings make the server reject (8.0). Absent if there are none.'),
  querySettingsUnread: z
    .string()
    .optional()
    .describe(
      'Why query settings (8.0) could not be read, so that indexes that they name are unknown. Absent if they were.',
    ),
  nodeReads: z
    .array(
      z.strictObject({
        node: z.string().describe('Member of the replica set: "the primary", "secondary 1".'),
        finds: z.number().describe('Finds that it answered since it started; aggregations are not counted among them.'),
        seconds: z.number().describe('Seconds since it started.'),
      }),
    )
    .optional()
    .describe('Finds by member of the replica set. Absent unless every member answered, and there are several.'),
  unnamedApplications: z
    .strictObject({
      source: z.string().describe('Source of operations that recorded the most.'),
      executions: z.number().describe('Executions that it saw.'),
      unnamed: z.number().describe('Those of them whose application gives no appName.'),
    })
    .optional()
    .describe('Present if recorded operations name no application, so that mongolint cannot say who runs them.'),
};
