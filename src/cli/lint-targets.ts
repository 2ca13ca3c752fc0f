import { resolve } from 'node:path';
import type { LoadedConfig } from '../config/load-config.js';
import { DeclaredRun } from '../drift/declared-run.js';
import { enabledChecks } from '../findings/check-settings.js';
import type { NamespaceGlobs } from '../inventory/namespace-glob.js';
import { takenByLint, type TakenByLint } from '../lint/lint-options.js';
import { watchedLint, type LintOptions, type RunWatcher } from '../lint/lint.js';
import { OPTION_LIST } from '../lint/options.js';
import { sharedSource } from '../lint/source-in.js';
import type { Policy } from '../policy/apply-policy.js';
import { searchableFindings } from '../policy/baseline.js';
import type { TargetRun } from '../policy/judged.js';
import { eachTarget, faultListener, named, type TargetUnderWay } from './each-target.js';
import type { Io } from './io.js';
import type { Keeping } from './keeping.js';
import { NightlyDrift } from './nightly-drift.js';
import { Nights } from './nights.js';
import { Progress } from './progress.js';
import type { JudgedTargets } from './report-targets.js';
import { type RunOptions, sourceFolders } from './run-options.js';
import type { RunTarget } from './run-settings.js';

/** Lints the targets, several at once. One that cannot be linted does not keep the others back. */
export async function lintTargets(
  targets: readonly RunTarget[],
  config: LoadedConfig,
  io: Io,
  baseline: Policy['baseline'],
  concurrency: number,
  keeping: Keeping,
): Promise<JudgedTargets> {
  const source = sharedSource();
  const declared = new Map(targets.map((target) => [target, new DeclaredRun()]));
  const outcomes = await eachTarget(
    targets,
    concurrency,
    io,
    (target, underWay) => {
      const of = declared.get(target) as DeclaredRun;
      return lintTarget(target, underWay, { config, io, baseline, keeping, source, declared: of });
    },
    // That of an only target is about to be written.
    ({ report }) => (targets.length > 1 ? report : null),
  );
  const drift = new NightlyDrift(
    targets.map((target, index) => {
      const outcome = outcomes[index];
      const report = typeof outcome === 'object' ? outcome.report : null;
      return { target, declared: declared.get(target) as DeclaredRun, report };
    }),
    (target) => keeping.declared(target),
  );
  const reports = await drift.reports();
  const nights = new Nights((target) => keeping.history(target));
  const reported: typeof outcomes = [];
  for (const [index, outcome] of outcomes.entries()) {
    const target = targets[index] as RunTarget;
    const report = reports.get(target);
    const isWhole = report !== undefined && typeof outcome !== 'string';
    reported.push(isWhole ? { ...outcome, report: await nights.with(target, report) } : outcome);
  }
  return {
    outcomes: reported,
    async keep() {
      await drift.keep();
      await nights.keep();
      return [...drift.faults, ...nights.faults];
    },
  };
}

interface LintRun {
  readonly config: LoadedConfig;
  readonly io: Io;
  readonly baseline: Policy['baseline'];
  readonly keeping: Keeping;
  readonly source: ReturnType<typeof sharedSource>;
  readonly declared: DeclaredRun;
}

async function lintTarget(
  target: RunTarget,
  underWay: TargetUnderWay,
  { config, io, baseline, keeping, source, declared }: LintRun,
): Promise<TargetRun> {
  const { alias, uri, options, expect, isNarrowed, part } = target;
  const { show, say, interruption } = underWay;
  const { include, exclude } = options;
  const history = keeping.history(target);
  const isDriftKept = part === undefined && (history !== null || config.values.targets?.some(({ sibling }) => sibling));
  show('connecting');
  const given = {
    ...lintOptions(options, io.cwd()),
    ...(history !== null && { history }),
    uri,
    checks: config.checks,
    settings: config.settings,
    expect,
    known: searchableFindings(
      baseline,
      alias,
      enabledChecks(config.checks, config.settings).map(({ id }) => id),
    ),
    ...(interruption !== undefined && { interruption }),
    ...(part !== undefined && { part }),
    onFault: faultListener(target, underWay),
  } satisfies LintOptions;
  const progress = new Progress(show, options.maxTime);
  const watcher = watcherOf(io, underWay.of, progress, isDriftKept ? { declared, globs: { include, exclude } } : null);
  const report = await watchedLint(given, watcher, source);
  return named({ report, include, exclude, isNarrowed }, alias, say);
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
