import { builtInChecks } from '../../checks/index.js';
import { isClusterCheck, type AnyCheck } from '../check.js';
import { connect, type ClientObserver, type ConnectOptions } from '../connect/connect.js';
import type { HistoryFile } from '../evidence/growth/history-file.js';
import { enabledChecks, resolvedSettings, type CheckSettings } from '../findings/check-settings.js';
import { withExpectedSizes, type ExpectedSetting } from '../findings/expected-sizes.js';
import { evidencePlan } from '../findings/needed-evidence.js';
import type { FaultListener } from '../findings/run-checks.js';
import type { Inventory } from '../inventory/inventory.js';
import type { Report } from '../report/report.js';
import type { BegunRun, JudgedPart } from '../report/unfinished-report.js';
import type { CollectOptions } from './collect.js';
import { judgeRun, type JudgedCollection } from './judge.js';
import { LINT_DEFAULTS, type TakenByLint } from './lint-options.js';
import { beginLiveRun, type LiveRun } from './live-run.js';
import { assertGlobs } from './wanted-collections.js';

/** How far the run is. */
export interface LintProgress {
  readonly done: number;
  readonly total: number;
  /** The collection that was just judged. */
  readonly namespace: string;
}

/** What to lint, with what, and how much it may cost. Everything but the URI has a default: see docs/options.md. */
export interface LintOptions extends TakenByLint {
  readonly uri: string;
  /** The checks to run; the built-in ones if absent. */
  readonly checks?: readonly AnyCheck[];
  /** Severities and thresholds that differ from those of the checks, and checks that are off, everywhere or on some namespaces. */
  readonly settings?: CheckSettings;
  /** Sizes at which collections are judged instead of their present ones. If several match, the last one wins. */
  readonly expect?: readonly ExpectedSetting[];
  /** Once aborted, nothing more is read: what was found is reported, the rest is `skipped` as interrupted. */
  readonly interruption?: AbortSignal;
  readonly onProgress?: (progress: LintProgress) => void;
  /** Hears of a check that threw, or of evidence that failed in a way not foreseen; the run goes on. */
  readonly onFault?: FaultListener;
  /** Sees the driver's client before it connects. */
  readonly onClient?: ClientObserver;
}

/** Sees a run as it goes on, so that what was found is not lost with it. */
export interface RunWatcher {
  begun(run: BegunRun): void;
  judged(part: JudgedPart): void;
}

/**
 * Lints a cluster: connect → inventory → evidence → checks → findings → report.
 *
 * @throws LintError if it could not be linted at all. The report's `skipped` lists what could not be judged.
 */
export function lint(options: LintOptions): Promise<Report> {
  return watchedLint(options);
}

export async function watchedLint(options: LintOptions, watcher?: RunWatcher): Promise<Report> {
  assertGlobs(options);
  // First, so that a file that can't be used fails at once, and other runs wait for this one.
  const history = options.history === undefined ? null : await openHistory(options.history);
  try {
    return await lintCluster(options, history, watcher);
  } finally {
    await history?.close();
  }
}

/** Loaded only if it is asked for, since it brings the validation of the file's lines. */
async function openHistory(file: string): Promise<HistoryFile> {
  const { HistoryFile } = await import('../evidence/growth/history-file.js');
  return HistoryFile.open(file);
}

async function lintCluster(
  options: LintOptions,
  history: HistoryFile | null,
  watcher: RunWatcher | undefined,
): Promise<Report> {
  const startedAt = new Date();
  const settings = resolvedSettings(options.settings ?? {});
  const connection = await connect(connectOptions(options), options.onClient);
  try {
    const checks = await checksOf(options);
    const plan = evidencePlan(checks, settings);
    const run = await beginLiveRun(connection, { ...collectOptions(options), plan, startedAt, history });
    watcher?.begun(begunRun(run, checks));
    const progress = progressOver(run.inventory, options);
    return await judgeRun(run, {
      checks,
      settings,
      plan,
      include: options.include ?? [],
      sized: withExpectedSizes(options.expect ?? []),
      onFault: options.onFault ?? (() => {}),
      onJudged(judged) {
        progress(judged);
        watcher?.judged(judged);
      },
    });
  } finally {
    await connection.close();
  }
}

function begunRun({ startedAt, cluster, inventory }: LiveRun, checks: readonly AnyCheck[]): BegunRun {
  return {
    startedAt,
    cluster,
    checks: checks.map(({ id, title }) => ({ id, title })),
    clusterChecks: checks.filter(isClusterCheck).map(({ id }) => id),
    namespaces: inventory.collections.map(({ namespace }) => namespace),
  };
}

function connectOptions({ uri, readPreference, interruption, ...options }: LintOptions): ConnectOptions {
  return {
    uri,
    concurrency: options.concurrency ?? LINT_DEFAULTS.concurrency,
    timeout: options.timeout ?? LINT_DEFAULTS.timeout,
    maxTime: options.maxTime ?? LINT_DEFAULTS.maxTime,
    ...(readPreference !== undefined && { readPreference }),
    ...(interruption !== undefined && { interruption }),
  };
}

function collectOptions({ include = [], exclude = [], ...options }: LintOptions): Omit<CollectOptions, 'plan'> {
  return {
    include,
    exclude,
    concurrency: options.concurrency ?? LINT_DEFAULTS.concurrency,
    logFiles: options.logFiles ?? [],
    bounds: {
      sample: {
        documents: options.sampleSize ?? LINT_DEFAULTS.sampleSize,
        bytes: options.sampleBytes ?? LINT_DEFAULTS.sampleBytes,
      },
      deep: options.deep ?? false,
      showValues: options.showValues ?? false,
    },
  };
}

/** The enabled checks. The verdicts of those that are not built in are parsed, by code that is loaded only for them. */
async function checksOf({ checks = builtInChecks, settings = {} }: LintOptions): Promise<readonly AnyCheck[]> {
  const enabled = enabledChecks(checks, settings);
  if (enabled.every(isBuiltIn)) return enabled;
  const { withParsedVerdicts } = await import('../findings/parsed-verdicts.js');
  return enabled.map((check) => (isBuiltIn(check) ? check : withParsedVerdicts(check)));
}

function isBuiltIn(check: AnyCheck): boolean {
  return builtInChecks.includes(check);
}

function progressOver(
  { collections }: Inventory,
  { onProgress }: LintOptions,
): (judged: Pick<JudgedCollection, 'measured'>) => void {
  let done = 0;
  return ({ measured: { namespace } }) => {
    done += 1;
    onProgress?.({ done, total: collections.length, namespace });
  };
}
