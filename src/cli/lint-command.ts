import { URI_VARIABLE } from '../config/environment.js';
import { assertMapUsed } from '../lint/join-production.js';
import type { Policy } from '../policy/apply-policy.js';
import { LintError } from '../lint-error.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import type { Io } from './io.js';
import { lintTargets, type LintedTargets } from './lint-targets.js';
import type { RunState } from './state.js';
import { reportTargets } from './report-targets.js';
import type { RunOptions } from './run-options.js';
import { runSettings, type RunSettings, type RunTarget } from './run-settings.js';
import { passwordWarnings, settingsText } from './settings-text.js';
import { targetsOfPart } from './targets-of-part.js';
import { withShownErrors } from './shown-errors.js';

/** Lints and reports. Returns the exit code; never throws for what a user can fix. */
export async function lintCommand(argument: string | undefined, flags: Partial<RunOptions>, io: Io): Promise<ExitCode> {
  return withShownErrors(argument ?? io.env[URI_VARIABLE] ?? '', flags, io, async () => {
    io.note?.({ kind: 'preparing' });
    const settings = await runSettings(argument, flags, io);
    if (flags.printConfig === true) {
      const { effectiveConfig } = await import('./effective-config.js');
      io.stdout.write(effectiveConfig(settings, io.cwd()));
      return EXIT_CODES.clean;
    }
    const { verbose, quiet, targetConcurrency, shard } = settings.resolved.values;
    const say = (line: string) => void io.stderr.write(`${line}\n`);
    if (!quiet) passwordWarnings(settings).forEach(say);
    if (verbose) say(settingsText(settings));
    const { config } = settings;
    settings.targets.forEach(({ options }) => assertMapUsed(options));
    const { targets, part, note } = targetsOfPart(settings.targets, shard);
    if (note !== null && !quiet) say(note);
    const report: Reporting = (own, linted, state) => {
      const lintAll = async (baseline: Policy['baseline']) => {
        const done = await lintTargets(linted, config, io, baseline, targetConcurrency);
        if (state === undefined) return done;
        const { showValues } = own.resolved.values;
        const keep: LintedTargets['keep'] = async (reports) => [
          ...(await done.keep(reports)),
          ...(await state.keepReports(reports, showValues)),
        ];
        return { ...done, keep, claims: state };
      };
      return reportTargets(own, linted, lintAll, io, part);
    };
    if (settings.resolved.values.state === undefined) return report(settings, targets);
    return withState(settings, targets, report, say);
  });
}

type Reporting = (
  settings: Pick<RunSettings, 'config' | 'resolved'>,
  targets: readonly RunTarget[],
  state?: RunState,
) => Promise<ExitCode>;

/** Has the run work on the files of a state, which are written back after it. */
async function withState(
  { config, resolved }: RunSettings,
  targets: readonly RunTarget[],
  report: Reporting,
  say: (line: string) => void,
): Promise<ExitCode> {
  const { state: uri = '', stateOnLinted, baseline, timeout, maxTime, concurrency } = resolved.values;
  if (baseline !== undefined || targets.some(({ options }) => options.history !== undefined))
    throw new LintError('--state keeps the baseline and the history: leave out --baseline and --history.');
  const { RunState: State } = await import('./state.js');
  const state = await State.open(uri, targets, { timeout, maxTime, concurrency }, stateOnLinted);
  let unwritten: string[] = [];
  const values = { ...resolved.values, baseline: state.baseline };
  const own = targets.map((target) => ({ ...target, options: { ...target.options, history: state.history(target) } }));
  let code: ExitCode = EXIT_CODES.fault;
  try {
    code = await report({ config, resolved: { ...resolved, values } }, own, state);
  } finally {
    unwritten = await state.close();
    unwritten.forEach(say);
  }
  return unwritten.length === 0 ? code : EXIT_CODES.fault;
}
