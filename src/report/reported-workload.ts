import { z } from 'zod';
import { topShapeSchema } from '../findings/top-shapes.js';
import { WAITING_CAUSES } from '../workload/operations/waiting-cause.js';
import { count, growing } from './published-schema.js';

/** Totals of a run, and how it read. */
export const summarySchema = z.strictObject({
  databases: count().describe('Databases in which collections were linted.'),
  collections: count().describe('Entries in `collections`: collections, views and time-series collections.'),
  documentsSampled: count().describe('Documents that were read, over all collections.'),
  bytesSampled: count().describe('BSON bytes of the sampled documents.'),
  findings: z
    .strictObject({
      error: count().describe('Findings of severity "error".'),
      warning: count().describe('Findings of severity "warning".'),
      info: count().describe('Findings of severity "info".'),
    })
    .describe('Findings by severity; suppressed ones do not count.'),
  suppressed: count().describe('Findings that are suppressed.'),
  baseline: z
    .strictObject({
      new: count().describe('Findings that are not in the baseline, or less severe in it.'),
      known: count().describe('Findings that are in the baseline.'),
      accepted: count()
        .optional()
        .describe('Those of them that somebody accepted with `mongolint accept`. Absent if there are none.'),
      fixed: count().describe('Findings of the baseline that this run would have shown, and did not.'),
      gone: count().optional().describe('Findings of the baseline whose collection no longer exists.'),
      notSeen: count()
        .optional()
        .describe('Findings of the baseline that the sample of this run may have missed: they stay in the baseline.'),
      stillThere: count()
        .optional()
        .describe(
          'Findings of the baseline that the sample missed, and a direct search found. Absent if there are none.',
        ),
      notJudged: count().describe('Findings of the baseline that this run could not check again.'),
    })
    .optional()
    .describe('How the findings compare with the baseline; absent without one. Suppressed findings do not count.'),
  checks: z
    .strictObject({
      ran: count().describe('Enabled checks that judged at least one collection.'),
      skipped: count().describe('Enabled checks with at least one entry in `skipped`; they may have run elsewhere.'),
    })
    .describe('How many checks judged, and how many could not judge everything.'),
  serverLoad: z
    .strictObject({
      startMs: z.number().nonnegative().describe('Time of a command that costs next to nothing, at the start, in ms.'),
      slowestMs: z.number().nonnegative().describe('Longest time of such a command while the run was slowed, in ms.'),
      slowedMs: z
        .number()
        .nonnegative()
        .describe('Time during which one thing was read at a time, with pauses, in ms.'),
      stopped: z.boolean().describe('True if the run ended before its time to spare the server.'),
    })
    .optional()
    .describe(
      'How the run spared the server, which answered several times slower than at the start; absent if it did not have to.',
    ),
  reads: z
    .strictObject({
      losses: z
        .array(
          z.strictObject({
            member: z.string().describe('The member that was lost while it was read, as host and port.'),
            at: z.iso.datetime().describe('When that was noticed.'),
            continuedFrom: z.string().nullable().describe('The member that was read next; null if none was.'),
          }),
        )
        .describe('Members that were lost. What failed by that was read again.'),
      lags: z
        .array(
          z.strictObject({
            member: z.string().describe('A member that was read, as host and port.'),
            seconds: z.number().nonnegative().describe('How far it was behind the primary, at most.'),
          }),
        )
        .describe('Members that were read and 20 s or more behind the primary.'),
    })
    .optional()
    .describe('Which members were lost, and which lag; absent if there is neither.'),
});

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
