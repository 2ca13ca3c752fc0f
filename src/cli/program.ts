import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { ConfigSource } from '../config/load-config.js';
import { FAIL_ON, READ_PREFERENCES } from '../config/option-values.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { globFault } from '../inventory/namespace-glob.js';
import { LINT_DEFAULTS } from '../lint/lint.js';
import { LintError } from '../lint-error.js';
import { packageInfo } from '../package-root.js';
import { checksCommand, explainCommand } from './catalogue-commands.js';
import { completionCommand, SHELLS } from './completion-command.js';
import { refuseForeignOptions } from './foreign-options.js';
import { initCommand } from './init-command.js';
import { columnsOf, type Io } from './io.js';
import { lintCommand } from './lint-command.js';
import { optionDescription } from './option-description.js';
import { FORMAT_NAMES, parseFormat } from './report-outputs.js';
import { roleCommand } from './role-command.js';
import type { GivenOptions } from './run-options.js';

/** Columns beside the names of options from which what they do is wrapped: fewer than commander's 40, for terminals of 80. */
const LEAST_HELP_WIDTH = 24;

const EXIT_CODE_HELP = `
Exit codes:
  0  nothing at or above the threshold of --fail-on
  1  findings
  2  could not lint: usage, configuration, connection, authentication, fault
  3  with --strict: linted, but something enabled could not be judged

The connection string is best given as MONGODB_URI: an argument is visible to
other users of the machine.`;

/**
 * Runs the command line.
 *
 * @param argv the arguments, without node and the script
 * @returns the exit code; nothing is thrown for what a user can mend
 */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT_CODES.clean;
  const finish = (code: ExitCode) => void (exitCode = code);
  const program = createProgram(io, finish);
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (error instanceof LintError) {
      io.stderr.write(`${error.message}\n`);
      return EXIT_CODES.fault;
    }
    if (!(error instanceof CommanderError)) throw error;
    // Help and version end in an error too, with exit code 0.
    return error.exitCode === 0 ? EXIT_CODES.clean : EXIT_CODES.fault;
  }
  return exitCode;
}

/** The command line with all its commands and options; `finish` is told the exit code of the command that ran. */
export function createProgram(io: Io, finish: (code: ExitCode) => void): Command {
  const program = lintProgram(io, finish).hook('preAction', refuseForeignOptions);
  program
    .command('demo')
    .description('start an embedded mongod, plant each anti-pattern beside a well-designed twin, and lint it')
    .action(async () => {
      // Loaded only for the demo, since a lint run needs no embedded server.
      const { demoCommand } = await import('./demo-command.js');
      finish(await demoCommand(io));
    });
  program
    .command('init')
    .description('write a commented configuration file')
    .action(async () => finish(await initCommand(io)));
  withConfigOptions(program.command('checks'))
    .description('list the checks')
    .action(async (_, command: Command) => finish(await checksCommand(configSource(command, io), io)));
  withConfigOptions(program.command('explain'))
    .argument('<check>', 'id of a check')
    .description('say what a check means, why it hurts, how to fix it, and when not to')
    .action(async (check: string, _, command: Command) =>
      finish(await explainCommand(check, configSource(command, io), io)),
    );
  withConfigOptions(program.command('role'))
    .description(
      'print the role with the fewest privileges that the enabled checks can do with, to be pasted into mongosh',
    )
    .action(async (_, command: Command) => finish(await roleCommand(configSource(command, io), io)));
  program
    .command('shard-key')
    .argument('<namespace>', 'database.collection, sharded or not')
    .argument('<key>', 'as mongosh takes it: \'{ tenant: 1, _id: "hashed" }\'')
    .argument('[uri]', 'connection string; MONGODB_URI where absent')
    .option('--shards <n>', 'shards that the cluster is to have (default: those that it has, or 2)', wholeNumber(1))
    .description(
      'judge a shard key on the documents before anyone shards by it; exits with 1 where something speaks against it',
    )
    .action(async (namespace: string, key: string, uri: string | undefined, _, command: Command) => {
      const { shardKeyCommand } = await import('./shard-key-command.js');
      const options = command.optsWithGlobals();
      finish(await shardKeyCommand({ namespace, key, uri, shards: options['shards'] }, options, io));
    });
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell that completes').choices(SHELLS))
    .description('print the completions for a shell, as in: source <(mongolint completion bash)')
    .action((shell: string) => finish(completionCommand(shell, program, io)));
  return program;
}

