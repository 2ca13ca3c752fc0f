import type { Completed, CompletedCommand, CompletedOption } from './completions.js';

/** A file named `_mongolint` in a folder of `$fpath`. */
export function zshCompletion(name: string, [program, ...commands]: readonly CompletedCommand[]): string {
  const described = commands.map((command) => `    ${quoted(`${command.name}:${command.description}`)}`);
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
  return [...options.map(optionSpec), ...(argument === null ? [] : [quoted(`1:argument:${action(argument)}`)])];
}

function optionSpec({ flag, description, value, repeatable }: CompletedOption): string {
  const what = description.replace(/[\\[\]:]/g, String.raw`\$&`);
  return quoted(`${repeatable ? '*' : ''}${flag}[${what}]${value === null ? '' : `:value:${action(value)}`}`);
}

function action(value: Completed): string {
  if (typeof value === 'object') return `(${value.words.join(' ')})`;
  return value === 'file' ? '_files' : ' ';
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
