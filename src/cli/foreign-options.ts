import type { Command } from 'commander';

/** Options of a lint run that commands take as well, wherever they stand on the line; the other commands take none. */
const SHARED_WITH: Readonly<Record<string, (option: string) => boolean>> = {
  checks: isAboutConfig,
  explain: isAboutConfig,
  role: isAboutConfig,
  'shard-key': () => true,
};

/** Refuses an option of the program that the command does not know, rather than accept it and do nothing with it. */
export function refuseForeignOptions(program: Command, command: Command): void {
  if (command === program) return;
  const takes = SHARED_WITH[command.name()] ?? (() => false);
  const foreign = program.options.find((option) => {
    const name = option.attributeName();
    return program.getOptionValueSource(name) === 'cli' && !takes(name);
  });
  if (foreign !== undefined) command.error(`error: '${command.name()}' takes no option '${foreign.flags}'`);
}

function isAboutConfig(option: string): boolean {
  return option === 'config' || option === 'plugin';
}
