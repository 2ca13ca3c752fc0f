import { Command } from 'commander';
import { packageInfo } from '../files/package-root.js';
import type { OptionSpec } from '../lint/option.js';
import { OPTION_LIST, OPTIONS, type OptionName } from '../lint/options.js';
import type { ExitCode } from '../policy/exit-code.js';
import { withoutUris } from '../text/hidden-uris.js';
import { didYouMean } from '../text/spelling.js';
import { commandOptions, optionDescription } from './command-option.js';
import { columnsOf, type Io } from './io.js';
import type { RunOptions } from './run-options.js';

/** Descriptions are wrapped from this many columns on: fewer than commander's 40, for terminals of 80. */
const LEAST_HELP_WIDTH = 24;

const EXIT_CODE_HELP = `
Exit codes:
  0  nothing at or above the threshold of --fail-on
  1  findings
  2  lint failed or was incomplete: usage, configuration, connection,
     authentication, a report that could not be written, fault
  3  with --strict: linted, but something enabled could not be judged

The connection string is best given as MONGODB_URI: an argument is visible to
other users of the machine.`;

/** The options that people use, by what for; `--help --all` shows the others, too. */
const HELP_GROUPS: readonly (readonly [heading: string, names: readonly OptionName[]])[] = [
  ['What to lint:', ['config', 'include', 'exclude', 'production', 'log', 'since', 'code']],
  ['What to judge:', ['check', 'skipCheck', 'group', 'severity', 'sampleSize', 'deep']],
  ['How to report:', ['format', 'top', 'quiet', 'verbose', 'showValues']],
  ['As a job:', ['state', 'history', 'notify', 'maxTime', 'timeout', 'readPreference']],
  ['In a build:', ['failOn', 'maxWarnings', 'strict', 'baseline', 'updateBaseline', 'changed']],
];
const MORE_OPTIONS = 'More options:';
const ALL_OPTIONS_HELP = '\nmongolint --help --all lists all options.';

/** The command that lints, with its options; the others are added to it. */
export function lintProgram(io: Io, finish: (code: ExitCode) => void, withAllOptions: boolean): Command {
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
      const { lintCommand } = await import('./lint-command.js');
      finish(await lintCommand(uri, givenFlags(command), io));
    });
  const groups = new Map(HELP_GROUPS.flatMap(([heading, names]) => names.map((name) => [name, heading] as const)));
  const inOrder = [...groups.keys(), ...OPTION_LIST.map(([name]) => name).filter((name) => !groups.has(name))];
  for (const name of inOrder) {
    const heading = groups.get(name);
    for (const option of commandOptions(name)) {
      program.addOption(
        heading === undefined ? option.helpGroup(MORE_OPTIONS).hideHelp(!withAllOptions) : option.helpGroup(heading),
      );
    }
  }
  if (!withAllOptions) program.addHelpText('after', ALL_OPTIONS_HELP);
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

export function sharedOptions(command: string): OptionName[] {
  return OPTION_LIST.filter(([, { commands }]) => commands?.includes(command)).map(([name]) => name);
}

/** Refuses an option of a lint run that the command would ignore. */
export function refuseForeignOptions(program: Command, command: Command): void {
  refuseForeignChoices(program, command);
  if (command === program) return;
  const shared: readonly string[] = sharedOptions(command.name());
  const foreign = program.options.find((option) => {
    const name = option.attributeName();
    return program.getOptionValueSource(name) === 'cli' && !shared.includes(name);
  });
  if (foreign !== undefined) command.error(`error: '${command.name()}' takes no option '${foreign.flags}'`);
}

function refuseForeignChoices(program: Command, command: Command): void {
  const name = command === program ? '' : command.name();
  for (const option of program.options) {
    const { choicesOfCommands = {} }: OptionSpec = OPTIONS[option.attributeName() as OptionName] ?? {};
    const value = program.getOptionValue(option.attributeName()) as string;
    const commands = choicesOfCommands[value];
    if (commands === undefined || commands.includes(name)) continue;
    program.error(`error: ${option.long} ${value} is for 'mongolint ${commands.join(', ')}'`);
  }
}
