import { matchingFiles } from '../files/matching-files.js';
import { LintError } from '../lint-error.js';
import { ofOwners } from '../policy/apply-policy.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { ownersIn } from '../policy/ownership.js';
import type { TargetReport } from '../report/target-reports.js';
import { isLikeUri } from '../text/hidden-uris.js';
import { terminalText } from '../text/terminal-text.js';
import { flagOf } from './command-option.js';
import { FleetTally } from './fleet-tally.js';
import type { Io } from './io.js';
import { NO_ALIAS } from './report-outputs.js';
import { reportedRun } from './reported-run.js';
import type { RunOptions } from './run-options.js';
import { ownerPolicy, type OwnerPolicy } from './run-policy.js';
import { loadedSettings } from './run-settings.js';
import { SavedReports } from './saved-reports.js';
import { withShownErrors } from './shown-errors.js';
import { reportsOf } from './write-reports.js';

/** They decide the exit code, and a report that is only rendered has none of its own; of two, JUnit's failures follow. */
const OF_A_MERGE = ['failOn', 'maxWarnings', 'strict'] as const;

/**
 * Renders saved reports, those of several files as those of several targets. What was found does not change the exit code,
 * unless they are merged.
 * @param merge a glob over files whose reports are put together
 */
export function reportCommand(
  files: readonly string[],
  merge: string | undefined,
  flags: Partial<RunOptions>,
  io: Io,
): Promise<ExitCode> {
  return withShownErrors('', flags, io, () => {
    if (files.some(isLikeUri)) throw new LintError('report takes files that --format json wrote.');
    // A shell that expands the glob gives the first file to the option, and the others as arguments.
    if (merge !== undefined) return mergedReports([merge, ...files], flags, io);
    if (files.length === 0) throw new LintError('report takes files that --format json wrote, or --merge GLOB.');
    return renderedReports(files, flags, io);
  });
}

async function renderedReports(files: readonly string[], flags: Partial<RunOptions>, io: Io): Promise<ExitCode> {
  const settings = await loadedSettings(flags, io);
  const options = settings.resolved.values;
  const isJunit = options.format.some((output) => output.format === 'junit');
  const idle = OF_A_MERGE.find((name) => flags[name] !== undefined && !(isJunit && name !== 'strict'));
  if (idle !== undefined) throw new LintError(`${flagOf(idle)} has an effect on saved reports only with --merge.`);
  const saved: TargetReport[] = [];
  for await (const target of new SavedReports(files, false, io).each()) saved.push(target);
  const policy = ownerPolicy(
    settings,
    saved.flatMap(({ report }) => (report === null ? [] : ownersIn(report))),
  );
  const aliases = saved.map(({ alias }) => alias);
  return reportedRun(settings, { aliases }, io, async () => ({
    reports: reportsOf(
      saved.map((target) => ofWanted(target, policy)),
      options,
    ),
    end: (unwritten) => (unwritten.length === 0 ? EXIT_CODES.clean : EXIT_CODES.fault),
  }));
}

/** Puts the reports of many targets together, and exits as one run on all of them would. Only one file is held at a time. */
async function mergedReports(globs: readonly string[], flags: Partial<RunOptions>, io: Io): Promise<ExitCode> {
  const settings = await loadedSettings(flags, io);
  const { config, resolved } = settings;
  // Owners may stand in the reports alone, which are not read for it beforehand.
  const policy = ownerPolicy(settings, config.owners.length === 0 ? resolved.values.owner : []);
  const saved = new SavedReports(await matchingFiles(globs, io.cwd()), true, io);
  const tally = new FleetTally(resolved.values);
  const aliases: string[] = [];
  for await (const target of wanted(saved, policy)) {
    tally.add(target);
    aliases.push(target.alias);
  }
  const missing = saved.missing(config);
  const about = { aliases: aliases.length === 0 ? [NO_ALIAS] : aliases, isMerge: true } as const;
  return reportedRun(settings, about, io, async () => {
    for (const sentence of missing) io.stderr.write(`${terminalText(sentence)}\n`);
    const reports = { all: null, each: () => wanted(saved, policy), overview: () => tally.overview(missing) };
    return { reports, end: (unwritten) => tally.exitCode([...missing, ...unwritten]) };
  });
}

async function* wanted(saved: SavedReports, policy: OwnerPolicy): AsyncGenerator<TargetReport> {
  for await (const target of saved.each()) yield ofWanted(target, policy);
}

/** What is of the wanted owners. */
function ofWanted(target: TargetReport, policy: OwnerPolicy): TargetReport {
  return target.report === null ? target : { ...target, report: ofOwners(target.report, policy) };
}
