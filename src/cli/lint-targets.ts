import { resolve } from 'node:path';
import { traceOf } from '../connect/shown-error.js';
import { enabledChecks } from '../findings/check-settings.js';
import { watchedLint, type LintOptions, type RunWatcher } from '../lint/lint.js';
import { takenByLint, type TakenByLint } from '../lint/lint-options.js';
import { OPTION_LIST } from '../lint/options.js';
import { LintError } from '../lint-error.js';
import type { LoadedConfig } from '../config/load-config.js';
import type { Policy } from '../policy/apply-policy.js';
import type { TargetRun } from '../policy/judged.js';
import { searchableFindings } from '../policy/searchable-findings.js';
import { failureSentences } from '../report/run-failure.js';
import { terminalText } from '../terminal-text.js';
import type { Io } from './io.js';
import { startProgress } from './progress.js';
import type { RunOptions } from './run-options.js';
import type { RunTarget } from './run-settings.js';

/** A target's run, or the line that says why it could not be linted. */
export interface LintedTarget {
  readonly target: Pick<RunTarget, 'alias'>;
  readonly outcome: TargetRun | string;
}

/** Lints one target after the other. One that cannot be linted does not keep the others back. */
export async function lintTargets(
  targets: readonly RunTarget[],
  config: LoadedConfig,
  io: Io,
  baseline: Policy['baseline'],
): Promise<LintedTarget[]> {
  const linted: LintedTarget[] = [];
  const interruption = io.interruption?.();
  const checks = enabledChecks(config.checks, config.settings).map(({ id }) => id);
  for (const target of targets) {
    const { alias, isNarrowed, options } = target;
    const { include, exclude, maxTime } = options;
    const handed = { include, exclude, isNarrowed, maxTime, ...(alias !== undefined && { alias }) };
    io.handOver?.({ kind: 'target', target: handed });
    const run = {
      known: searchableFindings(baseline, alias, checks),
      ...(interruption !== undefined && { interruption }),
    };
    const outcome = await lintTarget(target, config, io, run);
    io.handOver?.({ kind: 'finished', report: typeof outcome === 'string' ? null : outcome.report });
    linted.push({ target, outcome });
  }
  return linted;
}

async function lintTarget(
  { alias, uri, options, expect, isNarrowed }: RunTarget,
  config: LoadedConfig,
  io: Io,
  run: Pick<LintOptions, 'interruption' | 'known'>,
): Promise<TargetRun | string> {
  const prefix = alias === undefined ? '' : `${alias}: `;
  const progress = await startProgress(io.stderr, options.progress && !options.quiet, `${prefix}connecting`);
  const explain = (error: unknown) => {
    if (options.verbose && error instanceof Error) io.stderr.write(`${traceOf(error, uri)}\n`);
  };
  try {
    const given = {
      ...lintOptions(options, io.cwd()),
      uri,
      checks: config.checks,
      settings: config.settings,
      expect,
      ...run,
      onProgress: progress.update,
      onFault: (check: string, namespace: string, error: unknown) => {
        if (options.verbose) io.stderr.write(`${check} failed on ${namespace}:\n`);
        explain(error);
      },
    } satisfies LintOptions;
    const report = await watchedLint(given, watcherOf(io));
    progress.stop();
    const { include, exclude } = options;
    for (const sentence of failureSentences(report)) io.stderr.write(`${prefix}${terminalText(sentence)}\n`);
    return { report: { ...report, ...(alias !== undefined && { target: alias }) }, include, exclude, isNarrowed };
  } catch (error) {
    progress.stop();
    const line = `${prefix}${lineOf(error)}`;
    io.stderr.write(`${line}\n`);
    explain(error);
    return line;
  }
}

function watcherOf({ handOver }: Io): RunWatcher | undefined {
  if (handOver === undefined) return undefined;
  return {
    begun: (run) => handOver({ kind: 'begun', run }),
    judged: ({ findings, skipped, judgedBy, measured }) =>
      handOver({ kind: 'judged', part: { findings, skipped, judgedBy, measured } }),
  };
}

/** The options that `lint` takes. Files named by flags are relative to the working directory. */
export function lintOptions(options: RunOptions, folder: string): TakenByLint {
  const files = OPTION_LIST.flatMap(([name, { type }]) => {
    const value = options[name];
    if (type !== 'file' || value === undefined) return [];
    return [
      [name, Array.isArray(value) ? value.map((file) => resolve(folder, file)) : resolve(folder, value as string)],
    ];
  });
  return takenByLint({ ...options, ...Object.fromEntries(files) });
}

/** An error as it is shown without `--verbose`. */
export function lineOf(error: unknown): string {
  if (error instanceof LintError) return error.message;
  const name = error instanceof Error ? error.name : typeof error;
  return `mongolint failed: a bug in mongolint (${name}). Run it with --verbose and report what it prints.`;
}
