import { resolve } from 'node:path';
import type { LoadedConfig } from '../config/load-config.js';
import { traceOf } from '../connect/shown-error.js';
import { DeclaredRun } from '../drift/declared-run.js';
import { enabledChecks } from '../findings/check-settings.js';
import type { NamespaceGlobs } from '../inventory/inventory.js';
import { takenByLint, type TakenByLint } from '../lint/lint-options.js';
import { watchedLint, type LintOptions, type RunWatcher } from '../lint/lint.js';
import { OPTION_LIST } from '../lint/options.js';
import { sharedSource } from '../lint/source-in.js';
import type { Policy } from '../policy/apply-policy.js';
import { searchableFindings } from '../policy/baseline.js';
import type { TargetRun } from '../policy/judged.js';
import { failureSentences } from '../report/run-failure.js';
import type { TargetReport } from '../report/target-reports.js';
import { terminalText } from '../terminal-text.js';
import { eachTarget, type TargetProgress } from './each-target.js';
import type { Io } from './io.js';
import type { Keeping } from './keeping.js';
import { NightlyDrift } from './nightly-drift.js';
import { Progress } from './progress.js';
import type { RunOptions } from './run-options.js';
import type { RunTarget } from './run-settings.js';
import { lineOf } from './shown-errors.js';
import { sourceFolders } from './source-folders.js';

/** A target's run, or the line that says why it could not be linted. */
export interface LintedTarget {
  readonly target: Pick<RunTarget, 'alias'>;
  readonly outcome: TargetRun | string;
}

/** What became of the targets. */
export interface LintedTargets {
  readonly linted: readonly LintedTarget[];
  /** Keeps what the next run is compared with, once this one was reported. Returns lines on what could not be kept. */
  readonly keep: (reports: readonly TargetReport[]) => Promise<readonly string[]>;
}

interface TargetsRun {
  readonly keeping: Keeping;
  readonly config: LoadedConfig;
  readonly io: Io;
  readonly baseline: Policy['baseline'];
  readonly interruption: AbortSignal | undefined;
  readonly source: ReturnType<typeof sharedSource>;
}

/** Lints the targets, several at once. One that cannot be linted does not keep the others back. */
export async function lintTargets(
  targets: readonly RunTarget[],
  config: LoadedConfig,
  io: Io,
  baseline: Policy['baseline'],
  concurrency: number,
  keeping: Keeping,
): Promise<LintedTargets> {
  const run = { config, io, baseline, keeping, interruption: io.interruption?.(), source: sharedSource() };
  const linted = await eachTarget(targets, concurrency, io, async (target, of, progress) => {
    const declared = new DeclaredRun();
    const { alias, isNarrowed, options } = target;
    const { include, exclude, maxTime } = options;
    const noted = { include, exclude, isNarrowed, maxTime, ...(alias !== undefined && { alias }) };
    io.note?.({ kind: 'target', of, target: noted });
    const outcome = await lintTarget(target, { ...run, declared }, of, progress);
    // The report of an only target is about to be written.
    const isKept = targets.length > 1 && typeof outcome !== 'string';
    io.note?.({ kind: 'finished', of, report: isKept ? outcome.report : null });
    return { target, outcome, declared };
  });
  const drift = new NightlyDrift(
    linted.map(({ target, outcome, declared }) => {
      return { target, declared, report: typeof outcome === 'string' ? null : outcome.report };
    }),
    (target) => keeping.declared(target),
  );
  const reports = await drift.reports();
  return {
    linted: linted.map(({ target, outcome }) => {
      const report = reports.get(target);
      return {
        target,
        outcome: report === undefined || typeof outcome === 'string' ? outcome : { ...outcome, report },
      };
    }),
    async keep() {
      await drift.keep();
      return drift.faults;
    },
  };
}

async function lintTarget(
  target: RunTarget,
  { config, io, baseline, keeping, interruption, source, declared }: TargetsRun & { readonly declared: DeclaredRun },
  of: number,
  { show, say }: TargetProgress,
): Promise<TargetRun | string> {
  const { alias, uri, options, expect, isNarrowed, part } = target;
  const prefix = alias === undefined ? '' : `${alias}: `;
  const explain = (error: unknown) => {
    if (options.verbose && error instanceof Error) say(traceOf(error, uri));
  };
  const checks = enabledChecks(config.checks, config.settings).map(({ id }) => id);
  const progress = new Progress(show, options.maxTime);
  const { include, exclude } = options;
  const history = keeping.history(target);
  const isDriftKept = part === undefined && (history !== null || config.values.targets?.some(({ sibling }) => sibling));
  show('connecting');
  try {
    const given = {
      ...lintOptions(options, io.cwd()),
      ...(history !== null && { history }),
      uri,
      checks: config.checks,
      settings: config.settings,
      expect,
      known: searchableFindings(baseline, alias, checks),
      ...(interruption !== undefined && { interruption }),
      ...(part !== undefined && { part }),
      onFault: (check, namespace, error) => {
        if (options.verbose) say(`${check} failed on ${namespace}:`);
        explain(error);
      },
    } satisfies LintOptions;
    const report = await watchedLint(
      given,
      watcherOf(io, of, progress, isDriftKept ? { declared, globs: { include, exclude } } : null),
      source,
    );
    for (const sentence of failureSentences(report)) say(`${prefix}${terminalText(sentence)}`);
    const ofTarget = { ...report, ...(alias !== undefined && { target: alias }) };
    return { report: ofTarget, include, exclude, isNarrowed };
  } catch (error) {
    const line = `${prefix}${lineOf(error)}`;
    say(line);
    explain(error);
    return line;
  }
}

function watcherOf(
  { note }: Io,
  of: number,
  progress: Progress,
  kept: { readonly declared: DeclaredRun; readonly globs: NamespaceGlobs } | null,
): RunWatcher {
  return {
    ...(kept !== null && {
      observer: {
        begin: (run) => kept.declared.begin(run, kept.globs),
        take: (collected) => kept.declared.take(collected),
      },
    }),
    begun(run) {
      progress.begin(run.namespaces.length);
      note?.({ kind: 'begun', of, run });
    },
    reading: (namespace) => progress.reading(namespace),
    judged({ findings, skipped, judgedBy, measured }) {
      progress.judged();
      note?.({ kind: 'judged', of, part: { findings, skipped, judgedBy, measured } });
    },
  };
}

/** The options that `lint` takes. Files named by flags are relative to the working directory. */
export function lintOptions(options: RunOptions, folder: string): TakenByLint {
  const files = OPTION_LIST.flatMap(([name, { type }]) => {
    const value = options[name];
    // False is `--no-config`.
    if (type !== 'file' || value === undefined || value === false) return [];
    return [
      [name, Array.isArray(value) ? value.map((file) => resolve(folder, file)) : resolve(folder, value as string)],
    ];
  });
  return takenByLint({ ...options, ...Object.fromEntries(files), code: sourceFolders(options, folder) });
}
