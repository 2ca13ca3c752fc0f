import type { Completed, CompletedCommand } from './completions.js';

/** For bash 3.2 and later. Bash completes names of files if nothing else fits. */
export function bashCompletion(name: string, [program, ...commands]: readonly CompletedCommand[]): string {
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
