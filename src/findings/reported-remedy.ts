import type { Remedy, RemedyCommand, ReportedRemedy } from '../finding.js';

/** A remedy with the texts and commands of its steps joined, for readers of the report that do not know steps. */
export function reportedRemedy({ steps }: Remedy): ReportedRemedy {
  const commands = steps.flatMap(({ command }): RemedyCommand[] => (command === undefined ? [] : [command]));
  return {
    steps: [...steps],
    text: steps
      .flatMap(({ text, code }) => (text === '' ? [] : [code === undefined ? text : `${text} ${code}`]))
      .join(' '),
    ...(commands.length > 0 && { commands }),
  };
}
