import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import type { Report } from '../report/report.js';
import { columnsOf, hasColor, type Io } from './io.js';

/** How reports are drawn. */
export interface RenderOptions {
  readonly width: number;
  readonly color: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** File of the repository that reports for a code host point to. */
  readonly anchor?: string;
}

type Renderer = (report: Report, options: RenderOptions) => string;

/** Each format is loaded only where it is asked for. */
const FORMATS: Readonly<Record<string, () => Promise<Renderer>>> = {
  table: async () => (await import('../report/table.js')).renderTable,
  json: async () => (await import('../report/json.js')).renderJson,
  markdown: async () => (await import('../report/markdown.js')).renderMarkdown,
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

/**
 * Writes every report; one that cannot be written does not keep the others back.
 *
 * @returns one line for each report that could not be written
 */
export async function writeReports(
  report: Report,
  outputs: readonly ReportOutput[],
  io: Io,
  { quiet, verbose }: Pick<RenderOptions, 'quiet' | 'verbose'>,
): Promise<string[]> {
  const failures: string[] = [];
  for (const { format, file } of outputs) {
    const toTerminal = file === null;
    const options = {
      width: toTerminal ? columnsOf(io) : FILE_WIDTH,
      color: toTerminal && hasColor(io.stdout, io.env),
      quiet,
      verbose,
    };
    try {
      const render = await (FORMATS[format] as (typeof FORMATS)[string])();
      const text = render(report, options);
      if (toTerminal) io.stdout.write(text);
      else await writeFile(file, text);
    } catch (error) {
      failures.push(`The ${format} report could not be written to ${file ?? 'stdout'}: ${(error as Error).message}`);
    }
  }
  return failures;
}
