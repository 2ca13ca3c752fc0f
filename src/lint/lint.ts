import { builtInChecks } from '../../checks/index.js';
import { isClusterCheck, type AnyCheck } from '../check.js';
import type { ClusterReader } from '../connect/cluster-reader.js';
import { connect, type ClientObserver, type Cluster, type ConnectOptions } from '../connect/connect.js';
import { hasLostRights, readUserRights, type UserRights } from '../connect/user-rights.js';
import { GrowthRun } from '../evidence/growth/growth-run.js';
import type { HistoryFile } from '../evidence/growth/history-file.js';
import type { Skipped } from '../finding.js';
import { enabledChecks, resolvedSettings, type CheckSettings } from '../findings/check-settings.js';
import { costliestUnreported } from '../findings/costliest-operation.js';
import { withExpectedSizes, type ExpectedSetting } from '../findings/expected-sizes.js';
import { evidencePlan, piecesNeeded } from '../findings/needed-evidence.js';
import type { FaultListener } from '../findings/run-checks.js';
import { judgeCluster } from '../findings/run-cluster-checks.js';
import type { Inventory } from '../inventory/inventory.js';
import { LintError } from '../lint-error.js';
import { runFailures, type UserState } from '../policy/run-failures.js';
import { buildReport } from '../report/build-report.js';
import type { Report } from '../report/report.js';
import type { BegunRun, JudgedPart } from '../report/unfinished-report.js';
import { beginCollecting, collectCluster, collectCollections, type CollectOptions } from './collect.js';
import { errorCodesOfRun, judgeCollected, unreadEntries, type JudgedCollection } from './judge.js';
import { LINT_DEFAULTS, type TakenByLint } from './lint-options.js';
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
  const { onFault = () => {} } = options;
  const settings = resolvedSettings(options.settings ?? {});
  const connection = await connect(connectOptions(options), options.onClient);
  try {
    const checks = await checksOf(options);
    const rights = readUserRights(connection.reader);
    const plan = evidencePlan(checks, settings);
    const growth = new GrowthRun(connection.reader, connection.cluster.readFrom, history, startedAt);
    const collecting = await beginCollecting(connection, growth, { ...collectOptions(options), plan });
    const judging = { checks, settings, toKeep: plan.kept, sized: withExpectedSizes(options.expect ?? []), onFault };
    const progress = progressOver(collecting.inventory, options);
    watcher?.begun(begunRun(startedAt, connection.cluster, checks, collecting.inventory));
    const judged = await collectCollections(collecting, (collected) => {
      const part = progress(judgeCollected(collected, judging));
      watcher?.judged(part);
      return part;
    });
    const kept = judged.flatMap((collection) => collection.kept);
    const evidence = await collectCluster(collecting, kept);
    const { hasReachedMaxTime: isOutOfTime, isStopped } = connection.reader;
    const ofCluster = await judgeCluster(checks, kept, evidence, settings, onFault);
    const unread = await unreadEntries(collecting, checks);
    const unrecorded = await recordGrowth(growth, checks);
    const errorCodes = await errorCodesOfRun(collecting, judged, evidence);
    const skipped = [...unread, ...unrecorded];
    const allSkipped = [...skipped, ...[...judged, ofCluster].flatMap((judgement) => judgement.skipped)];
    const user = await userState(connection.reader, await rights, allSkipped);
    const { cluster } = connection;
    return buildReport({
      startedAt,
      finishedAt: new Date(),
      cluster,
      checks,
      skipped,
      judged,
      ofCluster,
      errorCodes,
      costliestUnreported: costliestUnreported(kept, evidence, ofCluster.findings),
      failures: runFailures({ checks, judged, ofCluster, skipped: allSkipped, isOutOfTime, isStopped, user }),
      serverLoad: connection.serverLoad(),
    });
  } finally {
    await connection.close();
  }
}

async function userState(
  reader: ClusterReader,
  before: UserRights | null,
  skipped: readonly Skipped[],
): Promise<UserState> {
  if (before === null || !skipped.some(({ reason }) => reason === 'privilege')) return null;
  if (!before.isAuthenticated) return 'none';
  const now = await readUserRights(reader);
  if (now === null) return null;
  return hasLostRights(before, now) ? 'lost' : 'as before';
}

function begunRun(
  startedAt: Date,
  cluster: Cluster,
  checks: readonly AnyCheck[],
  { collections }: Inventory,
): BegunRun {
  return {
    startedAt,
    cluster,
    checks: checks.map(({ id, title }) => ({ id, title })),
    clusterChecks: checks.filter(isClusterCheck).map(({ id }) => id),
    namespaces: collections.map(({ namespace }) => namespace),
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
): (judged: JudgedCollection) => JudgedCollection {
  let done = 0;
  return (judged) => {
    done += 1;
    onProgress?.({ done, total: collections.length, namespace: judged.measured.namespace });
    return judged;
  };
}

/** Adds the run to the history. If that fails, what was found is worth its report all the same. */
async function recordGrowth(growth: GrowthRun, checks: readonly AnyCheck[]): Promise<Skipped[]> {
  try {
    await growth.finish();
    return [];
  } catch (error) {
    if (!(error instanceof LintError)) throw error;
    const ids = checks.filter((check) => piecesNeeded([check]).has('growth')).map(({ id }) => id);
    return (ids.length === 0 ? ['*'] : ids).map((check) => ({ check, reason: 'fault', detail: error.message }));
  }
}
