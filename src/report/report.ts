import { z } from 'zod';
import { ENGINES } from '../connect/engine.js';
import { driftSchema } from '../drift/drift.js';
import { findingSchema, fixedFindingSchema } from '../finding.js';
import { lookUpSchema } from '../finding/look-for.js';
import { excusedSchema, skippedSchema } from '../finding/skipped.js';
import { nightSchema } from '../growth/night.js';
import { codeSchema } from './code-coverage.js';
import { count, growing, publishedJsonSchema, REPORT_SCHEMA_VERSION } from './published-schema.js';
import { noticeSchema } from './report-notice.js';
import { reportedCollectionSchema } from './reported-collection.js';
import { summarySchema, workloadShape } from './reported-workload.js';

const CLUSTER_TIERS = ['self-managed', 'atlas', 'atlas-free-or-flex'] as const;

/** The cluster that a report is about. */
const clusterSchema = z.strictObject({
  topology: z.enum(['standalone', 'replicaSet', 'sharded']).describe('How the cluster is built.'),
  version: z
    .string()
    .describe('The server\'s version, such as "6.0.5"; of another engine, the version of MongoDB that it resembles.'),
  tested: z
    .strictObject({
      oldest: z.string().describe('The oldest version that the tests of mongolint have run on.'),
      newest: z.string().describe('The newest one.'),
    })
    .optional()
    .describe('Present if the server is older or newer than any that mongolint was tested on.'),
  engine: z
    .strictObject({
      name: z
        .enum(ENGINES)
        .meta({ examples: [...ENGINES] })
        .describe('Who answered: MongoDB, or another engine that speaks its protocol; "unknown" if it is neither.'),
      version: z.string().nullable().describe('The version of another engine, such as "v1.24.2"; null if unknown.'),
      notJudgeable: z
        .array(z.string())
        .describe('Ids of the checks that could judge nothing, because the server does not support what they need.'),
    })
    .optional()
    .describe('The engine behind the protocol, and what of it could not be judged.'),
  name: z.string().nullable().describe('Name of the replica set; null for others. Hosts are never reported.'),
  tier: z
    .enum(CLUSTER_TIERS)
    .meta({ examples: [...CLUSTER_TIERS] })
    .nullable()
    .describe('Hosting of the cluster; null if that cannot be seen.'),
  readFrom: z
    .enum(['secondary', 'primary'])
    .nullable()
    .describe(
      'Kind of node that the documents were read from; a standalone counts as primary, on a sharded cluster it holds for each shard; null if it was not the same for all reads.',
    ),
});

const toolSchema = z.strictObject({
  name: z.string().describe('"mongolint".'),
  version: z.string().describe('Version of the package.'),
});

const checkSchema = z.strictObject({
  check: z.string().describe('Id of the check.'),
  title: z.string().describe('The anti-pattern as a headline.'),
  judged: count().describe(
    'Collections that it judged; a check of the whole cluster counts as 1. 0 if there was nothing to judge, or if it could not judge: `skipped` says which.',
  ),
});

const FAILURE_REASONS = [
  'nothing-judged',
  'documents-missing',
  'rights-lost',
  'connection',
  'interrupted',
  'server-load',
  'max-time',
  'part-missing',
  'fault',
] as const;

const failureSchema = z.strictObject({
  reason: growing(FAILURE_REASONS, 'Why, in a word.'),
  detail: z.string().describe('Why, in a sentence, and what would help.'),
});

const partSchema = z.strictObject({
  number: z.int().positive().describe('Which part, from 1.'),
  of: z.int().positive().describe('How many parts there are.'),
  clusterChecks: z
    .array(z.string())
    .describe('Ids of the enabled checks of the whole cluster: the first part judges them, on all collections.'),
});

const leftOutSchema = z.strictObject({
  owners: z.array(z.string()).describe('Whose findings the report is about, as given by --owner.'),
  findings: count().describe('Findings of other owners; suppressed ones count.'),
  checks: z.array(z.string()).describe('Ids of the checks that found them.'),
  collections: count().describe('Collections of other owners.'),
});

/**
 * The report as JSON, and what every other format is made of. Strict: this version writes these keys only. Sizes
 * are in bytes, shares from 0 to 1, times in UTC.
 */
