import { Command, CommanderError } from 'commander';
import type { ConfigSource } from '../config/find-config.js';
import { formatDuration } from '../format.js';
import { LintError } from '../lint-error.js';
import { OPTIONS } from '../lint/options.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { MS_PER_HOUR, MS_PER_MINUTE } from '../time-units.js';
import type { AcceptArguments } from './accept-command.js';
import { commandOptions, fileGlobOption, wholeNumber } from './command-option.js';
import { configSearch, type Io } from './io.js';
import { givenFlags, lintProgram, refuseForeignOptions, sharedOptions } from './lint-program.js';
import { SECRET_VARIABLE } from './pseudonyms-secret.js';
import { isJsonWanted } from './report-outputs.js';
import { PRINTING, type TimeLimit } from './run-news.js';
import type { RunOptions } from './run-options.js';

/** They download a server, or fill one. */
const LONG_COMMANDS: ReadonlySet<string> = new Set(['demo', 'rehearse']);

/** In ms. */
const LEAST_LIMIT = MS_PER_MINUTE;

/** Runs the command line, without node and the script, and returns the exit code. Throws only on bugs. */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT_CODES.clean;
  const finish = (code: ExitCode) => void (exitCode = code);
  const program = createProgram(io, finish, argv.includes('--all'));
  try {
    await program.parseAsync(asTyped(program, argv), { from: 'user' });
  } catch (error) {
    if (error instanceof LintError) {
      io.stderr.write(`${error.message}\n`);
      return EXIT_CODES.fault;
    }
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT_CODES.clean : EXIT_CODES.fault;
  }
  return exitCode;
}

/** They print a table or JSON, and no report. */
const LISTING: ReadonlySet<string> = new Set(['checks', 'code', 'rehearse', 'shard-key']);

/** For `mongolint code`: the program's own `--exclude` is about collections, wherever it stands. */
const EXCLUDE_FILES = '--exclude-files';

/**
 * `mongolint help judge`, `lint URI` and `code DIR --exclude GLOB`, as other tools have taught people to type. Options of the
 * program may stand before the command.
 */
function asTyped(program: Command, argv: readonly string[]): string[] {
  const at = argv.findIndex((each, index) => !each.startsWith('-') && !takesValue(program, argv[index - 1] ?? ''));
  const others = argv.filter((_, index) => index !== at);
  if (argv[at] === 'code') return ['code', ...others.map((each) => each.replace(/^--exclude(?==|$)/, EXCLUDE_FILES))];
  if (argv[at] === 'help') return [...others, '--help'];
  return argv[at] === 'lint' ? others : [...argv];
}

function takesValue({ options }: Command, argument: string): boolean {
  return options.some(({ long, short, required }) => required && (argument === long || argument === short));
}

