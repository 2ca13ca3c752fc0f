import type { Command } from 'commander';
import type { OptionSpec } from '../lint/option.js';
import { OPTION_LIST, OPTIONS, type OptionName } from '../lint/options.js';

export function sharedOptions(command: string): OptionName[] {
  return OPTION_LIST.filter(([, { commands }]) => commands?.includes(command)).map(([name]) => name);
}

/** Refuses an option of a lint run that the command would ignore. */
export function refuseForeignOptions(program: Command, command: Command): void {
  refuseForeignChoices(program, command);
  if (command === program) return;
  const shared: readonly string[] = sharedOptions(command.name());
  const foreign = program.options.find((option) => {
    const name = option.attributeName();
    return program.getOptionValueSource(name) === 'cli' && !shared.includes(name);
  });
  if (foreign !== undefined) command.error(`error: '${command.name()}' takes no option '${foreign.flags}'`);
}

function refuseForeignChoices(program: Command, command: Command): void {
  const name = command === program ? '' : command.name();
  for (const option of program.options) {
    const { choicesOfCommands = {} }: OptionSpec = OPTIONS[option.attributeName() as OptionName] ?? {};
    const value = program.getOptionValue(option.attributeName()) as string;
    const commands = choicesOfCommands[value];
    if (commands === undefined || commands.includes(name)) continue;
    program.error(`error: ${option.long} ${value} is for 'mongolint ${commands.join(', ')}'`);
  }
}
