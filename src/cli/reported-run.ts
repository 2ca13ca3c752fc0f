import { stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { inWords } from '../format.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { conclusion } from '../report/conclusion.js';
import { PLAIN } from '../report/paint.js';
import { printableReport } from '../report/printable-report.js';
import type { Report } from '../report/report.js';
import type { RunPart } from '../report/run-part.js';
import type { Io } from './io.js';
import { isKept } from './report-file.js';
import {
  assertRoomForTargets,
  drawingOf,
  type Drawing,
  NO_ALIAS,
  type RenderedOutput,
  renderedOutputs,
} from './report-outputs.js';
import { sourceDrawing } from './run-options.js';
import type { ReportSettings } from './run-settings.js';
import { assertWritable, type ReportsOfRun, writeReports } from './write-reports.js';

/** What a run is about, before it reads anything. */
interface ReportedTargets {
  readonly aliases: readonly string[];
  /** Which part of the targets they are, if other runs lint the rest. */
  readonly part?: RunPart | undefined;
  /** True if their reports need not fit into memory together. */
  readonly isMerge?: true;
}

/** What a run has to report, and what follows. */
interface Reported {
  readonly reports: ReportsOfRun;
  /** The older report that it is compared with. */
  readonly before?: Report;
  /** What is done once the reports are written. @param unwritten lines on those that could not be */
  end(unwritten: readonly string[]): ExitCode | Promise<ExitCode>;
}

/**
 * The run of every command that reports: its outputs are checked, `make` reads and judges, the reports are drawn and written, and
 * the exit code comes last.
 * @throws LintError for an output that has no room or can't be written, before anything is read
 */
export async function reportedRun(
  settings: ReportSettings,
  { aliases, part, isMerge }: ReportedTargets,
  io: Io,
  make: (outputs: readonly RenderedOutput[], drawing: Drawing) => Promise<Reported>,
): Promise<ExitCode> {
  const { config, resolved } = settings;
  const options = resolved.values;
  const outputs = renderedOutputs(options.format, config.formats, resolved.origins.get('format') ?? 'default');
  if (aliases.length > 1 || isMerge) assertRoomForTargets(outputs, isMerge);
  await assertWritable(outputs, aliases, io);
  const drawing = {
    ...drawingOf(options),
    ...(part !== undefined && { part }),
    anchor: await anchorOf(settings, io),
    ...(await sourceDrawing(options, io.cwd())),
  };
  const { reports, before, end } = await make(outputs, drawing);
  const unwritten = await writeReports(reports, outputs, io, { ...drawing, ...(before !== undefined && { before }) });
  for (const line of unwritten) io.stderr.write(`${line}\n`);
  const exitCode = await end(unwritten);
  if (!options.quiet && (exitCode === EXIT_CODES.findings || exitCode === EXIT_CODES.notJudged))
    for (const line of await whyLines(reports, outputs, io)) io.stderr.write(`${line}\n`);
  return exitCode;
}

/** If all reports went to files, a build's log would not say why it failed. */
async function whyLines({ all }: ReportsOfRun, outputs: readonly RenderedOutput[], io: Io): Promise<string[]> {
  const files = outputs.flatMap(({ file }) => file ?? []);
  const areKept = await Promise.all(files.map((file) => isKept(resolve(io.cwd(), file)).catch(() => false)));
  if (files.length < outputs.length || areKept.includes(false)) return [];
  const conclusions = (all ?? []).flatMap(({ alias, report }) =>
    report === null ? [] : [`${alias === NO_ALIAS ? '' : `${alias}: `}${conclusion(printableReport(report), PLAIN)}`],
  );
  return [...conclusions, `See ${inWords(files)}.`];
}

/** If neither a configuration nor a baseline is in the repository, findings point to a file that most have. */
const LAST_RESORTS = ['README.md', 'README', 'package.json', 'Dockerfile'];

/**
 * The file in this folder that reports for a code host point to: the configuration, the baseline, or another one. Null if
 * there is none: a code host refuses or hides what points to a file that does not exist.
 */
async function anchorOf({ config, resolved }: ReportSettings, io: Io): Promise<string | null> {
  const { baseline } = resolved.values;
  const files = [config.file?.path, baseline, ...LAST_RESORTS].flatMap((file) => file ?? []);
  for (const file of files) {
    const name = relative(io.cwd(), resolve(io.cwd(), file)).replaceAll('\\', '/');
    if (name.startsWith('..')) continue;
    const isThere = await stat(resolve(io.cwd(), file)).then(
      (status) => status.isFile(),
      () => false,
    );
    if (isThere) return name;
  }
  return null;
}