/** The command line. `finish` gets the exit code of the command that ran. Without all options, `--help` shows those that people use. */
export function createProgram(io: Io, finish: (code: ExitCode) => void, withAllOptions = true): Command {
  const program = lintProgram(io, finish, withAllOptions)
    .hook('preAction', refuseForeignOptions)
    .hook('preAction', (_, command) => io.note?.(limitOf(command)));
  program
    .command('demo')
    .description('start an embedded mongod, fill a small shop that has the common anti-patterns, and lint it')
    .action(async () => {
      const { demoCommand } = await import('./demo-command.js');
      finish(await demoCommand(givenFlags(program).verbose === true, io));
    });
  program
    .command('init')
    .description('write a commented configuration file')
    .action(async () => {
      const { initCommand } = await import('./init-command.js');
      finish(await initCommand(io));
    });
  withSharedOptions(program.command('checks'))
    .description('list the checks')
    .action(async (_, command: Command) => {
      const { checksCommand } = await import('./catalogue-commands.js');
      const { format = [] } = givenFlags(program);
      finish(await checksCommand(configSource(command, io), isJsonWanted(format, 'checks'), io));
    });
  withSharedOptions(program.command('explain'))
    .argument('<what>', 'id of a check, or the first digits of a fingerprint')
    .option(
      '--report <file>',
      'report that --format json wrote, with the finding (default: the last report on a terminal)',
    )
    .description(
      'explain a check: what it flags, why it hurts, how to fix it; or a finding: its evidence and its remedy',
    )
    .action(async (what: string, _, command: Command) => {
      const { report } = command.opts<{ report?: string }>();
      const { explainCommand, LIKE_FINGERPRINT } = await import('./catalogue-commands.js');
      if (report === undefined && !LIKE_FINGERPRINT.test(what))
        return finish(await explainCommand(what, configSource(command, io), io));
      const { explainFinding } = await import('./last-report.js');
      finish(await explainFinding(what, report, givenFlags(program), io));
    });
  withSharedOptions(program.command('code'))
    .argument('<dir>', 'folder of the source')
    .addOption(
      fileGlobOption(
        EXCLUDE_FILES,
        'leave out files that match a glob, such as "legacy/**"; --exclude does the same here; repeatable',
      ),
    )
    .description('list the MongoDB operations in JavaScript and TypeScript, and how far each is understood')
    .action(async (folder: string, { excludeFiles: exclude = [] }: { readonly excludeFiles?: readonly string[] }) => {
      const { codeCommand } = await import('./code-command.js');
      const { format = [] } = givenFlags(program);
      finish(await codeCommand(folder, { exclude, asJson: isJsonWanted(format, 'code') }, io));
    });
  withSharedOptions(program.command('role'))
    .option('--update', 'instead, print what brings an existing role up to date')
    .description('print the role with the fewest privileges that the enabled checks need, to paste into mongosh')
    .action(async ({ update = false }: { readonly update?: boolean }, command: Command) => {
      const { roleCommand } = await import('./role-command.js');
      finish(await roleCommand(configSource(command, io), command.optsWithGlobals<RunOptions>(), update, io));
    });
  withSharedOptions(program.command('shard-key'))
    .argument('<namespace>', 'database.collection, sharded or not')
    .argument('<key>', 'as in mongosh: \'{ tenant: 1, _id: "hashed" }\'')
    .argument('[uri]', 'connection string; MONGODB_URI if absent')
    .option('--shards <n>', 'shards that the cluster will have (default: as many as it has, or 2)', wholeNumber(1))
    .description('judge a shard key by the documents before you shard; exits with 1 if it is bad')
    .action(async (namespace: string, key: string, uri: string | undefined, _, command: Command) => {
      const { shardKeyCommand } = await import('./shard-key-command.js');
      const { shards } = command.opts<{ shards?: number }>();
      finish(await shardKeyCommand({ namespace, key, uri, shards }, givenFlags(program), io));
    });
  withSharedOptions(program.command('rehearse'))
    .argument('[uri]', 'connection string; MONGODB_URI if absent')
    .option(
      '--on <uri>',
      'connection string of an empty scratch server (default: one that is started here, as for demo)',
    )
    .option(
      '--documents <n>',
      'documents per collection there (default: its judged size, up to 50,000)',
      wholeNumber(1),
    )
    .description(
      'replay recorded queries on scaled samples on a scratch server, with and without the advised indexes; exits with 1 if something gets worse',
    )
    .action(async (uri: string | undefined, _, command: Command) => {
      const { rehearseCommand } = await import('./rehearse-command.js');
      const { on, documents } = command.opts<{ on?: string; documents?: number }>();
      finish(await rehearseCommand({ uri, on, documents }, givenFlags(program), io));
    });
  withSharedOptions(program.command('collect'))
    .argument('[uri]', 'connection string; MONGODB_URI if absent')
    .option('--output <file>', 'file to write; gzipped if it ends in ".gz"; may contain {target} for the alias')
    .option('--script', 'instead, print a script for mongosh that collects')
    .option('--pseudonyms', `write pseudonyms in place of all names; their secret is in ${SECRET_VARIABLE}`)
    .description('save what a run would read, to judge it later without a server')
    .action(async (uri: string | undefined, _, command: Command) => {
      const flags = command.opts<{ output?: string; script?: true; pseudonyms?: true }>();
      const { output, script, pseudonyms = false } = flags;
      if (script === true) {
        const { collectScriptCommand } = await import('./collect-script.js');
        return finish(collectScriptCommand({ uri, output, pseudonyms }, givenFlags(program), io));
      }
      if (output === undefined) command.error("error: required option '--output <file>' not specified");
      const { collectCommand } = await import('./collect-command.js');
      finish(await collectCommand({ uri, output, pseudonyms }, givenFlags(program), io));
    });
  withSharedOptions(program.command('judge'))
    .argument('<files...>', 'files of evidence, each of one target')
    .description('judge collected evidence: the same report, without a server')
    .action(async (files: string[]) => {
      const { judgeCommand } = await import('./judge-command.js');
      finish(await judgeCommand(files, givenFlags(program), io));
    });
  withSharedOptions(program.command('report'))
    .argument('[files...]', 'reports that --format json wrote')
    .option('--merge <glob>', 'make one overview of all matching reports; exits as one run on all would')
    .description('render saved reports in any format; several files count as several targets')
    .action(async (files: string[], _, command: Command) => {
      const { reportCommand } = await import('./report-command.js');
      const { merge } = command.opts<{ merge?: string }>();
      finish(await reportCommand(files, merge, givenFlags(program), io));
    });
  withSharedOptions(program.command('compare'))
    .argument('<old>', 'evidence, or a report that --format json wrote')
    .argument('<new>', 'a newer one, of the same cluster or one like it')
    .description('report what is new, worse, better, fixed and gone since an older run; what is new fails')
    .action(async (older: string, newer: string) => {
      const { compareCommand } = await import('./compare-command.js');
      finish(await compareCommand([older, newer], givenFlags(program), io));
    });
  program
    .command('comment')
    .argument('<file>', 'report that --format markdown wrote')
    .option('--name <name>', 'keep one comment per name, if a job writes several (default: the name of the job)')
    .description("post a report as a comment on this job's pull request, or update the earlier comment")
    .action(async (file: string, { name = null }: { readonly name?: string | null }) => {
      const { commentCommand } = await import('./comment-command.js');
      finish(await commentCommand(file, name, io));
    });
  withSharedOptions(program.command('accept'))
    .argument('[fingerprint]', 'fingerprint of the finding, or its first digits, as in reports')
    .option(
      '--report <file>',
      'report that --format json wrote, with the finding (default: the last report on a terminal, and the baseline)',
    )
    .option('--until <date>', 'last day on which it does not count, as YYYY-MM-DD')
    .option('--reason <text>', 'why it may stay')
    .option('--list', 'list what is accepted')
    .option('--undo', 'no longer accept it: it counts again')
    .description('accept a finding until a date: the baseline records who did, and why')
    .action(async (fingerprint: string | undefined, _, command: Command) => {
      const { acceptCommand } = await import('./accept-command.js');
      const { list = false, undo = false, report, until, reason } = command.opts<Partial<AcceptArguments>>();
      finish(await acceptCommand({ fingerprint, report, until, reason, list, undo }, givenFlags(program), io));
    });
  withSharedOptions(program.command('mcp'))
    .argument('[files...]', 'evidence, or reports that --format json wrote, for the client to ask about')
    .description('serve a client of the Model Context Protocol on stdin and stdout; read-only')
    .action(async (files: string[]) => {
      const { mcpCommand } = await import('./mcp-command.js');
      finish(await mcpCommand(files, givenFlags(program), io));
    });
  withSharedOptions(program.command('lsp'))
    .argument('<file>', 'evidence of production')
    .description('serve an editor by the Language Server Protocol: findings at their lines while you type')
    .action(async (file: string) => {
      const { lspCommand } = await import('./lsp-command.js');
      finish(await lspCommand(file, givenFlags(program), io));
    });
  return program;
}

