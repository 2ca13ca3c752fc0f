import { dirname, relative, resolve } from 'node:path';
import { errorName } from '../connect/server-error.js';
import { traceOf } from '../connect/shown-error.js';
import { fileFault, FileFault } from '../file-fault.js';
import { LintError } from '../lint-error.js';
import { RENDER_DEFAULTS, type RenderOptions } from '../report/report-options.js';
import type { TargetReport } from '../report/target-reports.js';
import { exitCodeOf, FleetTally } from './fleet-tally.js';
import { columnsOf, hasColor, type Io } from './io.js';
import { outputFault, writeReportFile, writeReportPieces } from './report-file.js';
import { isForEach, TARGET_PLACEHOLDER, type Drawing, type RenderedOutput } from './report-outputs.js';

/** Stdout if `file` is null. */
interface Destination {
  readonly file: string | null;
  readonly reports: readonly TargetReport[];
}

/**
 * Writes every report. One that cannot be rendered or written does not keep the others back. With several targets, each
 * report goes to a file of its own if the name has {@link TARGET_PLACEHOLDER}, or else they share one.
 *
 * @returns one line for each report that could not be written
 */
export async function writeReports(
  targets: readonly TargetReport[],
  outputs: readonly RenderedOutput[],
  io: Io,
  drawing: Drawing,
): Promise<string[]> {
  const failures: string[] = [];
  for (const [of, output] of outputs.entries()) {
    io.note?.({ kind: 'writing', of });
    const pageOf = pagesFrom(output, outputs, io);
    for (const destination of destinationsOf(output, targets)) {
      if (!hasText(output, destination, drawing)) continue;
      const failure = await writeReport(output, destination, io, { ...drawing, pageOf });
      if (failure === null) continue;
      const where = destination.file ?? 'stdout';
      failures.push(`The ${output.format.name} report could not be written to ${where}: ${failure}`);
    }
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

function destinationsOf({ file }: RenderedOutput, targets: readonly TargetReport[]): Destination[] {
  if (file === null || !isForEach({ file })) return [{ file, reports: targets }];
  return targets.map((target) => ({ file: file.replaceAll(TARGET_PLACEHOLDER, target.alias), reports: [target] }));
}

function hasText({ format }: RenderedOutput, { reports }: Destination, { part }: Drawing): boolean {
  if (part !== undefined && format.tellsPart === true) return true;
  if (reports.some(({ report }) => report !== null) || isFleet(format, reports)) return true;
  return reports.length === 1 && reports[0]?.failed !== undefined && format.renderFailure !== undefined;
}

/** True if the text is one page for all of them, so that it has one even if none could be linted. */
function isFleet({ renderTargets, renderFleet }: RenderedOutput['format'], reports: readonly TargetReport[]): boolean {
  return reports.length > 1 && renderTargets === undefined && renderFleet !== undefined;
}

/** Why it could not be written, or null. */
async function writeReport(
  output: RenderedOutput,
  { file, reports }: Destination,
  io: Io,
  drawing: Drawing,
): Promise<string | null> {
  const { format } = output;
  let text: unknown;
  try {
    text = await rendered(output, reports, drawingOn(file, io, drawing));
    if (typeof text !== 'string') throw new TypeError(`${format.name} returned ${typeof text} in place of text.`);
  } catch (error) {
    if (drawing.verbose && error instanceof Error) io.stderr.write(`${traceOf(error)}\n`);
    return `${errorName(error)}, a bug in ${ownerOf(format.name)}.`;
  }
  try {
    if (file === null) io.stdout.write(text);
    else await writeReportFile(resolve(io.cwd(), file), text);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

/** Writes a text that comes in pieces, and need not fit into memory. Returns a line if that failed. */
export async function writePieces(
  { format, file }: RenderedOutput,
  pieces: AsyncIterable<string>,
  io: Io,
  { verbose }: Pick<Drawing, 'verbose'>,
): Promise<string | null> {
  try {
    if (file !== null) await writeReportPieces(resolve(io.cwd(), file), pieces);
    else for await (const piece of pieces) io.stdout.write(piece);
    return null;
  } catch (error) {
    // What is wrong with a saved report is no fault of this output.
    if (error instanceof LintError) throw error;
    if (verbose && error instanceof Error) io.stderr.write(`${traceOf(error)}\n`);
    return `The ${format.name} report could not be written to ${file ?? 'stdout'}: ${reasonOf(error)}`;
  }
}

async function rendered(
  { format }: RenderedOutput,
  targets: readonly TargetReport[],
  options: RenderOptions & Pick<Drawing, 'strict'>,
): Promise<unknown> {
  const namesPart = options.part !== undefined && format.tellsPart === true;
  if ((targets.length > 1 || namesPart) && format.renderTargets !== undefined)
    return format.renderTargets(targets, options);
  if (isFleet(format, targets)) {
    const tally = new FleetTally();
    for (const target of targets)
      tally.add(target, exitCodeOf(target, { ...options, strict: options.strict === true }));
    const texts: string[] = [];
    for await (const text of format.renderFleet?.(tally.overview([]), () => each(targets), options) ?? [])
      texts.push(text);
    return texts.join('');
  }
  const [{ report = null, failed } = {}] = targets;
  if (report !== null) return format.render(report, options);
  return failed === undefined ? '' : (format.renderFailure?.(failed) ?? '');
}

async function* each<Item>(items: readonly Item[]): AsyncIterable<Item> {
  yield* items;
}

/** @param file null for stdout */
export function drawingOn<D extends Drawing>(file: string | null, io: Io, drawing: D): D & RenderOptions {
  return file === null
    ? { ...drawing, width: columnsOf(io), color: drawing.color ?? hasColor(io.stdout, io.env) }
    : { ...RENDER_DEFAULTS, ...drawing, color: false };
}

function ownerOf(format: string): string {
  const [plugin, name] = format.split('/');
  return name === undefined ? 'mongolint' : `the plugin ${plugin}`;
}

/** Not the message: it may quote the report, which may hold secrets. */
function reasonOf(error: unknown): string {
  const isKnown = error instanceof FileFault || (error as NodeJS.ErrnoException).syscall !== undefined;
  return isKnown ? `${fileFault(error)}.` : `${errorName(error)}, a bug in mongolint.`;
}

/** Links from a page to those of single targets that are written beside it. */
export function pagesFrom(
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
