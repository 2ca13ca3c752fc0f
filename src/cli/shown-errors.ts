import { errorName, isServerError } from '../connect/server-error.js';
import { traceOf } from '../connect/shown-error.js';
import { processFault } from '../file-fault.js';
import { LintError } from '../lint-error.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import type { Io } from './io.js';
import type { RunOptions } from './run-options.js';

/** Runs a command. What it throws becomes one line, and the exit code of a fault. @param secret never shown */
export async function withShownErrors(
  secret: string,
  { verbose }: Partial<RunOptions>,
  io: Io,
  run: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await run();
  } catch (error) {
    io.stderr.write(`${lineOf(error)}\n`);
    if (verbose === true && error instanceof Error) io.stderr.write(`${traceOf(error, secret)}\n`);
    return EXIT_CODES.fault;
  }
}

/** An error as it is shown without `--verbose`. */
export function lineOf(error: unknown): string {
  if (error instanceof LintError) return error.message;
  const refused = processFault(error);
  if (refused !== null) return `mongolint failed: ${refused}.`;
  if (isServerError(error))
    return `mongolint failed: the server refused a command (${errorName(error)}). --verbose says at which place.`;
  const name = error instanceof Error ? error.name : typeof error;
  return `mongolint failed: a bug in mongolint (${name}). Run it with --verbose and report what it prints.`;
}
