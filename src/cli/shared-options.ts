import type { Command } from 'commander';
import { OPTION_LIST, type OptionName } from '../lint/options.js';

export function sharedOptions(command: string): OptionName[] {
  return OPTION_LIST.filter(([, { commands }]) => commands?.includes(command)).map(([name]) => name);
}

/** Refuses an option of a lint run that the command would ignore. */
export function refuseForeignOptions(program: Command, command: Command): void {
  if (command === program) return;
  const shared: readonly string[] = sharedOptions(command.name());
  const foreign = program.options.find((option) => {
    const name = option.attributeName();
    return program.getOptionValueSource(name) === 'cli' && !shared.includes(name);
  });
  if (foreign !== undefined) command.error(`error: '${command.name()}' takes no option '${foreign.flags}'`);
}
