import { z } from 'zod';
import { writtenReport } from './grouped-skipped.js';
import { publishedJsonSchema } from './published-schema.js';
import { reportSchema, type Report } from './report.js';
import { REPORT_SCHEMA_VERSION } from './schema-version.js';
import { terminalJson } from '../terminal-text.js';

/** The JSON of a run with several targets: a report for each, in the order of the configuration. */
export const targetReportsSchema = z
  .strictObject({
    schemaVersion: z.literal(REPORT_SCHEMA_VERSION).describe('Version of this contract, and of the reports in it.'),
    targets: z.array(
      z.strictObject({
        alias: z.string().describe('Name of the target in the configuration.'),
        report: reportSchema.nullable().describe('Its report; null if it could not be linted, which is no pass.'),
      }),
    ),
  })
  .meta({
    title: 'mongolint reports of several targets',
    description: 'What --format json writes where the configuration lists several targets and FILE has no {target}.',
  });

export interface TargetReport {
  readonly alias: string;
  readonly report: Report | null;
  /** Why there is no report. */
  readonly failed?: FailedTarget;
}

/** A target that could not be linted, so that it has no report. */
export interface FailedTarget {
  /** Its alias; absent if the configuration lists no targets. */
  readonly target?: string;
  /** Why, in a line without secrets. */
  readonly message: string;
  readonly at: Date;
}

/** The reports of several targets as one JSON document, written like a single report. */
export function renderTargetReports(targets: readonly TargetReport[]): string {
  const document = targetReportsSchema.parse({ schemaVersion: REPORT_SCHEMA_VERSION, targets: targets.map(written) });
  return `${terminalJson(JSON.stringify(document, null, 2))}\n`;
}

function written({ alias, report }: TargetReport): TargetReport {
  return { alias, report: report === null ? null : writtenReport(report) };
}

export function targetReportsJsonSchema(): z.core.JSONSchema.JSONSchema {
  return publishedJsonSchema(targetReportsSchema);
}
