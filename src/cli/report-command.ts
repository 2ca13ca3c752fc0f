import { isLikeUri } from '../connect/shown-uri.js';
import { LintError } from '../lint-error.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { ownersIn } from '../policy/ownership.js';
import { flagOf } from './command-option.js';
import type { Io } from './io.js';
import { assertRoomForTargets, drawingOf, NO_ALIAS, renderedOutputs } from './report-outputs.js';
import type { RunOptions } from './run-options.js';
import { ownerPolicy } from './run-owners.js';
import { loadedSettings } from './run-settings.js';
import { aliasOfFile, type NamedReport, readSavedReports, savedTarget } from './saved-run.js';
import { withShownErrors } from './shown-errors.js';
import { sourceDrawing } from './source-folders.js';
import { assertWritable, writeReports } from './write-reports.js';

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
  return withShownErrors('', flags, io, async () => {
    if (files.some(isLikeUri)) throw new LintError('report takes files that --format json wrote.');
    if (merge !== undefined) {
      const { mergeReports } = await import('./merge-command.js');
      // A shell that expands the glob gives the first file to the option, and the others as arguments.
      return mergeReports([merge, ...files], flags, io);
    }
    if (files.length === 0) throw new LintError('report takes files that --format json wrote, or --merge GLOB.');
    const { config, resolved } = await loadedSettings(flags, io);
    const { format } = resolved.values;
    const isJunit = format.some((output) => output.format === 'junit');
    const idle = OF_A_MERGE.find((name) => flags[name] !== undefined && !(isJunit && name !== 'strict'));
    if (idle !== undefined) throw new LintError(`${flagOf(idle)} has an effect on saved reports only with --merge.`);
    const outputs = renderedOutputs(format, config.formats, resolved.origins.get('format') ?? 'default');
    const saved = await savedReports(files, io);
    const named = saved.flatMap(({ report }) => (report === null ? [] : ownersIn(report)));
    const policy = ownerPolicy({ config, resolved }, named);
    const reports = saved.map((each) => savedTarget(each, policy, files.length > 1));
    if (reports.length > 1) assertRoomForTargets(outputs);
    await assertWritable(
      outputs,
      reports.map(({ alias }) => alias),
      io,
    );
    const drawing = { ...drawingOf(resolved.values), ...(await sourceDrawing(resolved.values, io.cwd())) };
    const unwritten = await writeReports(reports, outputs, io, drawing);
    for (const line of unwritten) io.stderr.write(`${line}\n`);
    return unwritten.length === 0 ? EXIT_CODES.clean : EXIT_CODES.fault;
  });
}

/** @throws LintError if a file can't be read, or two reports are of one target */
async function savedReports(files: readonly string[], io: Io): Promise<readonly NamedReport[]> {
  const reports: NamedReport[] = [];
  for (const file of files) {
    for (const saved of (await readSavedReports(file, io)).reports) {
      const alias = saved.alias ?? (files.length === 1 ? NO_ALIAS : aliasOfFile(file));
      if (reports.some((other) => other.alias === alias))
        throw new LintError(`${file}: there is another report of the target ${alias}; render one at a time.`);
      reports.push({ ...saved, alias });
    }
  }
  return reports;
}
