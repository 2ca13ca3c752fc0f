import { InvalidArgumentError } from 'commander';
import { LintError } from '../lint-error.js';
import type { Report } from '../report/report.js';
import type { TargetReport } from '../report/target-reports.js';
import { columnsOf, hasColor, type Io } from './io.js';
import { writeReportFile } from './report-file.js';

/** How reports are drawn. */
export interface RenderOptions {
  readonly width: number;
  readonly color: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** File of the repository that reports for a code host point to. */
  readonly anchor?: string;
  /** Reports that stand in one text. */
  readonly sharedBy?: number;
}

type Renderer = (report: Report, options: RenderOptions) => string;

/** Each format is loaded only where it is asked for. */
const FORMATS: Readonly<Record<string, () => Promise<Renderer>>> = {
  table: async () => (await import('../report/table.js')).renderTable,
  json: async () => (await import('../report/json.js')).renderJson,
  markdown: async () => (await import('../report/markdown.js')).renderMarkdown,
  html: async () => (await import('../report/html/page.js')).renderHtml,
  sarif: async () => (await import('../report/sarif.js')).renderSarif,
  junit: async () => (await import('../report/junit.js')).renderJunit,
  github: async () => (await import('../report/github.js')).renderGithub,
  gitlab: async () => (await import('../report/gitlab.js')).renderGitlab,
  prometheus: async () => (await import('../report/prometheus.js')).renderPrometheus,
};

/** The names that `--format` takes. */
export const FORMAT_NAMES = Object.keys(FORMATS);

/** One `--format FORMAT[=FILE]`; without a file the report goes to stdout. */
export interface ReportOutput {
  readonly format: string;
  readonly file: string | null;
}

/** Width of a table that is written to a file. */
const FILE_WIDTH = 120;

/** Reads one value of `--format` and adds it to those before. */
export function parseFormat(value: string, before: readonly ReportOutput[] = []): ReportOutput[] {
  const separator = value.indexOf('=');
  const format = separator === -1 ? value : value.slice(0, separator);
  const file = separator === -1 ? null : value.slice(separator + 1);
  if (!Object.hasOwn(FORMATS, format)) {
    throw new InvalidArgumentError(`Formats are ${FORMAT_NAMES.join(', ')}, each with an optional =FILE.`);
  }
  if (file === '') throw new InvalidArgumentError(`Name a file after "${format}=", or leave out the "=".`);
  if (file === null && before.some((output) => output.file === null)) {
    throw new InvalidArgumentError('Only one report can go to stdout; send the others to files with FORMAT=FILE.');
  }
  return [...before, { format, file }];
}

/** Stands for a target's alias in the name of a report's file. */
export const TARGET_PLACEHOLDER = '{target}';

/** Formats of which the reports of several targets can stand in one text. */
const JOINABLE = new Set(['table', 'json', 'markdown', 'github']);

/**
 * Makes sure that the reports of several targets do not get in each other's way.
 *
 * @throws LintError for an output that can hold no more than one report
 */
export function assertRoomForTargets(outputs: readonly ReportOutput[], targets: number): void {
  const crowded = outputs.find(
    ({ format, file }) => !JOINABLE.has(format) && file?.includes(TARGET_PLACEHOLDER) !== true,
  );
  if (targets < 2 || crowded === undefined) return;
  throw new LintError(
    `With several targets, ${crowded.format} needs a file for each: name it with ${TARGET_PLACEHOLDER}, ` +
      `as in ${crowded.format}=report.${TARGET_PLACEHOLDER}.txt.`,
  );
}

/**
 * Writes every report; one that cannot be written does not keep the others back. Of several targets, each report goes to a
 * file of its own where the name has {@link TARGET_PLACEHOLDER}; else they stand one after the other, or, as JSON, in one
 * document.
 *
 * @param targets of each target its report, or null where it could not be linted
 * @returns one line for each report that could not be written
 */
export async function writeReports(
  targets: readonly TargetReport[],
  outputs: readonly ReportOutput[],
  io: Io,
  drawing: Pick<RenderOptions, 'quiet' | 'verbose' | 'anchor'>,
): Promise<string[]> {
  const failures: string[] = [];
  for (const output of outputs) {
    for (const { file, reports } of filesOf(output, targets)) {
      try {
        const text = await rendered(output.format, reports, drawingOn(file, io, drawing));
        if (file === null) io.stdout.write(text);
        else await writeReportFile(file, text);
      } catch (error) {
        failures.push(`The ${output.format} report could not be written to ${file ?? 'stdout'}: ${reasonOf(error)}`);
      }
    }
  }
  return failures;
}

function filesOf(
  { file }: ReportOutput,
  targets: readonly TargetReport[],
): { file: string | null; reports: readonly TargetReport[] }[] {
  if (file?.includes(TARGET_PLACEHOLDER) !== true) return [{ file, reports: targets }];
  return targets
    .filter(({ report }) => report !== null)
    .map((target) => ({ file: file.replaceAll(TARGET_PLACEHOLDER, target.alias), reports: [target] }));
}

async function rendered(format: string, targets: readonly TargetReport[], options: RenderOptions): Promise<string> {
  if (format === 'json' && targets.length > 1)
    return (await import('../report/target-reports.js')).renderTargetReports(targets);
  const render = await (FORMATS[format] as (typeof FORMATS)[string])();
  const reports = targets.flatMap(({ report }) => report ?? []);
  return reports.map((report) => render(report, { ...options, sharedBy: reports.length })).join('\n');
}

function drawingOn(
  file: string | null,
  io: Io,
  drawing: Pick<RenderOptions, 'quiet' | 'verbose' | 'anchor'>,
): RenderOptions {
  return file === null
    ? { ...drawing, width: columnsOf(io), color: hasColor(io.stdout, io.env) }
    : { ...drawing, width: FILE_WIDTH, color: false };
}

/** The system's reason; of a defect, no more than its name, since a report holds what is not to be printed. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && 'syscall' in error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'its folder does not exist.' : error.message;
  }
  return `${error instanceof Error ? error.name : typeof error}, which is a defect of mongolint`;
}
