import type { Completed, CompletedCommand, CompletedOption } from './completions.js';

/** A file `~/.config/fish/completions/mongolint.fish`. */
export function fishCompletion(name: string, [program, ...commands]: readonly CompletedCommand[]): string {
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
      const words = typeof command.argument === 'object' && command.argument !== null ? command.argument.words : [];
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
