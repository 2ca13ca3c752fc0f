import { InvalidArgumentError } from 'commander';
import { LintError } from '../lint-error.js';
import { RENDER_DEFAULTS, REPORT_FORMATS, type RenderOptions, type ReportFormat } from '../report/formats.js';
import type { TargetReport } from '../report/target-reports.js';
import { columnsOf, hasColor, type Io } from './io.js';
import { writeReportFile } from './report-file.js';

/** The names that `--format` takes. */
export const FORMAT_NAMES = REPORT_FORMATS.map(({ name }) => name);

/** One `--format FORMAT[=FILE]`; without a file the report goes to stdout. */
export interface ReportOutput {
  readonly format: string;
  readonly file: string | null;
}

/** Reads one value of `--format` and adds it to those before. */
export function parseFormat(value: string, before: readonly ReportOutput[] = []): ReportOutput[] {
  const separator = value.indexOf('=');
  const format = separator === -1 ? value : value.slice(0, separator);
  const file = separator === -1 ? null : value.slice(separator + 1);
  if (!FORMAT_NAMES.includes(format)) {
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

/**
 * Makes sure that the reports of several targets do not get in each other's way.
 *
 * @throws LintError for an output that can hold no more than one report
 */
export function assertRoomForTargets(outputs: readonly ReportOutput[], targets: number): void {
  const crowded = outputs.find(
    ({ format, file }) =>
      formatNamed(format).renderTargets === undefined && file?.includes(TARGET_PLACEHOLDER) !== true,
  );
  if (targets < 2 || crowded === undefined) return;
  const { name, extension } = formatNamed(crowded.format);
  throw new LintError(
    `With several targets, ${name} needs a file for each: name it with ${TARGET_PLACEHOLDER}, ` +
      `as in ${name}=report.${TARGET_PLACEHOLDER}.${extension}.`,
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

async function rendered(name: string, targets: readonly TargetReport[], options: RenderOptions): Promise<string> {
  const format = formatNamed(name);
  if (targets.length > 1 && format.renderTargets !== undefined) return format.renderTargets(targets, options);
  const [{ report = null } = {}] = targets;
  return report === null ? '' : format.render(report, options);
}

function formatNamed(name: string): ReportFormat {
  return REPORT_FORMATS.find((format) => format.name === name) as ReportFormat;
}

function drawingOn(
  file: string | null,
  io: Io,
  drawing: Pick<RenderOptions, 'quiet' | 'verbose' | 'anchor'>,
): RenderOptions {
  return file === null
    ? { ...drawing, width: columnsOf(io), color: hasColor(io.stdout, io.env) }
    : { ...RENDER_DEFAULTS, ...drawing };
}

/** The system's reason; of a defect, no more than its name, since a report holds what is not to be printed. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && 'syscall' in error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'its folder does not exist.' : error.message;
  }
  return `${error instanceof Error ? error.name : typeof error}, which is a defect of mongolint`;
}
