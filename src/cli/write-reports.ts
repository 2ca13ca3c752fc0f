import { dirname, relative, resolve } from 'node:path';
import { errorName } from '../connect/server-error.js';
import { traceOf } from '../connect/shown-error.js';
import { fileFault, FileFault } from '../files/file-fault.js';
import { LintError } from '../lint-error.js';
import type { ExitPolicy } from '../policy/exit-code.js';
import type { FleetOverview } from '../report/fleet/fleet-overview.js';
import type { ReportFormat } from '../report/formats.js';
import { RENDER_DEFAULTS, type RenderOptions } from '../report/report-options.js';
import type { TargetReport } from '../report/target-reports.js';
import { FleetTally } from './fleet-tally.js';
import { columnsOf, hasColor, type Io } from './io.js';
import { outputFault, writeReportFile } from './report-file.js';
import { isForEach, TARGET_PLACEHOLDER, type Drawing, type RenderedOutput } from './report-outputs.js';

/** The reports of a run, and what there is to say of all of them. */
export interface ReportsOfRun {
  /** One after the other, whenever they are asked for. */
  each(): AsyncIterable<TargetReport>;
  /** Null if they need not fit into memory together: a text about all of them is then an overview. */
  readonly all: readonly TargetReport[] | null;
  overview(): FleetOverview;
}

/** The reports of targets that are in memory. @param policy decides the exit code of each in the overview */
export function reportsOf(targets: readonly TargetReport[], policy: ExitPolicy): ReportsOfRun {
  return {
    async *each() {
      yield* targets;
    },
    all: targets,
    overview() {
      const tally = new FleetTally(policy);
      for (const target of targets) tally.add(target);
      return tally.overview([]);
    },
  };
}

/**
 * Writes every report. One that cannot be rendered or written does not keep the others back. With several targets, each
 * report goes to a file of its own if the name has {@link TARGET_PLACEHOLDER}, or else they share one.
 *
 * @returns one line for each report that could not be written
 */
export async function writeReports(
  reports: ReportsOfRun,
  outputs: readonly RenderedOutput[],
  io: Io,
  drawing: Drawing,
): Promise<string[]> {
  const failures: string[] = [];
  for (const [of, output] of outputs.entries()) {
    io.note?.({ kind: 'writing', of });
    const { format, file } = output;
    const write = async (name: string | null, own: ReportsOfRun) => {
      const options = drawingOn(name, io, { ...drawing, pageOf: pagesFrom(output, outputs, io) });
      const pieces = piecesOf(format, own, options);
      const failure = pieces === null ? null : await writePieces(format.name, name, pieces, io, drawing);
      if (failure !== null) failures.push(failure);
    };
    if (file === null || !isForEach(output)) await write(file, reports);
    else
      for await (const target of reports.each())
        await write(file.replaceAll(TARGET_PLACEHOLDER, target.alias), { ...reports, all: [target] });
  }
  return failures;
}

/** @throws LintError for the first file that can't be written, as far as that is known now */
export async function assertWritable(
  outputs: readonly RenderedOutput[],
  aliases: readonly string[],
  io: Io,
): Promise<void> {
  for (const { format, file } of outputs) {
    for (const name of new Set(aliases.map((alias) => file?.replaceAll(TARGET_PLACEHOLDER, alias)))) {
      const fault = name === undefined ? null : await outputFault(resolve(io.cwd(), name));
      if (fault !== null) throw new LintError(`The ${format.name} report can't be written to ${name}: ${fault}.`);
    }
  }
}

/** The text about the reports, piece by piece; null if the format has none, so that its file stays as it is. */
function piecesOf(format: ReportFormat, reports: ReportsOfRun, options: RenderOptions): AsyncIterable<string> | null {
  const { all } = reports;
  const hasShared = format.renderTargets !== undefined;
  if (all === null || (all.length > 1 && !hasShared))
    return format.renderFleet?.(reports.overview(), () => reports.each(), options) ?? null;
  const isOfPart = options.part !== undefined && format.namesPart === true;
  const [{ report = null, failed } = {}] = all;
  const text = () => {
    if (hasShared && (all.length > 1 || isOfPart)) return format.renderTargets?.(all, options);
    return report === null ? failed && format.renderFailure?.(failed) : format.render(report, options);
  };
  const isEmpty = all.every((each) => each.report === null) && !isOfPart;
  return isEmpty && (all.length !== 1 || failed === undefined || format.renderFailure === undefined)
    ? null
    : textOf(format, text);
}

async function* textOf({ name }: ReportFormat, render: () => unknown): AsyncIterable<string> {
  let text: unknown;
  try {
    text = await render();
  } catch (error) {
    throw new RenderError(name, error);
  }
  if (typeof text !== 'string')
    throw new RenderError(name, new TypeError(`${name} returned ${typeof text} in place of text.`));
  yield text;
}

/** A format that threw. Not its message: it may quote the report, which may hold secrets. */
class RenderError extends Error {
  constructor(format: string, cause: unknown) {
    const [plugin, name] = format.split('/');
    super(`${errorName(cause)}, a bug in ${name === undefined ? 'mongolint' : `the plugin ${plugin}`}.`, { cause });
  }
}

/** Writes a text that need not fit into memory. Returns a line if that failed. */
async function writePieces(
  format: string,
  file: string | null,
  pieces: AsyncIterable<string>,
  io: Io,
  { verbose }: Pick<Drawing, 'verbose'>,
): Promise<string | null> {
  try {
    if (file !== null) await writeReportFile(resolve(io.cwd(), file), pieces);
    else for await (const piece of pieces) io.stdout.write(piece);
    return null;
  } catch (error) {
    // What is wrong with a saved report is no fault of this output.
    if (error instanceof LintError) throw error;
    const fault = error instanceof RenderError ? error.cause : error;
    if (verbose && fault instanceof Error) io.stderr.write(`${traceOf(fault)}\n`);
    return `The ${format} report could not be written to ${file ?? 'stdout'}: ${reasonOf(error)}`;
  }
}

/** @param file null for stdout */
function drawingOn(file: string | null, io: Io, drawing: Drawing): RenderOptions {
  return file === null
    ? { ...drawing, width: columnsOf(io), color: drawing.color ?? hasColor(io.stdout, io.env) }
    : { ...RENDER_DEFAULTS, ...drawing, color: false };
}

/** Not the message: it may quote the report, which may hold secrets. */
function reasonOf(error: unknown): string {
  if (error instanceof RenderError) return error.message;
  const isKnown = error instanceof FileFault || (error as NodeJS.ErrnoException).syscall !== undefined;
  return isKnown ? `${fileFault(error)}.` : `${errorName(error)}, a bug in mongolint.`;
}

/** Links from a page to those of single targets that are written beside it. */
function pagesFrom(
  { format, file }: RenderedOutput,
  outputs: readonly RenderedOutput[],
  io: Io,
): (alias: string) => string | null {
  const pages = outputs.find((output) => isForEach(output) && output.format.name === format.name)?.file;
  if (file === null || pages === undefined || pages === null) return () => null;
  const folder = dirname(resolve(io.cwd(), file));
  return (alias) => {
    const page = relative(folder, resolve(io.cwd(), pages.replaceAll(TARGET_PLACEHOLDER, alias)));
    return page.split(/[/\\]/).map(encodeURIComponent).join('/');
  };
}
