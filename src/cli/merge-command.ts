import type { Finding } from '../finding.js';
import { matchingFiles } from '../matching-files.js';
import { exitCode, EXIT_CODES, worstExitCode, type ExitCode } from '../policy/exit-code.js';
import type { FleetOverview } from '../report/fleet/fleet-overview.js';
import { terminalText } from '../terminal-text.js';
import { anchorOf } from './anchor.js';
import { exitCodeOf, FleetTally } from './fleet-tally.js';
import type { Io } from './io.js';
import { MergedReports } from './merged-reports.js';
import {
  assertRoomForTargets,
  type Drawing,
  drawingOf,
  isForEach,
  NO_ALIAS,
  type RenderedOutput,
  renderedOutputs,
} from './report-outputs.js';
import type { RunOptions } from './run-options.js';
import { ownerPolicy } from './run-owners.js';
import { loadedSettings, type LoadedSettings } from './run-settings.js';
import { assertWritable, drawingOn, pagesFrom, writePieces, writeReports } from './write-reports.js';

/**
 * Puts the reports of many targets together, and exits as one run on all of them would. Of the reports, only one file is held
 * at a time.
 * @throws LintError if a file can't be read, two reports are of one target, or a format can't hold several
 */
export async function mergeReports(globs: readonly string[], flags: Partial<RunOptions>, io: Io): Promise<ExitCode> {
  const settings = await loadedSettings(flags, io);
  const { config, resolved } = settings;
  const { format, owner } = resolved.values;
  const outputs = renderedOutputs(format, config.formats, resolved.origins.get('format') ?? 'default');
  assertRoomForTargets(outputs, true);
  const files = await matchingFiles(globs, io.cwd());
  // Owners may stand in the reports alone, which are not read for it beforehand.
  const named = config.owners.length === 0 ? owner : [];
  const reports = new MergedReports(files, ownerPolicy(settings, named), io);
  const { overview, aliases, exitCode: code } = await merged(reports, settings);
  await assertWritable(outputs, aliases.length === 0 ? [NO_ALIAS] : aliases, io);
  for (const sentence of overview.missing) io.stderr.write(`${terminalText(sentence)}\n`);
  const anchor = await anchorOf(settings, io);
  const drawing = { ...drawingOf(resolved.values), anchor };
  const unwritten = await writeFleet(overview, reports, outputs, io, drawing);
  for (const line of unwritten) io.stderr.write(`${line}\n`);
  return unwritten.length === 0 ? code : EXIT_CODES.fault;
}

/** Reads every report once, and keeps a summary of each. */
async function merged(reports: MergedReports, { config, resolved: { values } }: LoadedSettings) {
  const tally = new FleetTally();
  const codes: ExitCode[] = [];
  const warnings: Pick<Finding, 'severity'>[] = [];
  const aliases: string[] = [];
  for await (const target of reports.reports()) {
    const code = exitCodeOf(target, values);
    tally.add(target, code);
    codes.push(code);
    aliases.push(target.alias);
    const active = (target.report?.findings ?? []).filter(isCountedWarning);
    warnings.push(...active.map(({ severity }) => ({ severity })));
  }
  const missing = reports.missing(config);
  codes.push(exitCode({ findings: warnings, skipped: [], faults: missing }, { ...values, failOn: 'never' }));
  return { overview: tally.overview(missing), aliases, exitCode: worstExitCode(codes) };
}

function isCountedWarning({ severity, suppressed, baseline }: Finding): boolean {
  return severity === 'warning' && suppressed === undefined && baseline?.status !== 'known';
}

/** @returns one line for each report that could not be written */
async function writeFleet(
  overview: FleetOverview,
  reports: MergedReports,
  outputs: readonly RenderedOutput[],
  io: Io,
  drawing: Drawing,
): Promise<string[]> {
  const failures: string[] = [];
  for (const output of outputs.filter((each) => !isForEach(each))) {
    const options = { ...drawingOn(output.file, io, drawing), pageOf: pagesFrom(output, outputs, io) };
    const pieces = output.format.renderFleet?.(overview, () => reports.reports(), options);
    const failure = pieces === undefined ? null : await writePieces(output, pieces, io, drawing);
    if (failure !== null) failures.push(failure);
  }
  const forEach = outputs.filter(isForEach);
  if (forEach.length === 0) return failures;
  for await (const target of reports.reports()) failures.push(...(await writeReports([target], forEach, io, drawing)));
  return failures;
}
