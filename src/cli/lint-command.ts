import type { ReadPreferenceMode } from 'mongodb';
import { withoutSecrets } from '../connect/secrets.js';
import { exitCode, EXIT_CODES, type ExitCode, type ExitPolicy } from '../findings/exit-code.js';
import { lint } from '../lint.js';
import { LintError } from '../lint-error.js';
import type { Io } from './io.js';
import { startProgress } from './progress.js';
import { writeReports, type ReportOutput } from './report-outputs.js';

/** The options of `mongolint [uri]` as commander hands them over. */
export interface LintCommandOptions extends ExitPolicy {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly format: readonly ReportOutput[];
  readonly sampleSize: number;
  readonly sampleBytes: number;
  readonly concurrency: number;
  readonly maxTime: number;
  readonly timeout: number;
  readonly readPreference?: ReadPreferenceMode;
  readonly deep: boolean;
  readonly showValues: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly progress: boolean;
}

const NO_URI = `mongolint needs a connection string, and there is none. Give it in the environment, where other users can't see it:
  MONGODB_URI='mongodb://user:password@host:27017/?authSource=admin' mongolint
or as an argument: mongolint mongodb://localhost:27017 – or see it at work first: mongolint demo`;

/** Lints and reports. Returns the exit code; never throws for what a user can mend. */
export async function lintCommand(
  argument: string | undefined,
  options: LintCommandOptions,
  io: Io,
): Promise<ExitCode> {
  const uri = argument ?? io.env['MONGODB_URI'];
  if (uri === undefined || uri === '') {
    io.stderr.write(`${NO_URI}\n`);
    return EXIT_CODES.fault;
  }
  if (argument !== undefined && !options.quiet && /^[^/]*\/\/[^/@]*:[^/@]*@/.test(argument)) {
    io.stderr.write('A password given as an argument is visible to other users of this machine; MONGODB_URI is not.\n');
  }
  const progress = await startProgress(io.stderr, options.progress && !options.quiet, 'connecting');
  const explain = (error: unknown) => {
    if (options.verbose && error instanceof Error) io.stderr.write(`${withoutSecrets(traceOf(error), uri)}\n`);
  };
  try {
    const report = await lint({
      ...options,
      uri,
      onProgress: progress.update,
      onFault: (check, namespace, error) => {
        if (options.verbose) io.stderr.write(`${check} failed on ${namespace}:\n`);
        explain(error);
      },
    });
    progress.stop();
    const outputs = options.format.length === 0 ? [{ format: 'table', file: null }] : options.format;
    const failures = await writeReports(report, outputs, io, options);
    for (const failure of failures) io.stderr.write(`${failure}\n`);
    return failures.length > 0 ? EXIT_CODES.fault : exitCode(report, options);
  } catch (error) {
    progress.stop();
    io.stderr.write(`${withoutSecrets(lineOf(error), uri)}\n`);
    explain(error);
    return EXIT_CODES.fault;
  }
}

function lineOf(error: unknown): string {
  if (error instanceof LintError) return error.message;
  const name = error instanceof Error ? error.name : typeof error;
  return `mongolint failed, which is a defect of mongolint (${name}); run with --verbose and report what it prints.`;
}

function traceOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${traceOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
