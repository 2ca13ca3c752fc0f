import { type AnyCheck, isClusterCheck } from '../check.js';
import { connect, type Connection } from '../connect/connect.js';
import { readUserRights, readUserState } from '../connect/user-rights.js';
import { errorCodesOf } from '../evidence/cluster-evidence.js';
import { clusterGaps } from '../evidence/collect-cluster-evidence.js';
import type { EvidenceRun } from '../evidence/evidence-run.js';
import type { EvidencePlan } from '../evidence/source.js';
import type { KeptText } from '../files/kept-text.js';
import { resolvedSettings, type RunSettings } from '../findings/check-settings.js';
import { evidencePlan } from '../findings/evidence-plan.js';
import { GrowthRun } from '../growth/growth-run.js';
import type { HistoryFile } from '../growth/history-file.js';
import type { Inventory } from '../inventory/inventory.js';
import { LintError } from '../lint-error.js';
import { isInPart } from '../report/names-of-part.js';
import type { Report } from '../report/report.js';
import type { RunPart } from '../report/run-part.js';
import { beginCollecting, collectCluster, collectCollections, type CollectOptions } from './collect.js';
import { checksOf, collectOptions, connectOptions, type ReadingOptions } from './reading-options.js';
import { assertGlobs } from './wanted-collections.js';

/** A run under way, and what it is for. */
export interface OpenRun extends RunShare {
  readonly run: LiveRun;
  readonly settings: RunSettings;
}

/**
 * Connects, begins to collect what the enabled checks need, and closes everything after `use`.
 *
 * @throws LintError if the cluster can't be read at all, or the history can't be used
 */
export async function withLiveRun<Result>(
  options: ReadingOptions,
  use: (open: OpenRun) => Promise<Result>,
  { isCarried = false, lineOf, onReading }: Partial<Pick<LiveRunOptions, 'isCarried' | 'lineOf' | 'onReading'>> = {},
): Promise<Result> {
  assertGlobs(options);
  // First, so that a file that can't be used fails at once.
  const history = options.history === undefined ? null : await openHistory(options.history);
  const startedAt = new Date();
  const settings = resolvedSettings(options.settings ?? {});
  const connection = await connect(connectOptions(options), options.onClient);
  try {
    const share = runShare(await checksOf(options), settings, options.part);
    const carrying = { history, isCarried, lineOf, onReading };
    const run = await beginLiveRun(connection, { ...collectOptions(options), ...share, startedAt, ...carrying });
    return await use({ run, settings, ...share });
  } finally {
    await connection.close();
  }
}

/** Loaded only if it is asked for, since it brings the validation of the file's lines. */
async function openHistory(kept: string | KeptText): Promise<HistoryFile> {
  const { HistoryFile } = await import('../growth/history-file.js');
  return HistoryFile.open(kept);
}

/** What of a cluster a run judges, if several runs share its collections. */
interface RunShare {
  /** Without those of the whole cluster, unless this is the first part: it judges them alone. */
  readonly checks: readonly AnyCheck[];
  readonly plan: EvidencePlan;
  /** True for a collection whose evidence is read: the first part needs some of every one. */
  isRead(namespace: string): boolean;
  /** True for a collection that is judged, and listed in the report. */
  isOwn(namespace: string): boolean;
  /** What the report says of it; absent for a run on everything. */
  readonly part?: NonNullable<Report['part']>;
}

/** @param part absent for a run on everything */
function runShare(enabled: readonly AnyCheck[], settings: RunSettings, part?: RunPart): RunShare {
  const whole = { isRead: () => true, isOwn: () => true };
  if (part === undefined) return { checks: enabled, plan: evidencePlan(enabled, settings), ...whole };
  const ofCluster = enabled.filter(isClusterCheck);
  const checks = part.number === 1 ? enabled : enabled.filter((check) => !isClusterCheck(check));
  const isOwn = (namespace: string) => isInPart(namespace, part);
  const plan = evidencePlan(checks, settings);
  const forOthers = evidencePlan(ofCluster, settings);
  const readsAll = part.number === 1 && ofCluster.length > 0;
  return {
    checks,
    plan: {
      ...plan,
      ofCollection: (collection) => (isOwn(collection.namespace) ? plan : forOthers).ofCollection(collection),
    },
    isRead: (namespace) => readsAll || isOwn(namespace),
    isOwn,
    part: { number: part.number, of: part.of, clusterChecks: ofCluster.map(({ id }) => id) },
  };
}

/** A run on a cluster that is being read. */
interface LiveRun extends EvidenceRun {
  readonly inventory: Inventory;
}

interface LiveRunOptions extends CollectOptions {
  readonly startedAt: Date;
  readonly history: HistoryFile | null;
  /** Whether the evidence is written to a file. */
  readonly isCarried: boolean;
}

/**
 * Begins to collect the evidence of a cluster.
 *
 * @throws LintError if the globs leave nothing to collect from
 */
async function beginLiveRun(connection: Connection, options: LiveRunOptions): Promise<LiveRun> {
  const { reader, cluster } = connection;
  const { startedAt, history, isCarried } = options;
  const rights = readUserRights(reader);
  const growth = new GrowthRun(reader, history, startedAt, isCarried);
  const collecting = await beginCollecting(connection, growth, options);
  const { inventory, begun } = collecting;
  return {
    startedAt,
    cluster,
    inventory,
    ofCollections: (take) => collectCollections(collecting, take),
    ofCluster: (kept) => collectCluster(collecting, kept),
    async end() {
      const { hasReachedMaxTime: isOutOfTime, isStopped } = reader;
      return {
        finishedAt: null,
        isOutOfTime,
        isStopped,
        serverLoad: connection.serverLoad(),
        reads: connection.reads(),
        gaps: await clusterGaps(begun),
        errorCodes: errorCodesOf({ oplog: await begun.oplog }),
        historyFault: await recordGrowth(growth),
      };
    },
    user: async () => readUserState(reader, await rights),
  };
}

/** Adds the run to the history. If that fails, what was found is worth its report all the same. */
async function recordGrowth(growth: GrowthRun): Promise<string | null> {
  try {
    await growth.finish();
    return null;
  } catch (error) {
    if (!(error instanceof LintError)) throw error;
    return error.message;
  }
}