function withConfigOptions(command: Command): Command {
  return command
    .option('--config <file>', 'configuration (default: mongolint.config.yaml, .json, .js … here or in a folder above)')
    .option('--plugin <module>', 'package or file with more checks; repeatable', repeated, []);
}

/** Options of the program itself may stand before a command or after it. */
function configSource(command: Command, io: Io): ConfigSource {
  const { config, plugin } = command.optsWithGlobals<{ config?: string; plugin: string[] }>();
  return { cwd: io.cwd(), plugins: plugin, ...(config !== undefined && { file: config }) };
}

function lintProgram(io: Io, finish: (code: ExitCode) => void): Command {
  const { name, version } = packageInfo();
  return withConfigOptions(new Command(name))
    .description('The anti-pattern linter for live MongoDB clusters. Read-only.')
    .version(version)
    .argument('[uri]', 'connection string; MONGODB_URI where absent')
    .option('--include <glob>', 'lint only these, over database.collection; repeatable', repeatedGlob, [])
    .option('--exclude <glob>', 'leave these out, over database.collection; repeatable', repeatedGlob, [])
    .option(
      '--format <format[=file]>',
      `${FORMAT_NAMES.join(', ')}; to stdout, or to a file; repeatable (default: table)`,
      parseFormat,
      [],
    )
    .addOption(new Option('--fail-on <severity>', 'least severity that fails').choices(FAIL_ON).default('error'))
    .option('--max-warnings <n>', 'fail where there are more warnings than this', wholeNumber(0), null)
    .option('--strict', 'fail where something enabled could not be judged', false)
    .option('--sample-size <n>', 'documents sampled per collection', wholeNumber(1), LINT_DEFAULTS.sampleSize)
    .option('--sample-bytes <n>', 'bytes sampled per collection', wholeNumber(1), LINT_DEFAULTS.sampleBytes)
    .option('--concurrency <n>', 'collections under way at once', wholeNumber(1), LINT_DEFAULTS.concurrency)
    .option('--max-time <ms>', 'longest time for the whole run', wholeNumber(1), LINT_DEFAULTS.maxTime)
    .option(
      '--timeout <ms>',
      'longest wait for a connection and for any one command',
      wholeNumber(1),
      LINT_DEFAULTS.timeout,
    )
    .addOption(
      new Option('--read-preference <mode>', 'where to read')
        .choices(READ_PREFERENCES)
        .default(undefined, 'as the URI says, or else secondaryPreferred'),
    )
    .option('--log <file>', 'log of mongod to read the workload from, plain or gzipped; repeatable', repeated, [])
    .option('--history <file>', 'keep lengths and sizes of each run in this file, and measure growth between runs')
    .option('--baseline <file>', 'known findings: only new ones fail')
    .option('--update-baseline', 'accept what is found: write it to the baseline, and let no finding fail', false)
    .option('--notify <url>', 'tell a webhook what is new; best given as MONGOLINT_NOTIFY, since it is a secret')
    .option('--deep', 'search collections of any size for large documents', false)
    .option('--show-values', "print _id's of documents", false)
    .option('--quiet', 'show errors only, and no progress', false)
    .option('--verbose', 'show details, and traces of errors', false)
    .option('--no-progress', 'show no progress')
    .addHelpText('after', EXIT_CODE_HELP)
    .configureHelp({ optionDescription, subcommandTerm, minWidthToWrap: LEAST_HELP_WIDTH })
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => columnsOf(io),
    })
    .action(async (uri: string | undefined, _: unknown, command: Command) =>
      finish(await lintCommand(uri, givenOptions(command), io)),
    );
}

/** A command with its arguments; each has options, if only --help. */
function subcommandTerm(command: Command): string {
  return `${command.name()} ${command.usage().replace('[options]', '')}`.replace(/ +/g, ' ').trim();
}

/** Which options were given, and the defaults of the others. */
function givenOptions(command: Command): GivenOptions {
  const from = (source: string) =>
    Object.fromEntries(
      Object.entries(command.opts()).filter(([name]) => command.getOptionValueSource(name) === source),
    );
  return { flags: from('cli'), defaults: from('default') };
}

function repeated(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function repeatedGlob(value: string, before: readonly string[]): string[] {
  const fault = globFault(value);
  if (fault !== null) throw new InvalidArgumentError(`The glob ${fault}.`);
  return repeated(value, before);
}

function wholeNumber(minimum: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || !Number.isSafeInteger(number) || number < minimum) {
      throw new InvalidArgumentError(`Give a whole number from ${minimum}.`);
    }
    return number;
  };
}
