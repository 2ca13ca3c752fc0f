import type { Command } from 'commander';
import { builtInChecks } from '../../checks/index.js';
import { bashCompletion } from './completion/bash.js';
import { completedCommands, type CompletedCommand } from './completion/completions.js';
import { fishCompletion } from './completion/fish.js';
import { zshCompletion } from './completion/zsh.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import type { Io } from './io.js';

const COMPLETIONS: Readonly<Record<string, (name: string, commands: readonly CompletedCommand[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export const SHELLS = Object.keys(COMPLETIONS);

export function completionCommand(shell: string, program: Command, io: Io): ExitCode {
  const commands = completedCommands(program, { check: builtInChecks.map(({ id }) => id) });
  const completion = COMPLETIONS[shell] as (typeof COMPLETIONS)[string];
  io.stdout.write(completion(program.name(), commands));
  return EXIT_CODES.clean;
}
