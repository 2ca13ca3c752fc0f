import { traceOf } from '../connect/shown-error.js';
import { EXIT_CODES } from '../policy/exit-code.js';
import { interruption } from './interruption.js';
import type { Io } from './io.js';
import { ProcessOutputs } from './process-outputs.js';
import { runCommandLine } from './program.js';

/** Runs the command line of this process, and ends it: a connection that is left open must not keep it. */
export async function runProcess(process: NodeJS.Process): Promise<void> {
  const outputs = new ProcessOutputs(process);
  catchBugs(process);
  const exitCode = await exitCodeOf(process.argv.slice(2), ownIo(process));
  await outputs.end(exitCode);
}

/** Runs the command line, and reports a bug in one line. */
export async function exitCodeOf(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await runCommandLine(argv, io);
  } catch (error) {
    const isVerbose = argv.includes('--verbose');
    const trace = isVerbose && error instanceof Error ? traceOf(error) : `${nameOf(error)}; --verbose shows more`;
    io.stderr.write(bugMessage(trace));
    return EXIT_CODES.fault;
  }
}

/** Node's own exit code for these is 1, which would look like findings. */
function catchBugs(process: NodeJS.Process): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      process.stderr.write(bugMessage(nameOf(error)));
      process.exit(EXIT_CODES.fault);
    });
  }
}

function ownIo({ stdout, stderr, env }: NodeJS.Process): Io {
  return { stdout, stderr, env, cwd: () => process.cwd(), interruption: () => interruption(process) };
}

function bugMessage(what: string): string {
  return `mongolint failed: a bug in mongolint (${what})\n`;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
