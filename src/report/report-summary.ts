import { z } from 'zod';
import { count } from './published-schema.js';

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
