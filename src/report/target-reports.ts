import { z } from 'zod';
import { terminalJson } from '../text/terminal-text.js';
import { type FleetOverview, fleetOverviewSchema } from './fleet/fleet-overview.js';
import { validReport } from './printable-report.js';
import { publishedJsonSchema, REPORT_SCHEMA_VERSION } from './published-schema.js';
import { reportSchema, type Report } from './report.js';
import type { RunPart } from './run-part.js';

const targetSchema = z.strictObject({
  alias: z.string().describe('Name of the target in the configuration.'),
  report: reportSchema.nullable().describe('Its report; null if it could not be linted, which is no pass.'),
  failure: z.string().optional().describe('Why it could not be linted, in a line; only if there is no report.'),
});

/** The JSON of a run with several targets: a report for each, in the order of the configuration. */
export const targetReportsSchema = z
  .strictObject({
    schemaVersion: z.literal(REPORT_SCHEMA_VERSION).describe('Version of this contract, and of the reports in it.'),
    part: z
      .strictObject({
        number: z.int().positive().describe('Which part, from 1.'),
        of: z.int().positive().describe('How many parts there are.'),
      })
      .optional()
      .describe('Which part of the targets these are, if --shard shares them out. A part may be empty.'),
    overview: fleetOverviewSchema
      .optional()
      .describe('What there is to say of all targets at once; present if `mongolint report --merge` wrote it.'),
    targets: z.array(targetSchema),
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

/** The reports of a fleet, one at a time: all of them need not fit into memory. */
export type FleetReports = () => AsyncIterable<TargetReport>;

/** A target that could not be linted, so that it has no report. */
export interface FailedTarget {
  /** Its alias; absent if the configuration lists no targets. */
  readonly target?: string;
  /** Why, in a line without secrets. */
  readonly message: string;
  readonly at: Date;
}

/** The reports of several targets as one JSON document, written like a single report. */
export function renderTargetReports(targets: readonly TargetReport[], part?: RunPart): string {
  const document: z.input<typeof targetReportsSchema> = {
    schemaVersion: REPORT_SCHEMA_VERSION,
    ...(part !== undefined && { part: { number: part.number, of: part.of } }),
    targets: targets.map(writtenTarget),
  };
  return `${terminalJson(JSON.stringify(document, null, 2))}\n`;
}

/** A target's report as it stands in the document. */
function writtenTarget({
  alias,
  report,
  failed,
}: TargetReport): z.input<typeof targetReportsSchema>['targets'][number] {
  if (report !== null) return { alias, report: validReport(report) };
  return { alias, report, ...(failed !== undefined && { failure: failed.message }) };
}

export function targetReportsJsonSchema(): z.core.JSONSchema.JSONSchema {
  return publishedJsonSchema(targetReportsSchema);
}

const INDENT = '    ';

/** The document of several targets as `JSON.stringify` writes it, with an indentation of two. */
export async function* documentPieces(overview: FleetOverview, reports: FleetReports): AsyncIterable<string> {
  const shown = JSON.stringify(fleetOverviewSchema.parse(overview), null, 2).replaceAll('\n', '\n  ');
  yield terminalJson(`{\n  "schemaVersion": ${REPORT_SCHEMA_VERSION},\n  "overview": ${shown},\n  "targets": [`);
  let isFirst = true;
  for await (const target of reports()) {
    const text = JSON.stringify(writtenTarget(target), null, 2).replaceAll('\n', `\n${INDENT}`);
    yield `${isFirst ? '' : ','}\n${INDENT}${terminalJson(text)}`;
    isFirst = false;
  }
  yield isFirst ? ']\n}\n' : '\n  ]\n}\n';
}