export const reportSchema = z
  .strictObject({
    schemaVersion: z.literal(REPORT_SCHEMA_VERSION).describe('Version of this contract. Within it, changes only add.'),
    tool: toolSchema.describe('What wrote the report.'),
    target: z
      .string()
      .optional()
      .describe('Alias of the target that was linted; absent if the configuration lists no targets.'),
    part: partSchema
      .optional()
      .describe('Present if --shard shares the collections of the target out: which of them the report is about.'),
    startedAt: z.iso.datetime().describe('When the run began, in UTC.'),
    finishedAt: z.iso.datetime().describe('When the last collection was judged, in UTC.'),
    cluster: clusterSchema.describe('The cluster that was linted.'),
    production: z
      .strictObject({
        collectedAt: z.iso.datetime().describe('When it was collected.'),
        version: z.string().describe("Version of production's server."),
        collections: count().describe('Collections of the report that production has, too.'),
      })
      .optional()
      .describe('Evidence of production, at whose sizes it was judged. Absent if it was judged by itself.'),
    failures: z
      .array(failureSchema)
      .optional()
      .describe(
        'Why the run is no pass, whatever it found: it did not come to its end, or nothing could be judged. Empty if it was linted.',
      ),
    cautions: z
      .array(z.string())
      .optional()
      .describe(
        'What to know first of a run that came to its end: rights that half or more of the collections lack, releases that an upgrade passes. Absent if there is nothing.',
      ),
    summary: summarySchema.describe('Totals of the run.'),
    checks: z
      .array(checkSchema)
      .optional()
      .describe(
        'The enabled checks. One without findings and without entries in `skipped` is a clean bill for what it judged.',
      ),
    findings: z.array(findingSchema).describe('What was found, suppressed findings included.'),
    fixed: z
      .array(fixedFindingSchema)
      .optional()
      .describe('Findings of the baseline that this run would have shown, and did not. Absent without a baseline.'),
    gone: z
      .array(fixedFindingSchema)
      .optional()
      .describe('Findings of the baseline whose collection no longer exists. Absent without a baseline.'),
    notSeen: z
      .array(fixedFindingSchema)
      .optional()
      .describe(
        'Findings of the baseline that this run did not show, and might have missed: its sample is another one, or its record of operations shorter. Absent without a baseline.',
      ),
    stillThere: z
      .array(fixedFindingSchema)
      .optional()
      .describe(
        'Findings of the baseline that the sample of this run missed, and a direct search found. Absent if there are none.',
      ),
    notices: z
      .array(noticeSchema)
      .optional()
      .describe(
        'What to fix: suppressions and acceptances that end or have ended, and what of the configuration matches nothing.',
      ),
    leftOut: leftOutSchema
      .optional()
      .describe('What --owner left out of the report: it belongs to others. Absent without that option.'),
    code: codeSchema.optional().describe('How much of the source is understood. Absent without --code.'),
    skipped: z.array(skippedSchema).describe('What was enabled and could not be judged. It is not known to be clean.'),
    letPass: z
      .array(excusedSchema)
      .optional()
      .describe(
        'What is over a line of the literature, and excused by what the data show. Absent if there is nothing.',
      ),
    ...workloadShape,
    recorded: z
      .array(
        z.strictObject({
          source: z.string().describe('Source of operations, such as "profiler", as in the evidence of findings.'),
          database: z.string().optional().describe('Absent for a source that records all databases.'),
          from: z.iso.datetime().describe('Time of the oldest operation that was read.'),
          to: z.iso.datetime().describe('Time of the newest.'),
          since: z
            .string()
            .optional()
            .describe('Operations recorded before were left out by --since; absent if all count.'),
          slowerThanMs: z
            .number()
            .optional()
            .describe('Present if only operations that take longer were recorded: than these milliseconds.'),
        }),
      )
      .optional()
      .describe('The time over which operations were recorded. Absent if none were.'),
    lookUps: z
      .array(lookUpSchema)
      .optional()
      .describe('Searches for findings of the baseline that the samples do not show. Absent if none were needed.'),
    drift: driftSchema
      .optional()
      .describe('What differs from the last run, if a history is kept, or between the evidence of two runs.'),
    siblingDrift: driftSchema.optional().describe('What differs from the sibling of the target, if it has one.'),
    nights: z
      .array(nightSchema)
      .optional()
      .describe('What earlier runs with the same history came to, in order of time, and this one. Absent without any.'),
    collections: z.array(reportedCollectionSchema).describe('What was looked at, and how closely.'),
  })
  .meta({
    title: 'mongolint report',
    description: 'What mongolint found in a MongoDB cluster, and what it could not judge.',
  });

/** A finished run. */
export type Report = z.infer<typeof reportSchema>;
export type ReportedCluster = Report['cluster'];

/** The published JSON Schema of the report. */
export function reportJsonSchema(): z.core.JSONSchema.JSONSchema {
  return publishedJsonSchema(reportSchema);
}
