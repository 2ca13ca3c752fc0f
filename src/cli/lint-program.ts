import { Command } from 'commander';
import { URI_VARIABLE } from '../config/environment.js';
import { withoutUris } from '../connect/shown-uri.js';
import { LintError } from '../lint-error.js';
import { assertMapUsed } from '../lint/join-production.js';
import { OPTION_LIST } from '../lint/options.js';
import { packageInfo } from '../package-root.js';
import type { Policy } from '../policy/apply-policy.js';
import { type ExitCode, EXIT_CODES } from '../policy/exit-code.js';
import { didYouMean } from '../spelling.js';
import { commandOptions, optionDescription } from './command-option.js';
import { targetsOfPart } from './each-target.js';
import { columnsOf, type Io } from './io.js';
import { fileKeeping } from './keeping.js';
import { lintTargets, type LintedTargets } from './lint-targets.js';
import { reportTargets } from './report-targets.js';
import type { RunOptions } from './run-options.js';
import { runSettings, type RunTarget } from './run-settings.js';
import { passwordWarnings, settingsText } from './settings-text.js';
import { withShownErrors } from './shown-errors.js';
import type { RunState } from './state.js';

/** Descriptions are wrapped from this many columns on: fewer than commander's 40, for terminals of 80. */
const LEAST_HELP_WIDTH = 24;

const EXIT_CODE_HELP = `
Exit codes:
  0  nothing at or above the threshold of --fail-on
  1  findings
  2  could not lint, or not to the end: usage, configuration, connection,
     authentication, a report that could not be written, fault
  3  with --strict: linted, but something enabled could not be judged

The connection string is best given as MONGODB_URI: an argument is visible to
other users of the machine.`;

/** The command that lints, with its options; the others are added to it. */
export function lintProgram(io: Io, finish: (code: ExitCode) => void): Command {
  const info = packageInfo();
  const program = new Command(info.name)
    .description('The anti-pattern linter for live MongoDB clusters. Read-only.')
    .version(info.version)
    .argument('[uri]', 'connection string; MONGODB_URI if absent')
    .addHelpText('after', EXIT_CODE_HELP)
    .configureHelp({ optionDescription, subcommandTerm, minWidthToWrap: LEAST_HELP_WIDTH })
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: (text, write) => write(usageError(text)),
      getOutHelpWidth: () => columnsOf(io),
    })
    .action(async (uri: string | undefined, _: unknown, command: Command) => {
      refuseMisspeltCommand(program, uri);
      finish(await lintCommand(uri, givenFlags(command), io));
    });
  for (const option of OPTION_LIST.flatMap(([name]) => commandOptions(name))) program.addOption(option);
  return program;
}

/** A misspelt command would be taken for a connection string. It is not quoted: it may be a password. */
function refuseMisspeltCommand(program: Command, argument = '://'): void {
  if (argument.includes('://')) return;
  const hint = didYouMean(
    argument,
    program.commands.map((command) => command.name()),
  );
  if (hint !== '') program.error(`error: unknown command${hint}`);
}

/** Without "[options]": every command has some. */
function subcommandTerm(command: Command): string {
  return `${command.name()} ${command.usage().replace('[options]', '')}`.replace(/ +/g, ' ').trim();
}

/** Without the defaults of the options that were not given. */
export function givenFlags(command: Command): Partial<RunOptions> {
  const given = Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === 'cli');
  return Object.fromEntries(given);
}

/**
 * An error of commander as it may be shown. It quotes arguments, and any of them may be a password: of an option only the
 * name stays, of a value nothing.
 */
function usageError(text: string): string {
  return withoutUris(
    text
      .replace(/^(error: option '[^']*') (?:argument|value) '[^]*?' is invalid\./, '$1: its value is invalid.')
      .replace(/^(error: command-argument) value '[^]*?' (is invalid for argument)/, '$1 $2')
      .replace(/^(error: unknown option )'(--[\w-]+|-\w)?[^]*?'(?=\n|$)/, "$1'$2'")
      .replace(/^(error: unknown command) '[^]*?'(?=\n|$)/, '$1'),
  );
}

/** Lints and reports. Returns the exit code; never throws for what a user can fix. */
async function lintCommand(argument: string | undefined, flags: Partial<RunOptions>, io: Io): Promise<ExitCode> {
  return withShownErrors(argument ?? io.env[URI_VARIABLE] ?? '', flags, io, async () => {
    const settings = await runSettings(argument, flags, io);
    if (flags.printConfig === true) {
      const { effectiveConfig } = await import('./effective-config.js');
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
    const lintAll = async (baseline: Policy['baseline']) => {
      const done = await lintTargets(wanted, config, io, baseline, targetConcurrency, keeping);
      if (state === null) return done;
      const keep: LintedTargets['keep'] = async (reports) => {
        // A run that failed on all of them leaves the state as it was.
        if (reports.every(({ report }) => report === null)) return [];
        return [
          ...(await done.keep(reports)),
          ...(await state.keepReports(reports, showValues)),
          ...(await state.save().then(() => [], unwritten)),
        ];
      };
      return { ...done, keep };
    };
    try {
      return await reportTargets({ config, resolved }, wanted, { lintAll, keeping, part }, io);
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
