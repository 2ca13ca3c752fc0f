import { EXIT_CODES } from '../policy/exit-code.js';
import { traceOf } from '../connect/shown-error.js';
import type { Handover } from './handover.js';
import { HandoverQueue } from './handover-queue.js';
import { interruption, orderedInterruption, SIGNALS } from './interruption.js';
import type { Io } from './io.js';
import { runCommandLine } from './program.js';

/** Runs the command line of this process, and ends it: a connection that is left open must not keep it. */
export async function runProcess(process: NodeJS.Process, isSupervised: boolean): Promise<void> {
  let exitCode: number = EXIT_CODES.fault;
  let isUnwritten = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      // EPIPE is a reader that has seen enough, as in `mongolint | head`. Messages on stderr may be lost.
      if (code === 'EPIPE' || stream === process.stderr || isUnwritten) return;
      isUnwritten = true;
      process.stderr.write(`The report could not be written: ${message}\n`);
    });
  }
  catchBugs(process);
  try {
    exitCode = await runCommandLine(process.argv.slice(2), isSupervised ? supervisedIo(process) : ownIo(process));
  } catch (error) {
    const isVerbose = process.argv.includes('--verbose');
    const trace = isVerbose && error instanceof Error ? traceOf(error) : `${nameOf(error)}; --verbose shows more`;
    process.stderr.write(`mongolint failed: a bug in mongolint (${trace})\n`);
  }
  await written(process.stdout);
  await written(process.stderr);
  end(process, isUnwritten ? EXIT_CODES.fault : exitCode);
}

/** Node's own exit code for these is 1, which would look like findings. */
function catchBugs(process: NodeJS.Process): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      process.stderr.write(`mongolint failed: a bug in mongolint (${nameOf(error)})\n`);
      end(process, EXIT_CODES.fault);
    });
  }
}

function ownIo({ stdout, stderr, env }: NodeJS.Process): Io {
  return { stdout, stderr, env, cwd: () => process.cwd(), interruption: () => interruption(process) };
}

function supervisedIo(process: NodeJS.Process): Io {
  // Ctrl-C reaches every process of a terminal, and the supervisor passes it on.
  for (const signal of Object.keys(SIGNALS)) process.on(signal, () => {});
  process.on('disconnect', () => process.exit(EXIT_CODES.fault));
  const queue = new HandoverQueue((messages) => void process.send?.(messages, undefined, {}, () => {}));
  return {
    ...ownIo(process),
    interruption: () => orderedInterruption(process),
    handOver: (message) => queue.add(message),
  };
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => void stream.write('', () => resolve()));
}

function end(process: NodeJS.Process, exitCode: number): void {
  if (!process.connected) process.exit(exitCode);
  const ended: readonly Handover[] = [{ kind: 'ended', exitCode }];
  process.send?.(ended, undefined, {}, () => process.exit(exitCode));
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
