import { z } from 'zod';
import { WAITING_CAUSES } from '../workload/operations/waiting-cause.js';

/** What a report says of the recorded workload as a whole. */
export const workloadShape = {
  waiting: z
    .array(
      z.strictObject({
        namespace: z.string().describe('The collection.'),
        operation: z.string().describe('In words and without values.'),
        source: z.string().describe('Source of operations, such as "profiler".'),
        cause: z.enum(WAITING_CAUSES).meta({ description: 'What it waits for most.', examples: [...WAITING_CAUSES] }),
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
