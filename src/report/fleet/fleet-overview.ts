import { z } from 'zod';
import { SEVERITIES } from '../../finding/severity.js';
import { count } from '../published-schema.js';

const bySeverity = z
  .strictObject({ error: count(), warning: count(), info: count() })
  .describe('Findings by severity; suppressed ones do not count.');

const clusterSchema = z.strictObject({
  alias: z.string().describe('Name of the target.'),
  exitCode: z.int().describe('What a run on this target alone exits with, by the settings of the merge.'),
  server: z
    .string()
    .nullable()
    .describe('What it is, such as "replica set rs0, MongoDB 6.0.5"; null without a report.'),
  collections: count().describe('Collections that were looked at.'),
  findings: bySeverity,
  suppressed: count().describe('Findings that are suppressed.'),
  notJudged: count().describe('Entries in `skipped`: what could not be judged.'),
  failure: z.string().nullable().describe('Why it is no pass whatever was found; null if it was linted to the end.'),
  worst: z
    .strictObject({
      check: z.string(),
      severity: z.enum(SEVERITIES),
      namespace: z.string(),
      path: z.string().nullable(),
      message: z.string(),
    })
    .nullable()
    .describe('Its worst finding; null if none counts.'),
});

/** What there is to say of many targets at once. */
export const fleetOverviewSchema = z.strictObject({
  clusters: z.array(clusterSchema).describe('Every target, the worst first: those without a report, then by findings.'),
  checks: z
    .array(
      z.strictObject({
        check: z.string().describe('Id of the check.'),
        title: z.string().describe('The anti-pattern as a headline.'),
        targets: count().describe('Targets in which it found something that counts.'),
        findings: count().describe('Its findings in all of them.'),
        severity: z.enum(SEVERITIES).describe('The worst of them.'),
      }),
    )
    .describe('What was found by check, first what is common to most targets.'),
  alike: z
    .array(
      z.strictObject({
        check: z.string().describe('Id of the check.'),
        namespace: z.string().describe('database.collection'),
        path: z.string().nullable().describe('Dotted path; null for the whole.'),
        severity: z.enum(SEVERITIES).describe('The worst severity in any of them.'),
        targets: count().describe('Targets that have it.'),
      }),
    )
    .describe('Findings that several targets have in one place, first what most of them have: one fix may do for all.'),
  alikeIsPartial: z
    .literal(true)
    .optional()
    .describe('Present if there were too many places to compare: some that several targets have may be missing.'),
  owners: z
    .array(
      z.strictObject({
        owner: z.string().nullable().describe('Null for findings that nobody answers for.'),
        targets: count().describe('Targets in which findings are theirs.'),
        findings: count().describe('Their findings.'),
      }),
    )
    .optional()
    .describe('Who answers for how much, the most first. Absent if findings have no owners.'),
  missing: z
    .array(z.string())
    .describe('What the overview lacks, a sentence each: parts, or targets of the configuration, without a report.'),
});

export type FleetOverview = z.infer<typeof fleetOverviewSchema>;
export type FleetCluster = FleetOverview['clusters'][number];
