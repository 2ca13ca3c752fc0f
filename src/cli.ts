#!/usr/bin/env node
import { EXIT_CODES } from './policy/exit-code.js';
import { interruption } from './cli/interruption.js';
import { runCommandLine } from './cli/program.js';
import { traceOf } from './connect/shown-error.js';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // EPIPE is a reader that has seen enough, as in `mongolint | head`. Messages on stderr may be lost.
    if (error.code === 'EPIPE' || stream === process.stderr) return;
    process.stderr.write(`The report could not be written: ${error.message}\n`);
    process.exit(EXIT_CODES.fault);
  });
}

// Node's own exit code for these is 1, which would look like findings.
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    process.stderr.write(
      `mongolint failed: a bug in mongolint (${error instanceof Error ? error.name : typeof error})\n`,
    );
    process.exit(EXIT_CODES.fault);
  });
}

try {
  const { stdout, stderr, env } = process;
  const io = { stdout, stderr, env, cwd: () => process.cwd(), interruption: () => interruption(process) };
  process.exitCode = await runCommandLine(process.argv.slice(2), io);
} catch (error) {
  const verbose = process.argv.includes('--verbose');
  const trace =
    error instanceof Error ? (verbose ? traceOf(error) : `${error.name}; --verbose shows more`) : typeof error;
  process.stderr.write(`mongolint failed: a bug in mongolint (${trace})\n`);
  process.exitCode = EXIT_CODES.fault;
}
