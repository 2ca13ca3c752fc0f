import { fileURLToPath } from 'node:url';
import { errorName, isServerError } from '../connect/server-error.js';
import { traceOf } from '../connect/shown-error.js';
import { processFault } from '../files/file-fault.js';
import { isOwnFile } from '../files/package-root.js';
import { LintError } from '../lint-error.js';
import { EXIT_CODES, type ExitCode } from '../policy/exit-code.js';
import { terminalText } from '../text/terminal-text.js';
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
  const file = foreignFile(error);
  return file === null
    ? `mongolint failed: a bug in mongolint (${nameOf(error)}). Run it with --verbose and report what it prints.`
    : `mongolint failed: an error in ${file} (${nameOf(error)}). --verbose says at which line.`;
}

/** The stack of an error, if the arguments ask for it. */
export function explanationOf(error: unknown, argv: readonly string[]): string {
  return argv.includes('--verbose') && error instanceof Error ? `${traceOf(error)}\n` : '';
}

/** Why a run that this broke off could not be finished, in half a sentence. */
export function whyOf(error: unknown): string {
  const file = foreignFile(error);
  return processFault(error) ?? `of ${file === null ? 'a bug in mongolint' : `an error in ${file}`} (${nameOf(error)})`;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** The file of a plugin or a configuration that threw; null if that was mongolint, or a package that it uses. */
function foreignFile(error: unknown): string | null {
  const frames =
    error instanceof Error ? (error.stack ?? '').matchAll(/^\s+at .*?((?:file:\/\/)?\/[^\n]+?):\d+:\d+\)?$/gm) : [];
  const [first] = [...frames].map(([, path = '']) => (path.startsWith('file:') ? fileURLToPath(path) : path));
  return first === undefined || isOwnFile(first) ? null : terminalText(first);
}