/** For all that it does, or for what precedes its first target: whoever gives a target less still waits for a configuration. */
function limitOf(command: Command): TimeLimit {
  const { maxTime = OPTIONS.maxTime.default } = command.optsWithGlobals<Partial<RunOptions>>();
  const name = command.name();
  const milliseconds = PRINTING.has(name)
    ? LEAST_LIMIT
    : LONG_COMMANDS.has(name)
      ? MS_PER_HOUR
      : Math.max(maxTime, LEAST_LIMIT);
  return { kind: 'limit', of: 'command', milliseconds, why: `it took longer than ${formatDuration(milliseconds)}` };
}

function withSharedOptions(command: Command): Command {
  for (const option of sharedOptions(command.name()).flatMap(commandOptions)) {
    if (option.attributeName() === 'format' && LISTING.has(command.name())) {
      option.description = 'how to print it';
      option.argChoices = ['table', 'json'];
    }
    command.addOption(option);
  }
  return command;
}

/** Options of the program itself may stand before a command or after it. */
function configSource(command: Command, io: Io): ConfigSource {
  const { config, plugin } = command.optsWithGlobals<Pick<RunOptions, 'config' | 'plugin'>>();
  return {
    cwd: io.cwd(),
    plugins: plugin,
    ...configSearch(io),
    ...(config !== undefined && { file: config }),
  };
}
