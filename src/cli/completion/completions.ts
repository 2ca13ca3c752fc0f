import type { Argument, Command, Option } from 'commander';

/** The value of an option or argument: one of these words, a file, or any text. */
export type Completed = { readonly words: readonly string[] } | 'file' | 'text';

export interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  /** Null if it takes none. */
  readonly value: Completed | null;
  readonly repeatable: boolean;
}

/** The program itself has the empty name. */
export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  /** Null if it takes none. */
  readonly argument: Completed | null;
}

/** Words for values, by the value's name in the usage: "check". */
export type KnownWords = Readonly<Record<string, readonly string[]>>;

/** The program and its commands, the program first. */
export function completedCommands(program: Command, known: KnownWords): CompletedCommand[] {
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
