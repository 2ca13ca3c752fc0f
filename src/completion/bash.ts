import type { Completed, CompletedCommand } from './completions.js';

/** Completions for bash, 3.2 and later. Where nothing is known, bash completes the names of files. */
export function bashCompletion(name: string, [program, ...commands]: readonly CompletedCommand[]): string {
  const options = program?.options ?? [];
  const taking = options.filter(({ value }) => value !== null).map(({ flag }) => flag);
  const withWords = options.flatMap(({ flag, value }) => (wordsOf(value).length === 0 ? [] : [{ flag, words: wordsOf(value) }]));
  const others = taking.filter((flag) => !withWords.some((option) => option.flag === flag));
  return `# bash completion for ${name}: source <(${name} completion bash)
_${name}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command='' words='' before='' word
  COMPREPLY=()
  case "$previous" in
${withWords.map(({ flag, words }) => `    ${flag}) words='${words.join(' ')}'; COMPREPLY=($(compgen -W "$words" -- "$current")); return ;;\n`).join('')}    =|${others.join('|')}) return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$before" in
      ${taking.join('|')}) before=''; continue ;;
    esac
    case "$word" in
      ${commands.map((command) => command.name).join('|')}) command="$word"; break ;;
    esac
    before="$word"
  done
  case "$command" in
    '') words='${[...commands.map((command) => command.name), ...options.map(({ flag }) => flag)].join(' ')}' ;;
${commands.map((command) => `    ${command.name}) words='${[...wordsOf(command.argument), ...command.options.map(({ flag }) => flag)].join(' ')}' ;;\n`).join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o bashdefault -o default -F _${name} ${name}
`;
}

function wordsOf(value: Completed | null): readonly string[] {
  return value !== null && typeof value === 'object' ? value.words : [];
}
