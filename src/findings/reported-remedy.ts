import type { Remedy, RemedyCommand, ReportedRemedy, TextRemedy } from '../finding.js';

/** A remedy with the texts and commands of its steps joined, for readers of the report that do not know steps. */
export function reportedRemedy(remedy: Remedy | TextRemedy): ReportedRemedy {
  if (!('steps' in remedy)) return reportedRemedy({ steps: stepsOf(remedy) });
  const { steps } = remedy;
  const commands = steps.flatMap(({ command }): RemedyCommand[] => (command === undefined ? [] : [command]));
  return {
    steps: [...steps],
    text: steps
      .flatMap(({ text, code }) => (text === '' ? [] : [code === undefined ? text : `${text} ${code}`]))
      .join(' '),
    ...(commands.length > 0 && { commands }),
  };
}

function stepsOf({ text, commands = [] }: TextRemedy): Remedy['steps'] {
  const [first, ...others] = commands;
  return [
    { text, ...(first !== undefined && { command: first }) },
    ...others.map((command) => ({ text: '', command })),
  ];
}
