import type { Connection } from '../connect/connect.js';
import { readUserRights, readUserState } from '../connect/user-rights.js';
import { clusterGaps } from '../evidence/collect-cluster-evidence.js';
import type { EvidenceRun } from '../evidence/evidence-run.js';
import { GrowthRun } from '../growth/growth-run.js';
import type { HistoryFile } from '../growth/history-file.js';
import { errorCodesOf } from '../evidence/server-error-codes.js';
import type { Inventory } from '../inventory/inventory.js';
import { LintError } from '../lint-error.js';
import { beginCollecting, collectCluster, collectCollections, type CollectOptions } from './collect.js';

/** A run on a cluster that is being read. */
export interface LiveRun extends EvidenceRun {
  readonly inventory: Inventory;
}

export interface LiveRunOptions extends CollectOptions {
  readonly startedAt: Date;
  readonly history: HistoryFile | null;
  readonly isCarried: boolean;
}

/**
 * Begins to collect the evidence of a cluster.
 *
 * @throws LintError if the globs leave nothing to collect from
 */
export async function beginLiveRun(connection: Connection, options: LiveRunOptions): Promise<LiveRun> {
  const { reader, cluster } = connection;
  const { startedAt, history, isCarried } = options;
  const rights = readUserRights(reader);
  const growth = new GrowthRun(reader, cluster.readFrom, history, startedAt, isCarried);
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
