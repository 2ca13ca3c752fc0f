#!/usr/bin/env node
import { EXIT_CODES } from './findings/exit-code.js';
import { runCommandLine } from './cli/program.js';

// A reader that has seen enough, as in `mongolint | head`, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  process.exitCode = await runCommandLine(process.argv.slice(2), process);
} catch (error) {
  const verbose = process.argv.includes('--verbose');
  const trace = error instanceof Error ? (verbose ? error.stack : `${error.name}; --verbose shows more`) : typeof error;
  process.stderr.write(`mongolint failed, which is a defect of mongolint: ${trace}\n`);
  process.exitCode = EXIT_CODES.fault;
}
