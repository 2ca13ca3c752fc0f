import type { Command, Argument, Option } from 'commander';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import type { Io } from './io.js';

/** The value of an option or argument: one of these words, a file, or any text. */
type Completed = { readonly words: readonly string[] } | 'file' | 'text';

interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  /** Null if it takes none. */
  readonly value: Completed | null;
  readonly repeatable: boolean;
}

/** The program itself has the empty name. */
interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  /** Null if it takes none. */
  readonly argument: Completed | null;
}

/** Words for values, by the value's name in the usage: "check". */
type KnownWords = Readonly<Record<string, readonly string[]>>;

const COMPLETIONS: Readonly<Record<string, (name: string, commands: readonly CompletedCommand[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export const SHELLS = Object.keys(COMPLETIONS);

export async function completionCommand(shell: string, program: Command, io: Io): Promise<ExitCode> {
  const { builtInChecks } = await import('../../checks/index.js');
  const ids = builtInChecks.map(({ id }) => id);
  const commands = completedCommands(program, { check: ids, what: ids });
  const completion = COMPLETIONS[shell] as (typeof COMPLETIONS)[string];
  io.stdout.write(completion(program.name(), commands));
  return EXIT_CODES.clean;
}

/** For bash 3.2 and later. Bash completes names of files if nothing else fits. */
function bashCompletion(name: string, [program, ...commands]: readonly CompletedCommand[]): string {
  const options = program?.options ?? [];
  const taking = options.filter(({ value }) => value !== null);
  const withWords = taking.filter(({ value }) => wordsOf(value).length > 0);
  const others = taking.filter(({ value }) => wordsOf(value).length === 0);
  const names = commands.map((command) => command.name);
  const valueBranches = withWords.map(({ flag, value }) => `    ${flag}) words='${wordsOf(value).join(' ')}' ;;`);
  const commandBranches = commands.map((command) => {
    const words = [...wordsOf(command.argument), ...command.options.map(({ flag }) => flag)];
    return `    ${command.name}) words='${words.join(' ')}' ;;`;
  });
  return `# bash completion for ${name}: source <(${name} completion bash)
_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command='' words='' before='' word
  COMPREPLY=()
  case "$previous" in
${valueBranches.join('\n')}
    =|${others.map(({ flag }) => flag).join('|')}) return ;;
  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$before" in
      ${taking.map(({ flag }) => flag).join('|')}) before=''; continue ;;
    esac
    case "$word" in
      ${names.join('|')}) command="$word"; break ;;
    esac
    before="$word"
  done
  case "$command" in
    '') words='${[...names, ...options.map(({ flag }) => flag)].join(' ')}' ;;
${commandBranches.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _${name} ${name}
`;
}

function wordsOf(value: Completed | null): readonly string[] {
  return value !== null && typeof value === 'object' ? value.words : [];
}

/** A file `~/.config/fish/completions/mongolint.fish`. */
function fishCompletion(name: string, [program, ...commands]: readonly CompletedCommand[]): string {
  const names = commands.map((command) => command.name).join(' ');
  const none = `not __fish_seen_subcommand_from ${names}`;
  const lines = [
    `# fish completion for ${name}: ${name} completion fish > ~/.config/fish/completions/${name}.fish`,
    `complete -c ${name} -f`,
    ...commands.map(
      (command) => `complete -c ${name} -n '${none}' -a ${command.name} -d ${quoted(command.description)}`,
    ),
    ...(program?.options ?? []).map((option) => optionLine(name, none, option)),
    ...commands.flatMap((command) => {
      const seen = `__fish_seen_subcommand_from ${command.name}`;
      const words = wordsOf(command.argument);
      return [
        ...(words.length === 0 ? [] : [`complete -c ${name} -n '${seen}' -a ${quoted(words.join(' '))}`]),
        ...command.options.map((option) => optionLine(name, seen, option)),
      ];
    }),
  ];
  return `${lines.join('\n')}\n`;
}

function optionLine(name: string, condition: string, { flag, description, value }: CompletedOption): string {
  const option = `complete -c ${name} -n '${condition}' -l ${flag.slice(2)} -d ${quoted(description)}`;
  return value === null ? option : `${option} ${valuePart(value)}`;
}

function valuePart(value: Completed): string {
  if (typeof value === 'object') return `-x -a ${quoted(value.words.join(' '))}`;
  return value === 'file' ? '-r -F' : '-x';
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
}

/** A file named `_mongolint` in a folder of `$fpath`. */
function zshCompletion(name: string, [program, ...commands]: readonly CompletedCommand[]): string {
  const described = commands.map((command) => `    ${zshQuoted(`${command.name}:${command.description}`)}`);
  const specs = (program?.options ?? []).map((option) => `    ${optionSpec(option)} \\`);
  const branches = commands.map((command) => `        ${command.name}) _arguments ${specsOf(command).join(' ')} ;;`);
  return `#compdef ${name}
# zsh completion for ${name}: ${name} completion zsh > a folder of $fpath/_${name}
_${name}() {
  local state line
  local -a commands
  commands=(
${described.join('\n')}
  )
  _arguments -C \\
${specs.join('\n')}
    '1:command or connection string:->command' \\
    '*::argument:->argument' && return
  case $state in
    command) _describe -t commands command commands ;;
    argument)
      case $line[1] in
${branches.join('\n')}
      esac ;;
  esac
}
if [ "$funcstack[1]" = _${name} ]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function specsOf({ options, argument }: CompletedCommand): string[] {
  return [...options.map(optionSpec), ...(argument === null ? [] : [zshQuoted(`1:argument:${action(argument)}`)])];
}

function optionSpec({ flag, description, value, repeatable }: CompletedOption): string {
  const what = description.replace(/[\\[\]:]/g, String.raw`\$&`);
  return zshQuoted(`${repeatable ? '*' : ''}${flag}[${what}]${value === null ? '' : `:value:${action(value)}`}`);
}

function action(value: Completed): string {
  if (typeof value === 'object') return `(${value.words.join(' ')})`;
  return value === 'file' ? '_files' : ' ';
}

function zshQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The program and its commands, the program first. */
function completedCommands(program: Command, known: KnownWords): CompletedCommand[] {
  const names = program.commands.map((command) => command.name());
  return [
    { ...completedCommand(program, known), name: '' },
    ...program.commands.map((command) => completedCommand(command, known)),
    { name: 'help', description: 'show the help of a command', options: [], argument: { words: names } },
  ];
}

function completedCommand(command: Command, known: KnownWords): CompletedCommand {
  const [argument] = command.registeredArguments;
  const help: CompletedOption = { flag: '--help', description: 'show the help', value: null, repeatable: false };
  return {
    name: command.name(),
    description: command.description(),
    options: [
      ...command.options.filter(({ long }) => long !== undefined).map((option) => completedOption(option, known)),
      help,
    ],
    argument: argument === undefined ? null : completedValue(argument, argument.name(), known),
  };
}

function completedOption(option: Option, known: KnownWords): CompletedOption {
  const valueName = /[<[](.+)[>\]]$/.exec(option.flags)?.[1];
  return {
    flag: option.long as string,
    description: option.description,
    value: valueName === undefined ? null : completedValue(option, valueName, known),
    repeatable: Array.isArray(option.defaultValue),
  };
}

function completedValue({ argChoices }: Option | Argument, name: string, known: KnownWords): Completed {
  const words = argChoices ?? known[name];
  if (words !== undefined) return { words };
  return name === 'file' || name === 'dir' || name === 'module' ? 'file' : 'text';
}
