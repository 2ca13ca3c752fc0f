import { URI_VARIABLE } from '../config/config-file.js';
import { LintError } from '../lint-error.js';
import { assertMapUsed } from '../lint/begin-judging.js';
import type { Policy } from '../policy/apply-policy.js';
import { type ExitCode, EXIT_CODES } from '../policy/exit-code.js';
import { targetsOfPart } from './each-target.js';
import type { Io } from './io.js';
import { fileKeeping } from './keeping.js';
import { lintTargets } from './lint-targets.js';
import { type JudgedTargets, reportTargets } from './report-targets.js';
import type { RunOptions } from './run-options.js';
import { runSettings, type RunTarget } from './run-settings.js';
import { effectiveConfig, passwordWarnings, settingsText } from './settings-text.js';
import { withShownErrors } from './shown-errors.js';
import type { RunState } from './state.js';

/** Lints and reports. Returns the exit code; never throws for what a user can fix. */
export async function lintCommand(argument: string | undefined, flags: Partial<RunOptions>, io: Io): Promise<ExitCode> {
  return withShownErrors(argument ?? io.env[URI_VARIABLE] ?? '', flags, io, async () => {
    const settings = await runSettings(argument, flags, io);
    if (flags.printConfig === true) {
      io.stdout.write(effectiveConfig(settings, io.cwd()));
      return EXIT_CODES.clean;
    }
    const { config, resolved } = settings;
    const { verbose, quiet, targetConcurrency, shard, showValues } = resolved.values;
    const say = (line: string) => void io.stderr.write(`${line}\n`);
    if (!quiet) passwordWarnings(settings).forEach(say);
    if (verbose) say(settingsText(settings));
    settings.targets.forEach(({ options }) => assertMapUsed(options));
    const { targets: wanted, part, note } = targetsOfPart(settings.targets, shard);
    if (note !== null && !quiet) say(note);
    const state = await openedState(resolved.values, wanted);
    const keeping = state ?? fileKeeping(resolved.values, io.cwd());
    const judge = async (baseline: Policy['baseline']): Promise<JudgedTargets> => {
      const done = await lintTargets(wanted, config, io, baseline, targetConcurrency, keeping);
      if (state === null) return done;
      const keep: JudgedTargets['keep'] = async (reports) => {
        // A run that failed on all of them leaves the state as it was.
        if (reports.every(({ report }) => report === null)) return [];
        return [
          ...((await done.keep?.(reports)) ?? []),
          ...(await state.keepReports(reports, showValues)),
          ...(await state.save().then(() => [], unwritten)),
        ];
      };
      return { ...done, keep };
    };
    try {
      return await reportTargets({ config, resolved }, wanted, { judge, keeping, part }, io);
    } finally {
      await state?.close();
    }
  });
}

/** The line on why something was not written. */
function unwritten(error: unknown): [string] {
  if (error instanceof LintError) return [error.message];
  throw error;
}

/** The state that keeps baseline and history in place of files; null without one. */
async function openedState(options: RunOptions, targets: readonly RunTarget[]): Promise<RunState | null> {
  const { state: uri, stateOnLinted, baseline, timeout, maxTime, concurrency } = options;
  if (uri === undefined) return null;
  if (baseline !== undefined || targets.some((target) => target.options.history !== undefined))
    throw new LintError('--state keeps the baseline and the history: leave out --baseline and --history.');
  const { RunState: State } = await import('./state.js');
  return State.open(uri, targets, { timeout, maxTime, concurrency }, stateOnLinted);
}
